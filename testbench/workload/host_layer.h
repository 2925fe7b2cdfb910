// What an operating system puts between processes and a disk's driver: the time that a process needs from its wake to
// its next request, splitting of requests that are too long for one command, an elevator, and the number of commands
// that the driver takes at a time.
//
//   processes (Workload) --Io--> HostLayer: overhead -> split -> elevator -> depth --commands--> BlockDevice
//
//   HostOptions options;
//   options.queue_depth = 31;
//   HostLayer host(device, options);
//   host.start(workload);      // then run the machine until workload.finished()
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "model/sim/random.h"
#include "model/sim/time.h"
#include "testbench/workload/block_device.h"
#include "testbench/workload/elevator.h"

namespace ncqlab::workload {

inline constexpr std::uint32_t kSector_bytes = 512;
inline constexpr std::uint32_t kMaxCommand_sectors = 65536;  // ACS-3: a count of 0 in a 48-bit command

struct HostOptions {
  Elevator elevator = Elevator::fifo;
  // A longer request becomes several commands, which are queued together in order of LBA. A multiple of 512.
  std::uint32_t max_request_bytes = kMaxCommand_sectors * kSector_bytes;
  unsigned queue_depth = 1;  // commands in the driver's hands at a time: 1 without NCQ, 31 or 32 with
  // From Target::submit() (the process was woken) to the request's entry into the queue, drawn uniformly from
  // overhead * (1 - jitter) to overhead * (1 + jitter). Jitter keeps deterministic workloads from locking in phase
  // with the rotation of the disk.
  sim::Time overhead = 0;
  double jitter = 0;
  std::uint64_t seed = 1;  // of the jitter's stream "host/jitter"
};

class HostLayer final : public Target, private BlockDeviceClient {
 public:
  // Throws std::invalid_argument for a depth of 0, a max_request_bytes that is 0, no multiple of 512 or more than
  // kMaxCommand_sectors, an overhead below 0, or a jitter outside 0..1.
  HostLayer(BlockDevice& device, const HostOptions& options);

  // Makes itself the device's client and starts the workload.
  void start(Workload& workload);

  // Io::submitted is the time of the entry into the queue: the overhead before it is the process's own time.
  void submit(Io& io) override;
  void wake_at(sim::Time when, std::uint64_t user) override;
  sim::Time now() const override { return device_->now(); }
  std::uint64_t capacity_sectors() const override { return device_->capacity_sectors(); }

  std::size_t queued() const { return queue_.size(); }
  unsigned in_driver() const { return in_driver_; }

 private:
  struct Request {
    Io* io = nullptr;
    std::uint32_t pieces_left = 0;
    bool ok = true;
  };
  struct Wake {
    bool is_entry = false;  // of `value` as a request's index; otherwise the workload's wake
    std::uint64_t value = 0;
  };

  void command_completed(Io& command) override;
  void device_woken(std::uint64_t user) override;
  void enter(std::uint32_t request);
  void fill_driver();
  void wake_device_at(sim::Time when, Wake wake);
  Io& new_piece();
  sim::Time next_overhead();

  BlockDevice* device_;
  HostOptions options_;
  sim::Stream jitter_;
  RequestQueue queue_;
  Workload* workload_ = nullptr;
  unsigned in_driver_ = 0;

  std::vector<Request> requests_;
  std::vector<std::uint32_t> free_requests_;
  std::vector<Wake> wakes_;
  std::vector<std::uint32_t> free_wakes_;
  std::deque<Io> pieces_;  // a deque: commands stay where they are
  std::vector<Io*> free_pieces_;
};

}  // namespace ncqlab::workload
