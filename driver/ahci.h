// The driver of one AHCI controller. It never blocks: start() begins, and interrupt(), service() and the timer of the
// platform carry on. See platform.h for who may call what when, docs/PORTING.md for a walk through.
//
//   Ahci ahci;                        // about 64 KiB: static, not on a stack
//   ahci.start(platform, options);
//   while (!ahci.settled()) ...;      // the platform delivers interrupts and the timer
//   request.done = ...;
//   ahci.submit(0, request);
//
// The platform calls interrupt() for each interrupt (INTx or single-message MSI), and service() soon after one that
// returned true; interrupt context isn't needed for service().
#pragma once

#include <cstdint>

#include "driver/host.h"
#include "driver/identify.h"
#include "driver/options.h"
#include "driver/platform.h"
#include "driver/port.h"
#include "driver/request.h"

namespace ncqlab::driver {

class Ahci {
 public:
  Ahci() = default;
  Ahci(const Ahci&) = delete;
  Ahci& operator=(const Ahci&) = delete;

  // Once per object. Enables AHCI mode, allocates all memory, and begins taking over and resetting the controller.
  // False: an option out of range, no controller (all ones), or no memory; nothing has been started then.
  // `platform` outlives this object.
  bool start(Platform& platform, const Options& options);

  // Only latches: reads IS and the PxIS named there, clears PxIS, then IS (AHCI 1.3.1, 5.6 and 10.7.1). False: not
  // ours, a shared interrupt line; nothing was written.
  bool interrupt();

  // Does the work: completions, state machines, time-outs, waiting requests, the timer. May be called at any time;
  // called from done() it does nothing.
  void service();

  // Issues the request or lets it wait for a slot. False: refused, request.status says why. A request that is pending
  // already is refused without being touched.
  bool submit(unsigned port, Request& request);

  ControllerState state() const { return state_; }
  // No port is attaching or recovering any more, or the controller has failed.
  bool settled() const;
  std::uint32_t implemented_ports() const { return implemented_; }
  PortState port_state(unsigned port) const;
  // Null unless the port is active or recovering.
  const DeviceInfo* device(unsigned port) const;
  // Commands that may be outstanding on the device: 1 without NCQ. 0 when there is none.
  unsigned depth(unsigned port) const;
  // Null for a port that isn't implemented.
  const PortCounters* counters(unsigned port) const;

 private:
  bool prepare_ports();
  void take_over();
  void poll_taking_over();
  void begin_reset();
  void poll_reset();
  void reset_ended();
  void poll_again();
  void advance();
  void fail(const char* why);
  void handle_latched();
  void handle_timer();
  void publish();
  void arm_timer();

  Host host_;
  ControllerState state_ = ControllerState::stopped;
  std::uint32_t implemented_ = 0;
  std::uint64_t wake_ns_ = kNever;   // of the controller's own state machine
  std::uint64_t limit_ns_ = kNever;  // when the present state is given up
  bool inside_ = false;              // start(), service() or submit() is running
  bool firmware_busy_ = false;

  // Shared with interrupt().
  volatile bool interrupts_on_ = false;
  volatile bool removed_ = false;
  volatile std::uint32_t latched_ports_ = 0;

  Port ports_[kMaxPorts];
};

}  // namespace ncqlab::driver
