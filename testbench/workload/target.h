// What a workload sees of the machine it loads: a block device, a clock and wake-ups.
//
// A workload is event driven: it submits as many requests as it likes, is told of each completion and of each wake-up
// it asked for, and never blocks. It runs outside the event queue, so it may do anything in those calls.
#pragma once

#include <cstdint>

#include "model/sim/time.h"

namespace ncqlab::workload {

enum class IoKind : std::uint8_t { read, write, flush };

// Owned by the workload; stays where it is from submit() to completed().
struct Io {
  IoKind kind = IoKind::read;
  bool force_unit_access = false;
  std::uint32_t sectors = 0;    // of 512 bytes, any number: the host layer splits what one command can't carry
  std::uint64_t lba = 0;
  std::uint64_t user = 0;       // the workload's own
  sim::Time submitted = 0;      // set by the target
  sim::Time completed = 0;
  bool ok = false;
};

class Target {
 public:
  virtual void submit(Io& io) = 0;
  // Workload::woken(user) is called at `when` (now or later).
  virtual void wake_at(sim::Time when, std::uint64_t user) = 0;
  virtual sim::Time now() const = 0;
  virtual std::uint64_t capacity_sectors() const = 0;

 protected:
  ~Target() = default;
};

class Workload {
 public:
  virtual ~Workload() = default;
  virtual void start(Target& target) = 0;
  virtual void completed(Io& io) = 0;
  virtual void woken(std::uint64_t user) = 0;
  virtual bool finished() const = 0;
};

}  // namespace ncqlab::workload
