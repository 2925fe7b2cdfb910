// What the host layer drives: one disk behind one driver, one Io a command.
//
// An Io given to a BlockDevice is one command: at most 65536 sectors (ACS-3, 7.x: a 48-bit count of 0), and no more
// than the driver's own limit. Like Target it is event driven; the difference is that a BlockDevice neither queues
// beyond what the driver accepts, nor splits, nor sorts. That is the host layer's work.
#pragma once

#include "testbench/workload/target.h"

namespace ncqlab::workload {

class BlockDeviceClient {
 public:
  // `command` is answered; ok and completed are set. It may be given to the device again in this call.
  virtual void command_completed(Io& command) = 0;
  virtual void device_woken(std::uint64_t user) = 0;

 protected:
  ~BlockDeviceClient() = default;
};

class BlockDevice {
 public:
  // Set once, before the first command.
  virtual void set_client(BlockDeviceClient* client) = 0;
  // Gives one command to the driver. It is the submitter's, stays where it is until command_completed(), and is never
  // answered inside this call. The submitter keeps within the queue depth that the driver offers.
  virtual void submit(Io& command) = 0;
  // BlockDeviceClient::device_woken(user) is called at `when` (now or later), never inside this call.
  virtual void wake_at(sim::Time when, std::uint64_t user) = 0;
  virtual sim::Time now() const = 0;
  virtual std::uint64_t capacity_sectors() const = 0;

 protected:
  ~BlockDevice() = default;
};

}  // namespace ncqlab::workload
