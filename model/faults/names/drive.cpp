// A drive's settings and state, and its write cache.
#include "model/drive/ata/drive.h"

#include "model/faults/directory.h"

namespace ncqlab::faults {

namespace {

const drive::Drive& drive_of(const void* object) { return *static_cast<const drive::Drive*>(object); }
drive::Drive& drive_of(void* object) { return *static_cast<drive::Drive*>(object); }

}  // namespace

Object drive_names() {
  return {"drive",
          "the drive that the event happens in",
          {
              flag(
                  "write_cache", [](const void* o) -> std::int64_t { return drive_of(o).write_cache() ? 1 : 0; },
                  "the setting of the write cache, as IDENTIFY DEVICE word 85 says"),
              integer(
                  "queued", 0, 32, [](const void* o) -> std::int64_t { return drive_of(o).queued_commands(); },
                  "queued commands that the host waits for"),
              state(
                  "power", {"active", "idle", "standby", "sleep"},
                  [](const void* o) { return static_cast<std::int64_t>(drive_of(o).power_mode()); },
                  "the power mode, as CHECK POWER MODE says"),
          }};
}

Object cache_names() {
  return {
      "cache",
      "the drive's volatile write cache",
      {
          settable(flag(
                       "enabled",
                       [](const void* o) -> std::int64_t { return drive_of(o).disk().write_cache_enabled() ? 1 : 0; },
                       "writes end in the cache, whatever the setting says"),
                   [](void* o, std::int64_t v) { drive_of(o).obey_write_cache(v != 0); },
                   {"cmd.rx", "cmd.exec", "cmd.done"}),
          integer(
              "dirty_sectors", 0, std::int64_t{1} << 48,
              [](const void* o) { return static_cast<std::int64_t>(drive_of(o).disk().dirty_sectors()); },
              "sectors in the cache that the head has still to write"),
      }};
}

}  // namespace ncqlab::faults
