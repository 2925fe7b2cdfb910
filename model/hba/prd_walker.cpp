#include "model/hba/prd_walker.h"

#include <algorithm>
#include <utility>

namespace ncqlab::hba {

void PrdWalker::start(std::uint64_t table_address, std::uint32_t entries, bool addresses_64bit) {
  table_ = table_address;
  entries_ = entries;
  addresses_64bit_ = addresses_64bit;
  window_count_ = 0;
  interrupt_ = false;
  malformed_count_ = false;
  odd_address_ = false;
  rewind();
}

void PrdWalker::rewind() {
  index_ = 0;
  consumed_ = 0;
  position_ = 0;
}

host::DmaAccess PrdWalker::fetch() {
  window_first_ = index_;
  window_count_ = std::min(kWindowEntries, entries_ - index_);
  return {table_ + std::uint64_t{index_} * kPrd_bytes, window_, window_count_ * kPrd_bytes, false};
}

template <class Use>
PrdWalker::Result PrdWalker::walk(std::uint32_t& wanted, Use use) {
  while (wanted > 0) {
    if (index_ == entries_) return Result::exhausted;
    if (index_ - window_first_ >= window_count_) return Result::need_fetch;
    const Prd prd = decode_prd(window_ + (index_ - window_first_) * kPrd_bytes, addresses_64bit_);
    const std::uint32_t bytes = std::min(wanted, prd.bytes - consumed_);
    use(prd.address + consumed_, bytes);
    malformed_count_ |= prd.count_malformed;
    odd_address_ |= prd.address_odd;
    wanted -= bytes;
    position_ += bytes;
    consumed_ += bytes;
    if (consumed_ == prd.bytes) {
      interrupt_ |= prd.interrupt;
      consumed_ = 0;
      ++index_;
    }
  }
  return Result::done;
}

PrdWalker::Result PrdWalker::gather(std::uint32_t& wanted, std::uint8_t*& buffer, bool to_memory,
                                    std::vector<host::DmaAccess>& pieces) {
  return walk(wanted, [&](std::uint64_t address, std::uint32_t bytes) {
    pieces.push_back({address, buffer, bytes, to_memory});
    buffer += bytes;
  });
}

PrdWalker::Result PrdWalker::skip(std::uint32_t& wanted) {
  return walk(wanted, [](std::uint64_t, std::uint32_t) {});
}

bool PrdWalker::take_interrupt() { return std::exchange(interrupt_, false); }
bool PrdWalker::take_malformed_count() { return std::exchange(malformed_count_, false); }
bool PrdWalker::take_odd_address() { return std::exchange(odd_address_, false); }

}  // namespace ncqlab::hba
