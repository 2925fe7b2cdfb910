// The small disk with every policy and limit of queue and caches drawn from a seed.
#pragma once

#include "model/sim/random.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {

inline Profile varied(std::uint64_t seed) {
  sim::Stream stream(seed, "test/soak-profile");
  Profile profile = small_profile();
  constexpr const char* kPolicies[] = {"fifo", "elevator", "nearest", "aged-shortest-positioning-time"};
  if (const auto which = stream.below(8); which < 4) profile.queue.pick_policy = kPolicies[which];
  profile.queue_aging.weight = 0.01 * static_cast<double>(stream.below(100));
  profile.serial_ata.ncq_priority = stream.below(2) == 0;
  profile.queue.window = 1 + static_cast<unsigned>(stream.below(32));
  profile.queue.rotational_guard = static_cast<sim::Time>(stream.below(300)) * kUs;
  profile.read_ahead.hold_bytes = stream.below(30) * 512;
  profile.read_ahead.limit_bytes = stream.below(3000) * 512;
  profile.read_ahead.segments = static_cast<unsigned>(stream.below(5));
  profile.read_ahead.last_sectors_limit = stream.below(2) * 7;
  profile.write_cache.limit_bytes = stream.below(400) * 512;
  profile.write_cache.limit_entries = static_cast<unsigned>(stream.below(2) * (1 + stream.below(6)));
  profile.overheads.write_completion = static_cast<sim::Time>(stream.below(2)) * 20 * kUs;
  constexpr const char* kDestaging[] = {"alternate", "reads-first", "watermark"};
  profile.destaging.policy = kDestaging[stream.below(3)];
  profile.destaging.low_fraction = 0.1 * static_cast<double>(stream.below(6));
  profile.destaging.high_fraction = profile.destaging.low_fraction + 0.1 * static_cast<double>(stream.below(5));
  profile.destaging.pass_bytes = (8 + stream.below(300)) * 512;
  profile.destaging.candidates = 1 + static_cast<unsigned>(stream.below(20));
  profile.destaging.coalesce = stream.below(3) != 0;
  profile.write_through.early_commands = 1 + static_cast<unsigned>(stream.below(32));
  profile.write_through.joins_neighbours = stream.below(2) == 0;
  profile.media_access.zero_latency_fraction =
      stream.below(2) == 0 ? 0 : 0.1 * static_cast<double>(1 + stream.below(9));
  profile.media_access.turnaround = static_cast<sim::Time>(stream.below(2) * 300) * kUs;
  profile.physical_sectors.bytes = stream.below(2) == 0 ? 512 : 4096;
  profile.physical_sectors.lba_0_offset =
      profile.physical_sectors.bytes == 512 ? 0 : static_cast<unsigned>(stream.below(8));
  profile.track_buffer.bytes = stream.below(2) * (100 + stream.below(600)) * 512;
  return profile;
}

}  // namespace ncqlab::drive
