// Fault programs in a drive: what its hooks are told, and what the rules make of it.
//
//   const faults::Program program = config::load_fault_program("ignores-flush");
//   faults::DriveFaults faults({program}, seed);
//   faults.attach(drive);                       // outlives the drive's work
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/drive/ata/command_hooks.h"
#include "model/drive/media_hooks.h"
#include "model/faults/running_program.h"

namespace ncqlab::faults {

class DriveFaults final : private drive::CommandHooks, private drive::MediaHooks {
 public:
  DriveFaults(const std::vector<Program>& programs, std::uint64_t seed);
  DriveFaults(const DriveFaults&) = delete;
  DriveFaults& operator=(const DriveFaults&) = delete;

  // One drive. Without rules for them the drive gets no hooks.
  void attach(drive::Drive& drive);
  // Of all programs, rule by rule.
  std::vector<Firings> firings() const;

 private:
  void command(drive::Drive& drive, drive::CommandEvent& event) override;
  void pass_begins(drive::MediaEvent& event) override;
  bool has_rules_at(const std::array<const Hook*, 3>& hooks) const;
  void occur(const Hook& hook, Occasion& occasion);

  std::vector<RunningProgram> programs_;
  std::array<const Hook*, 3> command_hooks_;  // by drive::CommandHook
  std::array<const Hook*, 3> media_hooks_;    // by drive::MediaEvent::Pass
  std::size_t cmd_, drive_, cache_, media_;   // places of the objects in the directory
  drive::Drive* attached_ = nullptr;
};

}  // namespace ncqlab::faults
