// A drive's commands: cmd.rx, cmd.exec, cmd.done, and what a command shows there.
#include "model/drive/ata/command_hooks.h"
#include "model/faults/directory.h"

namespace ncqlab::faults {

namespace {

using drive::CommandEvent;

const CommandEvent& event(const void* object) { return *static_cast<const CommandEvent*>(object); }
CommandEvent& event(void* object) { return *static_cast<CommandEvent*>(object); }

enum Class : std::int64_t { kOther, kRead, kWrite, kVerify, kFlush, kTrim, kSettings, kIdentify, kLog, kPower };

std::int64_t class_of(const void* object) {
  const drive::CommandEntry* entry = event(object).entry;
  if (entry == nullptr) return kOther;
  switch (entry->action) {
    case drive::Action::media:
    case drive::Action::media_multiple:
      return to_device(entry->protocol) ? kWrite : kRead;
    case drive::Action::verify:
      return kVerify;
    case drive::Action::flush:
      return kFlush;
    case drive::Action::trim:
    case drive::Action::queued_trim:
      return kTrim;
    case drive::Action::set_features:
    case drive::Action::set_multiple:
      return kSettings;
    case drive::Action::identify:
      return kIdentify;
    case drive::Action::read_log:
    case drive::Action::write_log:
    case drive::Action::smart_read_log:
    case drive::Action::smart_write_log:
    case drive::Action::queued_read_log:
      return kLog;
    case drive::Action::idle:
    case drive::Action::standby:
    case drive::Action::sleep:
    case drive::Action::check_power:
      return kPower;
    default:
      return kOther;
  }
}

}  // namespace

Object command_names() {
  return {
      "cmd",
      "the command that the event is about",
      {
          settable(integer(
                       "opcode", 0, 0xFF, [](const void* o) -> std::int64_t { return event(o).fis.command; },
                       "the command register"),
                   [](void* o, std::int64_t v) { event(o).fis.command = static_cast<std::uint8_t>(v); }, {"cmd.rx"}),
          settable(integer(
                       "feature", 0, 0xFF, [](const void* o) -> std::int64_t { return event(o).fis.features & 0xFF; },
                       "features(7:0): the subcommand of SET FEATURES and SMART"),
                   [](void* o, std::int64_t v) {
                     event(o).fis.features = static_cast<std::uint16_t>((event(o).fis.features & 0xFF00) | v);
                   },
                   {"cmd.rx"}),
          settable(integer(
                       "count", 0, 0xFFFF, [](const void* o) -> std::int64_t { return event(o).fis.count; },
                       "the count register; of queued commands tag and priority"),
                   [](void* o, std::int64_t v) { event(o).fis.count = static_cast<std::uint16_t>(v); }, {"cmd.rx"}),
          state("class", {"other", "read", "write", "verify", "flush", "trim", "settings", "identify", "log", "power"},
                class_of, "what kind of command it was when it came"),
          flag(
              "queued",
              [](const void* o) -> std::int64_t {
                return event(o).entry != nullptr && drive::is_queued(*event(o).entry) ? 1 : 0;
              },
              "a native queued command"),
          integer(
              "tag", 0, drive::kNonQueuedTag, [](const void* o) -> std::int64_t { return event(o).tag; },
              "of a queued command; 32 for all others"),
          settable(integer(
                       "lba", 0, (std::int64_t{1} << 48) - 1,
                       [](const void* o) { return static_cast<std::int64_t>(event(o).lba); },
                       "the first sector of a read, write or verify; 0 for all others"),
                   [](void* o, std::int64_t v) { event(o).lba = static_cast<std::uint64_t>(v); }, {"cmd.exec"}),
          integer(
              "sectors", 0, 65536, [](const void* o) -> std::int64_t { return event(o).sectors; },
              "of a read, write or verify; 0 for all others"),
          flag(
              "fua", [](const void* o) -> std::int64_t { return event(o).force_unit_access ? 1 : 0; },
              "forced unit access, by opcode or device bit 7"),
      }};
}

std::vector<Hook> command_hooks() {
  const std::vector<const char*> objects = {"cmd", "drive", "cache"};
  const std::vector<const char*> fails = {"status", "error", "lba", "abort_all"};
  return {
      {"cmd.rx",
       "the drive has received a command and has not looked at it",
       objects,
       {"set", "fail", "delay"},
       {},
       fails},
      {"cmd.exec",
       "the drive is about to act on settings, cache and media; of queued commands for reads and writes only",
       objects,
       {"set", "fail", "skip", "delay"},
       {"flush", "fua", "media", "feature"},
       fails},
      {"cmd.done",
       "the drive is about to report success; not of PIO reads, whose last PIO Setup has carried the status",
       objects,
       {"set", "fail", "delay"},
       {},
       fails},
  };
}

}  // namespace ncqlab::faults
