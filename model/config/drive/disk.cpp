// Queue, overheads and caches.
#include <string>

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

}  // namespace

void read_disk(const Value& root, drive::Profile& profile) {
  read_members(root.at("queue"), kQueue, profile.queue);
  if (const auto aging = root.find("queue_aging")) read_members(*aging, kQueueAging, profile.queue_aging);
  read_members(root.at("overheads"), kOverheads, profile.overheads);
  read_members(root.at("read_ahead"), kReadAhead, profile.read_ahead);
  read_members(root.at("write_cache"), kWriteCache, profile.write_cache);
}

void check_disk(const drive::Profile& profile, Findings& odd) {
  if (profile.queue.window > profile.interface.queue_depth) {
    odd.add("/queue/window", "found " + std::to_string(profile.queue.window),
            "at most /interface/queue_depth (" + std::to_string(profile.interface.queue_depth) +
                "): no more can be queued");
  }
  const bool ages = profile.queue.pick_policy == "aged-shortest-positioning-time";
  if (ages != (profile.queue_aging.weight != 0)) {
    odd.add("/queue/pick_policy", "found \"" + profile.queue.pick_policy + "\"",
            ages ? "/queue_aging with a weight beside it, or nothing ages"
                 : "\"aged-shortest-positioning-time\" beside /queue_aging: no other looks at it");
  }
}

}  // namespace ncqlab::config
