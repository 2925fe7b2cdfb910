#include "model/host/sparse_ram.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace ncqlab::host {

namespace {

// Calls step(page, offset in the page, bytes, bytes before these) for each page that [address, address + bytes) meets.
template <class Step>
void for_each_page(std::uint64_t address, std::uint64_t bytes, const Step& step) {
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t offset = (address + done) % SparseRam::kPageBytes;
    const std::uint64_t part = std::min(bytes - done, SparseRam::kPageBytes - offset);
    step((address + done) / SparseRam::kPageBytes, offset, part, done);
    done += part;
  }
}

}  // namespace

SparseRam::SparseRam(std::uint64_t bytes) : bytes_(bytes) {
  if (bytes == 0 || bytes > kLargestBytes) throw std::invalid_argument("guest RAM of 0 bytes or more than 1 TiB");
  pages_.resize((bytes - 1) / kPageBytes + 1);
}

std::uint8_t* SparseRam::touch(std::uint64_t page) {
  std::unique_ptr<std::uint8_t[]>& bytes = pages_[page];
  if (bytes == nullptr) {
    bytes = std::make_unique<std::uint8_t[]>(kPageBytes);
    ++resident_pages_;
  }
  return bytes.get();
}

bool SparseRam::read(std::uint64_t address, void* buffer, std::uint64_t bytes) const {
  if (!contains(address, bytes)) return false;
  for_each_page(address, bytes, [&](std::uint64_t page, std::uint64_t offset, std::uint64_t part, std::uint64_t done) {
    std::uint8_t* to = static_cast<std::uint8_t*>(buffer) + done;
    if (pages_[page] == nullptr) {
      std::memset(to, 0, part);
    } else {
      std::memcpy(to, pages_[page].get() + offset, part);
    }
  });
  return true;
}

bool SparseRam::write(std::uint64_t address, const void* buffer, std::uint64_t bytes) {
  if (!contains(address, bytes)) return false;
  for_each_page(address, bytes, [&](std::uint64_t page, std::uint64_t offset, std::uint64_t part, std::uint64_t done) {
    const std::uint8_t* from = static_cast<const std::uint8_t*>(buffer) + done;
    if (pages_[page] == nullptr && std::all_of(from, from + part, [](std::uint8_t byte) { return byte == 0; })) return;
    std::memcpy(touch(page) + offset, from, part);
  });
  return true;
}

bool SparseRam::fill(std::uint64_t address, std::uint8_t value, std::uint64_t bytes) {
  if (!contains(address, bytes)) return false;
  for_each_page(address, bytes, [&](std::uint64_t page, std::uint64_t offset, std::uint64_t part, std::uint64_t) {
    if (pages_[page] == nullptr && value == 0) return;
    std::memset(touch(page) + offset, value, part);
  });
  return true;
}

DmaTarget::Answer SparseRam::access(const DmaAccess& access, DmaCompletion* /*completion*/) {
  const bool made = access.to_memory ? write(access.address, access.buffer, access.bytes)
                                     : read(access.address, access.buffer, access.bytes);
  return made ? Answer::done : Answer::error;
}

}  // namespace ncqlab::host
