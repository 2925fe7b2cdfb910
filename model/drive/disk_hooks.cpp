// Where fault programs reach the head's passes.
#include <algorithm>

#include "model/drive/disk.h"

namespace ncqlab::drive {

// Asks the hooks about the pass that has just been laid.
MediaEvent Disk::hooked(MediaEvent event) {
  media_hooks_->pass_begins(event);
  if (event.fails_at) event.fails_at = std::clamp(*event.fails_at, event.extent.first, event.extent.end - 1);
  if (event.delay > 0) {
    const sim::Time revolution = mechanism_.geometry().revolution();
    pass_.hold_back(mechanism_, event.extent.first, (event.delay + revolution - 1) / revolution * revolution);
  }
  return event;
}

// Of a read the part [from, end), for which the head moves.
void Disk::hook_read(Slot& slot, std::uint64_t from, std::uint64_t end) {
  if (media_hooks_ == nullptr) return;
  const MediaEvent event = hooked({MediaEvent::Pass::read, {from, end}, slot.command.tag});
  if (!event.fails_at) return;
  slot.readable = std::min(slot.readable, static_cast<std::uint32_t>(*event.fails_at - slot.command.lba));
  pass_.reached(mechanism_, end);
  read_ahead_end_ = std::min(read_ahead_end_, *event.fails_at);
  committed_end_ = std::min(committed_end_, *event.fails_at);
}

// What the pass is to write of the extent; `tag` is that of a command, or kTags.
Extent Disk::hook_write(const Extent& extent, unsigned tag) {
  pass_skipped_ = false;
  if (media_hooks_ == nullptr) return extent;
  const auto pass = tag == kTags ? MediaEvent::Pass::destage : MediaEvent::Pass::write;
  const MediaEvent event = hooked({pass, extent, tag});
  pass_skipped_ = event.skip;
  pass_fails_at_ = event.fails_at;
  return {extent.first, event.fails_at.value_or(extent.end)};
}

}  // namespace ncqlab::drive
