// One disk behind the driver core, as the block device that workloads load: buffers in guest memory, the data oracle
// around every request, the completion record in the trace.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "driver/ahci.h"
#include "testbench/lab/cpu.h"
#include "testbench/oracle/completion_oracle.h"
#include "testbench/oracle/data_oracle.h"
#include "testbench/workload/block_device.h"

namespace ncqlab::lab {

class DriverDisk final : public workload::BlockDevice, private InProcessCpu::Sleeper {
 public:
  // The drive on `port` of the CPU's machine, whose driver has attached it.
  DriverDisk(InProcessCpu& cpu, unsigned port);

  void set_client(workload::BlockDeviceClient* client) override { client_ = client; }
  void submit(workload::Io& command) override;
  void wake_at(sim::Time when, std::uint64_t user) override { cpu_.wake_at(when, *this, user); }
  sim::Time now() const override { return cpu_.machine().queue().now(); }
  std::uint64_t capacity_sectors() const override;

  // Data of read requests that were wrong, requests answered twice, never, or with an error: text, empty when all is
  // well. Call at the end of a run.
  std::vector<std::string> findings();
  std::uint64_t sectors_checked() const { return data_.sectors_checked(); }

 private:
  struct Slot {
    DriverDisk* disk = nullptr;
    driver::Request request;
    workload::Io* io = nullptr;
    host::ScatteredBlock buffer;
    std::vector<driver::Segment> segments;
    oracle::WriteTicket write;
    oracle::ReadTicket read;
    std::uint64_t number = 0;
    std::uint64_t index = 0;
  };

  // What the driver refuses (its device is gone) is answered later all the same: never inside submit().
  struct Refusals final : InProcessCpu::Sleeper {
    explicit Refusals(DriverDisk& d) : disk(d) {}
    void wake(std::uint64_t slot) override { disk.answered(disk.slots_[slot]); }
    DriverDisk& disk;
  };

  static void done(driver::Request& request);
  void answered(Slot& slot);
  void prepare_buffer(Slot& slot, std::uint32_t bytes);
  // The caller's side of the seam's ordering: only memory without coherence needs it.
  void sync_buffer_for_device(const Slot& slot);
  void sync_buffer_for_cpu(const Slot& slot);
  Slot& take_slot();
  void wake(std::uint64_t user) override { client_->device_woken(user); }

  InProcessCpu& cpu_;
  unsigned port_;
  std::uint64_t capacity_sectors_ = 0;
  workload::BlockDeviceClient* client_ = nullptr;
  std::deque<Slot> slots_;  // a deque: the driver holds pointers into it
  std::vector<Slot*> free_slots_;
  oracle::DataOracle data_;
  oracle::CompletionOracle completions_;
  Refusals refusals_{*this};
  std::uint64_t failed_ = 0;
  std::string first_failure_;
};

}  // namespace ncqlab::lab
