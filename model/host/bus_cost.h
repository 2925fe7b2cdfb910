// How long transfers and register accesses occupy a bus of any kind. Computed from totals, rounded once.
#pragma once

#include <cstddef>

#include "model/host/bus_profile.h"
#include "model/host/dma_target.h"

namespace ncqlab::host {

// Of one transfer. On a shared bus all of it is `data`.
struct Occupancy {
  sim::Time request = 0;  // the other direction, before the data can come
  sim::Time data = 0;     // the direction of the data
  sim::Time answers = 0;  // the other direction, meanwhile
};

class BusCost final {
 public:
  // Throws std::invalid_argument for what no such bus has; the message names the member.
  explicit BusCost(const BusProfile& profile);

  // Whether both directions, and the processor's accesses, use one medium.
  bool shared() const { return shared_; }
  // All pieces have one direction.
  Occupancy of(const DmaAccess* pieces, std::size_t count) const {
    if (profile_.kind == BusKind::custom) return {0, custom_time(pieces, count), 0};
    return named(pieces, count);
  }
  // A register access of the processor's; 0 where it does not contend with transfers.
  sim::Time register_access(bool read) const { return read ? register_read_ : register_write_; }
  // After so long at most a master lets another one in. 0 where register accesses do not contend.
  sim::Time longest_burst() const { return longest_burst_; }

 private:
  sim::Time custom_time(const DmaAccess* pieces, std::size_t count) const {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t size = pieces[i].bytes;
      const std::uint32_t bursts = (size - 1) / profile_.max_burst_bytes + 1;
      bytes += size + std::uint64_t{bursts} * profile_.burst_overhead_bytes;
    }
    return sim::transfer_time(bytes, profile_.bandwidth_bytes_per_second);
  }
  Occupancy named(const DmaAccess* pieces, std::size_t count) const;

  BusProfile profile_;
  bool shared_;
  sim::Time register_read_ = 0;
  sim::Time register_write_ = 0;
  sim::Time longest_burst_ = 0;
};

}  // namespace ncqlab::host
