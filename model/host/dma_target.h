// What a bus master reaches: guest memory, or somebody's interconnect. The bus's own time has passed when it is called.
#pragma once

#include <cstdint>

namespace ncqlab::host {

// One piece of a transfer; `bytes` may be anything from 1 to 4 MiB. The buffer stays valid until completion.
struct DmaAccess {
  std::uint64_t address = 0;
  std::uint8_t* buffer = nullptr;
  std::uint32_t bytes = 0;
  bool to_memory = false;
};

enum class DmaResult : std::uint8_t {
  ok,
  aborted,   // nobody answers at that address, or the target broke off
  bad_data,  // the data came with an error that nobody corrected: parity, ECC
};

class DmaCompletion {
 public:
  virtual void dma_completed(DmaResult result) = 0;

 protected:
  ~DmaCompletion() = default;
};

class DmaTarget {
 public:
  enum class Answer {
    done,   // the access has been made
    error,  // nothing answers at that address (master abort)
    bad_data,
    pending,  // completion->dma_completed() follows, in an event of the queue
  };
  virtual Answer access(const DmaAccess& access, DmaCompletion* completion) = 0;

 protected:
  ~DmaTarget() = default;
};

}  // namespace ncqlab::host
