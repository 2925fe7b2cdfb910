// Trace hooks and the end-of-run fingerprint.
//
// Every register access, FIS, DMA, interrupt and completion is one Record. The fingerprint is a hash over all of them
// in order, with their times; observers (timelines, recordings, protocol checkers) see the same records and change
// nothing. Of a Data FIS and of DMA data the length is hashed, not the contents: those are checked by the oracle.
#pragma once

#include <cstdint>
#include <vector>

#include "model/sim/time.h"

namespace ncqlab::sim {

enum class Kind : std::uint8_t {
  register_read = 1,  // a: offset, b: value, c: bytes
  register_write,     // a: offset, b: value, c: bytes
  fis_to_device,      // a: FIS type, b: bytes and a detail, c: the first 8 bytes (model/sata/fis_record.h)
  fis_to_host,        // as fis_to_device
  dma_read,           // a: address, b: bytes (controller reads guest memory)
  dma_write,          // a: address, b: bytes
  interrupt,          // a: vector or line, b: 1 raised, 0 lowered
  phy,                // a: state (SStatus layout), b: step (sata::PhyStep), c: the generation tried
  completion,         // a: host request number, b: status, c: LBA
  drive,              // a: what (drive::Happening), b: tag, c: LBA
  violation,          // a: code; the controller noticed something that the specification forbids
  config_read,        // a: offset in PCI configuration space, b: value, c: bytes
  config_write,       // as config_read
  controller,         // a: what (hba::Happening), b and c: its details
  link_error,         // a: FIS type, port multiplier port in 11:8, b: 0 to the device, 1 to the host, c: sata::Damage
};

struct Record {
  Time time;
  Kind kind;
  std::uint32_t source;  // port number, or the unit's own number
  std::uint64_t a, b, c;
};

class Observer {
 public:
  virtual void on_record(const Record& record) = 0;

 protected:
  ~Observer() = default;
};

class Trace {
 public:
  void record(const Record& record) {
    // Independent products, so that the processor can work on them side by side; then one step of the chain.
    const std::uint64_t content =
        static_cast<std::uint64_t>(record.time) * 0x9E3779B97F4A7C15ULL ^
        (static_cast<std::uint64_t>(record.kind) << 32 | record.source) * 0xC2B2AE3D27D4EB4FULL ^
        rotated(record.a * 0x9FB21C651E98DF25ULL, 17) ^ rotated(record.b * 0xD6E8FEB86659FD93ULL, 31) ^
        rotated(record.c * 0xA0761D6478BD642FULL, 47);
    hash_ = (hash_ ^ content) * 0xE7037ED1A0B428DBULL;
    hash_ ^= hash_ >> 32;
    ++records_;
    for (Observer* observer : observers_) observer->on_record(record);
  }

  void add_observer(Observer* observer) { observers_.push_back(observer); }
  std::uint64_t fingerprint() const { return finish(hash_ ^ records_); }
  std::uint64_t records() const { return records_; }

 private:
  static std::uint64_t rotated(std::uint64_t value, unsigned bits) { return value << bits | value >> (64 - bits); }
  static std::uint64_t finish(std::uint64_t hash);

  std::uint64_t hash_ = 0x243F6A8885A308D3ULL;
  std::uint64_t records_ = 0;
  std::vector<Observer*> observers_;
};

}  // namespace ncqlab::sim
