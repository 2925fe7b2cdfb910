// SMART error logs: the last errors, each with the five commands that led to it: 01h summary, 02h comprehensive, 03h
// extended comprehensive (ACS-3, Annex A; the first two ATA8-ACS).
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "model/drive/ata/bytes.h"
#include "model/drive/ata/registers.h"
#include "model/sata/fis.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

class ErrorLog {
 public:
  static constexpr std::size_t kMostErrors = 20;
  // Pages of the logs 02h and 03h.
  static constexpr std::size_t kComprehensivePages = kMostErrors / 5;
  static constexpr std::size_t kExtendedPages = kMostErrors / 4;

  void command(const sata::RegisterH2D& fis, sim::Time now) {
    commands_[next_] = {fis, now};
    next_ = (next_ + 1) % kCommands;
  }

  // How the last command, or a queued one before it, has ended.
  struct Failure {
    std::uint8_t status = 0;
    std::uint8_t error = 0;
    std::uint64_t lba = 0;
    std::uint16_t count = 0;
    std::uint16_t hours = 0;
  };
  void failed(const Failure& failure);

  Bytes summary() const;        // 01h, one page
  Bytes comprehensive() const;  // 02h
  Bytes extended() const;       // 03h
  std::uint64_t count() const { return count_; }

 private:
  static constexpr std::size_t kCommands = 5;
  struct Sent {
    sata::RegisterH2D fis;
    sim::Time when = 0;
  };
  struct Entry {
    std::array<Sent, kCommands> commands;  // oldest first
    Failure failure;
  };
  void put_entry(Bytes& page, std::size_t at, const Entry& entry) const;
  void put_extended_entry(Bytes& page, std::size_t at, const Entry& entry) const;

  std::array<Sent, kCommands> commands_;
  std::size_t next_ = 0;
  std::deque<Entry> entries_;  // oldest first
  std::uint64_t count_ = 0;
};

}  // namespace ncqlab::drive
