// Walks the PRD table of one command: which guest addresses the next bytes of the transfer go to or come from.
//
// The table lies in guest memory and is read through a window of eight entries; whoever walks fetches the window when
// told to. The first window comes with the command FIS. Every entry has at least two bytes and the table at most 65535
// entries, so every walk ends.
#pragma once

#include <cstdint>
#include <vector>

#include "model/hba/command_list.h"
#include "model/host/dma_target.h"

namespace ncqlab::hba {

class PrdWalker {
 public:
  static constexpr std::uint32_t kWindowEntries = 8;

  enum class Result : std::uint8_t {
    done,        // all that was wanted
    need_fetch,  // make the access of fetch(), then call again for the rest
    exhausted,   // the table has no more bytes
  };

  // Nothing is read yet: the next access is fetch().
  void start(std::uint64_t table_address, std::uint32_t entries, bool addresses_64bit);
  // Back to the first byte; the window stays.
  void rewind();

  // The read that brings the window to the current entry; entries() == 0 has none.
  host::DmaAccess fetch();
  std::uint32_t entries() const { return entries_; }

  // Bytes of the transfer before the current position.
  std::uint64_t position() const { return position_; }

  // Appends the next `wanted` bytes to `pieces`, less what could not be reached; `wanted` and `buffer` are moved on.
  Result gather(std::uint32_t& wanted, std::uint8_t*& buffer, bool to_memory, std::vector<host::DmaAccess>& pieces);
  // Moves on by `wanted` bytes.
  Result skip(std::uint32_t& wanted);

  // Whether an entry with its interrupt bit has been used up since the last call (pPrdIntr, 5.3.1).
  bool take_interrupt();
  // Whether an entry with a malformed byte count, or with an odd address, has been used since the last call.
  bool take_malformed_count();
  bool take_odd_address();

 private:
  template <class Use>
  Result walk(std::uint32_t& wanted, Use use);

  std::uint64_t table_ = 0;
  std::uint64_t position_ = 0;
  std::uint32_t entries_ = 0;
  std::uint32_t index_ = 0;     // current entry
  std::uint32_t consumed_ = 0;  // of its bytes
  std::uint32_t window_first_ = 0;
  std::uint32_t window_count_ = 0;
  bool addresses_64bit_ = true;
  bool interrupt_ = false;
  bool malformed_count_ = false;
  bool odd_address_ = false;
  std::uint8_t window_[kWindowEntries * kPrd_bytes];
};

}  // namespace ncqlab::hba
