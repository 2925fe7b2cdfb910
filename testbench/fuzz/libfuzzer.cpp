// libFuzzer's entry: see fuzz.sh. One input of sixteen is run twice: it gives the same fingerprint.
#include "testbench/fuzz/broken.h"
#include "testbench/fuzz/torment.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const std::uint64_t fingerprint = ncqlab::fuzz::torment(bytes, count);
  if (fingerprint % 16 == 0) {
    ncqlab::fuzz::expect(ncqlab::fuzz::torment(bytes, count) == fingerprint, "two runs have two fingerprints");
  }
  return 0;
}
