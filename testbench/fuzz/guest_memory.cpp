#include "testbench/fuzz/guest_memory.h"

#include <algorithm>
#include <cstring>

#include "testbench/fuzz/broken.h"

namespace ncqlab::fuzz {

namespace {
// One for all machines, which live one after another: what a run costs is its clearing.
alignas(4096) std::uint8_t pages[GuestMemory::kBytes];
}  // namespace

GuestMemory::GuestMemory(sim::EventQueue& queue, bool wide)
    : Actor(queue), base_(wide ? 0x7'C000'0000 : 0x1000'0000), wide_(wide), bytes_(pages) {
  std::memset(bytes_, 0, kBytes);
}

void GuestMemory::behave() {
  delay_ = 0;
  poisoned_ = UINT64_MAX;
}

void GuestMemory::allow(std::uint64_t address, std::uint32_t bytes) {
  if (known_.insert({address, bytes}).second) writable_.push_back({address, bytes});
}

host::DmaTarget::Answer GuestMemory::access(const host::DmaAccess& access, host::DmaCompletion* completion) {
  if (access.to_memory) check_write(access);
  if (poisoned_ - access.address < access.bytes) return Answer::bad_data;
  if (delay_ == 0) return make(access) ? Answer::done : Answer::error;
  late_.push_back({access, completion});
  post_after<&GuestMemory::answer_late>(delay_, late_.size() - 1);
  return Answer::pending;
}

void GuestMemory::answer_late(std::uint64_t number) {
  const Late late = late_[number];
  const bool made = make(late.access);
  late.completion->dma_completed(made ? host::DmaResult::ok : host::DmaResult::aborted);
}

bool GuestMemory::make(const host::DmaAccess& access) {
  if (!contains(access.address, access.bytes)) return reach_registers(access);
  std::uint8_t* here = bytes_ + (access.address - base_);
  if (access.to_memory) {
    std::memcpy(here, access.buffer, access.bytes);
  } else {
    std::memcpy(access.buffer, here, access.bytes);
    note_read(access);
  }
  return true;
}

// A bus master that finds itself: dword by dword, as a bridge passes a burst on.
bool GuestMemory::reach_registers(const host::DmaAccess& access) {
  if (function_ == nullptr || !function_->memory_target(access.address, access.bytes)) return false;
  for (std::uint32_t done = 0; done < access.bytes;) {
    const unsigned count = std::min<unsigned>(4 - (access.address + done) % 4, access.bytes - done);
    const auto target = function_->memory_target(access.address + done, count);
    if (!target) return false;  // it has switched its decoding off
    std::uint64_t value = 0;
    if (access.to_memory) {
      std::memcpy(&value, access.buffer + done, count);
      function_->write(*target, value, count);
    } else {
      value = function_->read(*target, count);
      std::memcpy(access.buffer + done, &value, count);
    }
    done += count;
  }
  if (access.to_memory) {
    note_structures();
  } else {
    note_read(access);
  }
  return true;
}

void GuestMemory::note_structures() {
  for (std::uint32_t port = hba::kPortsBase; port < hba::kPortsBase + kPorts * hba::kPortBytes;
       port += hba::kPortBytes) {
    const auto address_in = [&](std::uint32_t offset) { return function_->controller().read(port + offset, 8); };
    allow(address_in(hba::kPxCLB), 1024);
    allow(address_in(hba::kPxFB), 256);
  }
}

void GuestMemory::check_write(const host::DmaAccess& access) {
  for (std::size_t i = 0; i < writable_.size(); ++i) {
    const std::size_t at = (last_ + i) % writable_.size();
    if (!writable_[at].contains(access)) continue;
    last_ = at;
    return;
  }
  broken("the controller writes where nobody told it to");
}

// What was read may have been a header, or a part of a PRD table.
void GuestMemory::note_read(const host::DmaAccess& access) {
  if (access.bytes == hba::kCommandHeader_bytes && (hba::load32(access.buffer) & 1U << 10) != 0) ++clear_busy_headers_;
  if (access.bytes > 8 * hba::kPrd_bytes || access.bytes % hba::kPrd_bytes != 0) return;
  for (std::uint32_t at = 0; at < access.bytes; at += hba::kPrd_bytes) {
    const hba::Prd prd = hba::decode_prd(access.buffer + at, wide_);
    allow(prd.address, prd.bytes);
  }
}

}  // namespace ncqlab::fuzz
