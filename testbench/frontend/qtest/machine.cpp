#include "testbench/frontend/qtest/machine.h"

#include "model/drive/mechanics/mechanism.h"

namespace ncqlab::qtest {

Machine::Machine(const MachineSpec& spec)
    : controller_(spec.controller),
      board_({queue_, trace_, frames_, controller_, spec.ram_bytes}),
      block_errors_(queue_) {
  bool scripted = false;
  for (const MachineDisk& disk : spec.disks) {
    add_disk(disk);
    scripted = scripted || disk.blkdebug;
  }
  for (const MachineOptical& optical : spec.opticals) add_optical(optical);
  if (scripted) trace_.add_observer(&block_errors_);
}

void Machine::add_disk(const MachineDisk& disk) {
  sata::Link& link = board_.controller().link(disk.port);
  auto profile = std::make_unique<drive::Profile>(disk.profile);
  const auto tables =
      std::make_shared<const drive::MechanicsTables>(profile->mechanics, profile->capacity_sectors, drive::Layout{});
  const drive::DriveParts parts{queue_, trace_, frames_, tables, disk.image.get(), disk.port};
  auto drive = std::make_unique<drive::Drive>(*profile, parts);
  drive->set_write_cache(profile->write_cache.enabled);
  drive->connect(&link.device_side());
  link.plug(drive.get());
  bays_.push_back({disk.port, disk.image, std::move(profile), std::move(drive)});
  if (disk.blkdebug) block_errors_.add(disk.port, disk.id, *disk.blkdebug);
}

void Machine::add_optical(const MachineOptical& optical) {
  opticals_.push_back(std::make_unique<OpticalBay>(
      OpticalBay::Parts{queue_, frames_, optical.profile, optical.id, optical.image, tray_moves_},
      board_.controller().link(optical.port)));
}

Machine::~Machine() {
  for (const Bay& bay : bays_) board_.controller().link(bay.port).unplug();
}

OpticalBay* Machine::optical(const std::string& id) {
  for (const auto& bay : opticals_) {
    if (bay->id() == id) return bay.get();
  }
  return nullptr;
}

void Machine::resume() {
  block_errors_.retry();
  stopped_ = block_errors_.failing();
}

void Machine::run_until(sim::Time when) {
  if (target_) return run_to_target(*target_);
  if (stopped_) return;
  while (queue_.next_time() <= when) {
    queue_.run_one();
    if (!queue_.take_stop_request()) continue;
    stopped_ = true;
    return;
  }
  queue_.advance_to(when);
}

void Machine::run_to_target(const Progress& target) {
  while (queue_.executed() < target.events && queue_.next_time() <= target.time) queue_.run_one();
  queue_.take_stop_request();
  queue_.advance_to(target.time);
}

void Machine::write_back() const {
  for (const Bay& bay : bays_) {
    if (bay.image != nullptr) bay.image->flushed(bay.drive->contents());
  }
}

}  // namespace ncqlab::qtest
