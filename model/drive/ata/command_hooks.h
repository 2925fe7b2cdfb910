// What may look at a drive's commands and bend them: fault programs. The drive owns this interface and knows none of
// its users. Without hooks a command costs the test of a null pointer at each of the three places.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "model/drive/ata/command_table.h"
#include "model/drive/ata/registers.h"
#include "model/drive/disk_command.h"
#include "model/sata/fis.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

class Drive;

enum class CommandHook : std::uint8_t {
  received,  // a command FIS has come; nothing has been made of it
  execute,   // the drive is about to act on settings, cache and media; queued: reads and writes only
  done,      // it is about to post success; not of a PIO read, whose last PIO Setup has carried the status
};

struct CommandEvent {
  CommandHook hook = CommandHook::received;
  sata::RegisterH2D fis;                // `received`: the drive goes on with what the hook makes of it
  const CommandEntry* entry = nullptr;  // what fis was when it came; null: the drive aborts it
  unsigned tag = kNonQueuedTag;
  std::uint64_t lba = 0;      // of reads, writes, verify; `execute`: the drive acts on what the hook makes of it
  std::uint32_t sectors = 0;  // of the same
  bool force_unit_access = false;

  // What becomes of it, in this order.
  sim::Time delay = 0;                   // it goes on so much later
  struct Failure {                       // it ends so
    std::optional<std::uint8_t> status;  // nullopt: that of any error
    std::uint8_t error = kErrorAbrt;
    std::optional<std::uint64_t> lba;  // nullopt: the command's
    bool abort_all = true;             // queued: the queue halts, as the standard says; false: only this tag ends
  };
  std::optional<Failure> failure;
  // `execute`: success is reported without it.
  struct Skip {
    bool flush = false;    // destaging the write cache, whichever command wants it
    bool fua = false;      // the way to the platter: the write ends in the cache if that is on
    bool media = false;    // a write's or trim's data are taken and forgotten; a read is answered without the head
    bool feature = false;  // what SET FEATURES would have changed
  } skip;
};

class CommandHooks {
 public:
  virtual void command(Drive& drive, CommandEvent& event) = 0;

 protected:
  ~CommandHooks() = default;
};

// Inside the drive: what it keeps of the commands under way while it has hooks.
struct HookedCommands {
  CommandHooks* hooks;
  CommandEvent received;                   // held back before it is looked at
  std::array<CommandEvent, kTags> events;  // by tag, from `execute` to `done`; else entry is null
  sata::RegisterD2H status;                // held back

  void forget() {
    for (CommandEvent& event : events) event = CommandEvent();
  }
};

}  // namespace ncqlab::drive
