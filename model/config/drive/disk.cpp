// Queue, overheads, caches, and what becomes of data when sectors or the power fail.
#include <string>
#include <string_view>

#include "model/config/drive/sections.h"
#include "model/config/members.h"

namespace ncqlab::config {
namespace {

constexpr Member<drive::Queue> kQueue[] = {
    {"pick_policy", &drive::Queue::pick_policy},
    {"window", &drive::Queue::window},
    {"rotational_guard_ms", &drive::Queue::rotational_guard},
    {"planning_latency_ms", &drive::Queue::planning_latency},
};

constexpr Member<drive::QueueAging> kQueueAging[] = {
    {"weight", &drive::QueueAging::weight},
};

constexpr Member<drive::Overheads> kOverheads[] = {
    {"read_command_ms", &drive::Overheads::read_command},
    {"write_command_ms", &drive::Overheads::write_command},
    {"queued_command_ms", &drive::Overheads::queued_command},
    {"media_access_ms", &drive::Overheads::media_access},
    {"queued_media_access_ms", &drive::Overheads::queued_media_access},
    {"write_completion_ms", &drive::Overheads::write_completion},
};

constexpr Member<drive::ReadAhead> kReadAhead[] = {
    {"hold_bytes", &drive::ReadAhead::hold_bytes},
    {"limit_bytes", &drive::ReadAhead::limit_bytes},
    {"segments", &drive::ReadAhead::segments},
    {"segment_bytes", &drive::ReadAhead::segment_bytes},
    {"last_sectors_limit", &drive::ReadAhead::last_sectors_limit},
};

constexpr Member<drive::WriteCache> kWriteCache[] = {
    {"enabled", &drive::WriteCache::enabled},
    {"limit_bytes", &drive::WriteCache::limit_bytes},
    {"limit_entries", &drive::WriteCache::limit_entries},
    {"destage_after_idle_ms", &drive::WriteCache::destage_after_idle},
};

constexpr Member<drive::TrackBuffer> kTrackBuffer[] = {
    {"bytes", &drive::TrackBuffer::bytes},
};

constexpr Member<drive::Destaging> kDestaging[] = {
    {"policy", &drive::Destaging::policy},
    {"high_fraction", &drive::Destaging::high_fraction},
    {"low_fraction", &drive::Destaging::low_fraction},
    {"pass_bytes", &drive::Destaging::pass_bytes},
    {"candidates", &drive::Destaging::candidates},
    {"coalesce", &drive::Destaging::coalesce},
};

constexpr Member<drive::WriteThrough> kWriteThrough[] = {
    {"early_commands", &drive::WriteThrough::early_commands},
    {"joins_neighbours", &drive::WriteThrough::joins_neighbours},
};

constexpr Member<drive::MediaAccess> kMediaAccess[] = {
    {"zero_latency_fraction", &drive::MediaAccess::zero_latency_fraction},
    {"transfer_start_fraction", &drive::MediaAccess::transfer_start_fraction},
    {"turnaround_ms", &drive::MediaAccess::turnaround},
};

constexpr Member<drive::DefectHandling> kDefectHandling[] = {
    {"read_retry_revolutions", &drive::DefectHandling::read_retry_revolutions},
    {"reallocation_revolutions", &drive::DefectHandling::reallocation_revolutions},
    {"spare_sectors", &drive::DefectHandling::spare_sectors},
};

constexpr Member<drive::TailEvents> kTailEvents[] = {
    {"retry_fraction", &drive::TailEvents::retry_fraction},
    {"retry_revolutions", &drive::TailEvents::retry_revolutions},
    {"recalibration_period_s", &drive::TailEvents::recalibration_period},
    {"recalibration_ms", &drive::TailEvents::recalibration},
    {"scan_after_idle_ms", &drive::TailEvents::scan_after_idle},
    {"scan_step_ms", &drive::TailEvents::scan_step},
};

constexpr Member<drive::PowerLoss> kPowerLoss[] = {
    {"saved_bytes", &drive::PowerLoss::saved_bytes},
};

// A section that a profile may leave out.
template <class Owner, std::size_t kMembers>
void read_optional(const Value& root, std::string_view key, const Member<Owner> (&members)[kMembers], Owner& owner) {
  if (const auto section = root.find(key)) read_members(*section, members, owner);
}

}  // namespace

void read_disk(const Value& root, drive::Profile& profile) {
  read_members(root.at("queue"), kQueue, profile.queue);
  read_optional(root, "queue_aging", kQueueAging, profile.queue_aging);
  read_members(root.at("overheads"), kOverheads, profile.overheads);
  read_members(root.at("read_ahead"), kReadAhead, profile.read_ahead);
  read_members(root.at("write_cache"), kWriteCache, profile.write_cache);
  read_optional(root, "track_buffer", kTrackBuffer, profile.track_buffer);
  read_optional(root, "destaging", kDestaging, profile.destaging);
  read_optional(root, "write_through", kWriteThrough, profile.write_through);
  read_optional(root, "media_access", kMediaAccess, profile.media_access);
  read_optional(root, "defect_handling", kDefectHandling, profile.defect_handling);
  read_optional(root, "power_loss", kPowerLoss, profile.power_loss);
  read_optional(root, "tail_events", kTailEvents, profile.tail_events);
}

void check_disk(const drive::Profile& profile, Findings& odd) {
  if (profile.queue.window > profile.interface.queue_depth) {
    odd.add("/queue/window", "found " + std::to_string(profile.queue.window),
            "at most /interface/queue_depth (" + std::to_string(profile.interface.queue_depth) +
                "): no more can be queued");
  }
  const drive::Destaging& destaging = profile.destaging;
  if (destaging.low_fraction > destaging.high_fraction) {
    odd.add("/destaging/low_fraction", "more than /destaging/high_fraction", "at most that, or one pass ends it");
  }
  const std::uint64_t buffer = profile.track_buffer.bytes;
  if (buffer != 0 && profile.write_cache.limit_bytes > buffer) {
    odd.add("/write_cache/limit_bytes", "found " + std::to_string(profile.write_cache.limit_bytes),
            "at most /track_buffer/bytes (" + std::to_string(buffer) + "), which holds it");
  }
  const bool ages = profile.queue.pick_policy == "aged-shortest-positioning-time";
  if (ages != (profile.queue_aging.weight != 0)) {
    odd.add("/queue/pick_policy", "found \"" + profile.queue.pick_policy + "\"",
            ages ? "/queue_aging with a weight beside it, or nothing ages"
                 : "\"aged-shortest-positioning-time\" beside /queue_aging: no other looks at it");
  }
}

}  // namespace ncqlab::config
