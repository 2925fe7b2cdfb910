// Memory as a hostile guest uses it: a few pages in which command lists, tables, received FIS and data lie and overlap
// as the guest likes, with the controller's own registers among the addresses that its DMA reaches. It can answer late,
// as a foreign interconnect does, and with bad data.
//
// It watches what the controller writes. Nothing may be written but received FIS structures and command lists, where
// the port's registers have said that they lie, and what a PRD that was read from memory describes.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "model/hba/pci/pci_function.h"
#include "model/host/dma_target.h"
#include "model/sim/actor.h"
#include "testbench/fuzz/input.h"

namespace ncqlab::fuzz {

class GuestMemory final : public host::DmaTarget, private sim::Actor {
 public:
  static constexpr std::uint32_t kBytes = 0x10000;

  // `wide`: above 4 GiB.
  GuestMemory(sim::EventQueue& queue, bool wide);

  // Whose registers are reached at addresses that it claims.
  void connect(hba::PciFunction* function) { function_ = function; }

  std::uint64_t address(std::uint32_t offset) const { return base_ + offset; }
  std::uint8_t* cpu(std::uint32_t offset) { return bytes_ + offset; }
  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address - base_ < kBytes && bytes <= kBytes - (address - base_);
  }

  // Where the ports' registers say that command lists and received FIS structures lie, the controller may write from
  // now on.
  void note_structures();
  // Accesses are answered so much later; 0: at once.
  void set_delay(sim::Time delay) { delay_ = delay; }
  // Accesses that touch this byte give bad data.
  void poison(std::uint64_t address) { poisoned_ = address; }
  void behave();
  // How many command headers with the bit C have been read.
  std::uint64_t clear_busy_headers() const { return clear_busy_headers_; }

  Answer access(const host::DmaAccess& access, host::DmaCompletion* completion) override;

 private:
  struct Range {
    std::uint64_t address;
    std::uint32_t bytes;
    bool contains(const host::DmaAccess& access) const {
      return access.address - address < bytes && access.bytes <= bytes - (access.address - address);
    }
    bool operator<(const Range& other) const {
      return address != other.address ? address < other.address : bytes < other.bytes;
    }
  };
  struct Late {
    host::DmaAccess access;
    host::DmaCompletion* completion;
  };

  void answer_late(std::uint64_t number);
  bool make(const host::DmaAccess& access);
  bool reach_registers(const host::DmaAccess& access);
  void check_write(const host::DmaAccess& access);
  void allow(std::uint64_t address, std::uint32_t bytes);
  void note_read(const host::DmaAccess& access);

  std::uint64_t base_;
  bool wide_;
  std::uint8_t* bytes_;
  hba::PciFunction* function_ = nullptr;
  sim::Time delay_ = 0;
  std::uint64_t poisoned_ = UINT64_MAX;
  std::vector<Late> late_;
  std::set<Range> known_;        // of writable_, against repetition
  std::vector<Range> writable_;  // in the order in which they became so
  std::size_t last_ = 0;         // of writable_, the one that was hit last
  std::uint64_t clear_busy_headers_ = 0;
};

}  // namespace ncqlab::fuzz
