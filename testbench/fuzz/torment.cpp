#include "testbench/fuzz/torment.h"

#include <cstring>

#include "testbench/fuzz/broken.h"
#include "testbench/fuzz/recovery.h"
#include "testbench/fuzz/stimuli.h"

namespace ncqlab::fuzz {

std::uint64_t torment(const std::uint8_t* bytes, std::size_t count, sim::Observer* observer) {
  Input input(bytes, count);
  Machine machine(input);
  if (observer != nullptr) machine.trace.add_observer(observer);
  Stimuli stimuli(machine, input);
  while (!input.empty()) {
    stimuli.step();
    machine.check();
  }
  come_to_rest(machine);
  work_again(machine);
  return machine.trace.fingerprint();
}

}  // namespace ncqlab::fuzz
