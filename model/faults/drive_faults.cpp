#include "model/faults/drive_faults.h"

#include <algorithm>

#include "model/drive/ata/drive.h"

namespace ncqlab::faults {

DriveFaults::DriveFaults(const std::vector<Program>& programs, std::uint64_t seed) {
  const Directory& directory = Directory::get();
  for (const Program& program : programs) programs_.emplace_back(program, seed);
  command_hooks_ = {directory.find_hook("cmd.rx"), directory.find_hook("cmd.exec"), directory.find_hook("cmd.done")};
  media_hooks_ = {directory.find_hook("media.read"), directory.find_hook("media.write"),
                  directory.find_hook("media.destage")};
  media_ = directory.find_object("media");
  cmd_ = directory.find_object("cmd");
  drive_ = directory.find_object("drive");
  cache_ = directory.find_object("cache");
}

bool DriveFaults::has_rules_at(const std::array<const Hook*, 3>& hooks) const {
  return std::any_of(programs_.begin(), programs_.end(), [&hooks](const RunningProgram& program) {
    return std::any_of(hooks.begin(), hooks.end(),
                       [&program](const Hook* hook) { return program.has_rules_at(*hook); });
  });
}

void DriveFaults::attach(drive::Drive& drive) {
  attached_ = &drive;
  drive.set_hooks(has_rules_at(command_hooks_) ? this : nullptr, has_rules_at(media_hooks_) ? this : nullptr);
}

std::vector<Firings> DriveFaults::firings() const {
  std::vector<Firings> all;
  for (const RunningProgram& program : programs_) {
    const std::vector<Firings> some = program.firings();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

void DriveFaults::occur(const Hook& hook, Occasion& occasion) {
  for (RunningProgram& program : programs_) program.occur(hook, occasion);
}

void DriveFaults::command(drive::Drive& drive, drive::CommandEvent& event) {
  Occasion occasion;
  occasion.objects[cmd_] = &event;
  occasion.objects[drive_] = occasion.objects[cache_] = &drive;
  occur(*command_hooks_[static_cast<std::size_t>(event.hook)], occasion);

  const Verdict& verdict = occasion.verdict;
  event.delay = verdict.delay;
  if (verdict.failure) {
    drive::CommandEvent::Failure failure;
    failure.status = verdict.failure->status;
    if (verdict.failure->error) failure.error = *verdict.failure->error;
    failure.lba = verdict.failure->lba;
    failure.abort_all = verdict.failure->abort_all;
    event.failure = failure;
  }
  if (event.hook != drive::CommandHook::execute) return;
  event.skip = {(verdict.skips & 1) != 0, (verdict.skips & 2) != 0, (verdict.skips & 4) != 0, (verdict.skips & 8) != 0};
}

void DriveFaults::pass_begins(drive::MediaEvent& event) {
  Occasion occasion;
  occasion.objects[media_] = &event;
  occasion.objects[drive_] = occasion.objects[cache_] = attached_;
  occur(*media_hooks_[static_cast<std::size_t>(event.pass)], occasion);
  event.delay = occasion.verdict.delay;
  event.skip = occasion.verdict.skips != 0;
  if (occasion.verdict.failure) event.fails_at = occasion.verdict.failure->lba.value_or(event.extent.first);
}

}  // namespace ncqlab::faults
