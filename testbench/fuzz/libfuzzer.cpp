// libFuzzer's entry: see fuzz.sh.
#include "testbench/fuzz/torment.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  ncqlab::fuzz::torment(bytes, count);
  return 0;
}
