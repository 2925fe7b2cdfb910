// The passes of a disk's head: media.read, media.write, media.destage.
#include "model/drive/media_hooks.h"
#include "model/faults/directory.h"

namespace ncqlab::faults {

namespace {
const drive::MediaEvent& event(const void* object) { return *static_cast<const drive::MediaEvent*>(object); }
}  // namespace

Object media_names() {
  return {"media",
          "the pass of the head that the event is about",
          {
              integer(
                  "lba", 0, (std::int64_t{1} << 48) - 1,
                  [](const void* o) { return static_cast<std::int64_t>(event(o).extent.first); },
                  "the first sector that the head is sent to"),
              integer(
                  "sectors", 1, std::int64_t{1} << 48,
                  [](const void* o) { return static_cast<std::int64_t>(event(o).extent.sectors()); },
                  "that it reads or writes for the command, or destages"),
              integer(
                  "tag", 0, drive::kTags, [](const void* o) -> std::int64_t { return event(o).tag; },
                  "of the command; 32 when it is not queued, 33 when it is none: destaging"),
          }};
}

std::vector<Hook> media_hooks() {
  const std::vector<const char*> objects = {"media", "drive", "cache"};
  return {
      {"media.read",
       "the head is sent to read for a command; not for what it finds in the cache or reads just now",
       objects,
       {"set", "fail", "delay"},
       {},
       {"lba"}},
      {"media.write",
       "the head is sent to write a command's data through the cache",
       objects,
       {"set", "fail", "skip", "delay"},
       {"media"},
       {"lba"}},
      {"media.destage",
       "the head is sent to write dirty data of the cache",
       objects,
       {"set", "fail", "skip", "delay"},
       {"media"},
       {"lba"}},
  };
}

}  // namespace ncqlab::faults
