// Keeps the books of PxCI and PxSACT: a command leaves them because the device has said so, because its header has C,
// or because software has stopped or reset the port. Any other way would be a command lost.
#pragma once

#include <array>
#include <cstdint>

#include "model/sim/trace.h"
#include "testbench/fuzz/input.h"

namespace ncqlab::fuzz {

class CommandWatch final : public sim::Observer {
 public:
  void on_record(const sim::Record& record) override;

  // What the registers of a port say now; `clear_busy_headers`: how many headers with C have been read so far.
  void look(unsigned port, std::uint32_t issued, std::uint32_t active, std::uint64_t clear_busy_headers);
  // The whole function is reset.
  void excuse();
  // Nothing is under way: what has not been answered by now will not be.
  void quiet(std::uint64_t clear_busy_headers);

 private:
  struct Port {
    std::uint32_t issued = 0;
    std::uint32_t active = 0;
    std::uint64_t answers = 0;                    // D2H Register and PIO Setup FIS that no cleared bit has used up
    bool data_announced = false;                  // one is a PIO Setup: it takes effect with its data
    std::array<std::uint64_t, 32> completions{};  // of Set Device Bits, for each bit of SActive
    bool excused = false;                         // software wrote PxCMD, or reset the controller
  };

  std::array<Port, kPorts> ports_;
  std::uint64_t clear_busy_used_ = 0;
};

}  // namespace ncqlab::fuzz
