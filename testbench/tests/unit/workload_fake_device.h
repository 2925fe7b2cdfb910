// A disk for tests of what lies above it: serves one command after the other in a fixed time each, and keeps a log.
#pragma once

#include <deque>
#include <vector>

#include "model/sim/actor.h"
#include "testbench/workload/block_device.h"

namespace ncqlab::workload {

class FakeDevice final : public BlockDevice, private sim::Actor {
 public:
  struct Served {
    IoKind kind;
    std::uint64_t lba;
    std::uint32_t sectors;
    sim::Time given;  // to the driver
    bool operator==(const Served& other) const {
      return kind == other.kind && lba == other.lba && sectors == other.sectors && given == other.given;
    }
  };

  FakeDevice(sim::EventQueue& events, std::uint64_t capacity_sectors, sim::Time service_time)
      : Actor(events), capacity_sectors_(capacity_sectors), service_time_(service_time) {}

  void set_client(BlockDeviceClient* client) override { client_ = client; }
  void submit(Io& command) override {
    log.push_back({command.kind, command.lba, command.sectors, now()});
    waiting_.push_back(&command);
    if (waiting_.size() > deepest) deepest = waiting_.size();
    if (waiting_.size() == 1) post_after<&FakeDevice::served>(service_time_);
  }
  void wake_at(sim::Time when, std::uint64_t user) override { post_at<&FakeDevice::woken>(when, user); }
  sim::Time now() const override { return Actor::now(); }
  std::uint64_t capacity_sectors() const override { return capacity_sectors_; }

  std::vector<Served> log;
  std::size_t deepest = 0;            // commands in the driver's hands at most
  std::uint64_t failing_lba = ~0ULL;  // a command that starts here fails

 private:
  void served(std::uint64_t) {
    Io& command = *waiting_.front();
    waiting_.pop_front();
    if (!waiting_.empty()) post_after<&FakeDevice::served>(service_time_);
    command.ok = command.lba != failing_lba;
    command.completed = now();
    client_->command_completed(command);
  }
  void woken(std::uint64_t user) { client_->device_woken(user); }

  std::uint64_t capacity_sectors_;
  sim::Time service_time_;
  BlockDeviceClient* client_ = nullptr;
  std::deque<Io*> waiting_;
};

inline void run_all(sim::EventQueue& events) {
  while (events.run_one()) {
  }
}

}  // namespace ncqlab::workload
