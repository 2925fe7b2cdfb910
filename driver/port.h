// One port and the disk behind it: attach, I/O, recovery. Driven by Ahci; nothing here blocks or waits.
//
//   attach:    stop engine -> stop FIS receive -> COMRESET -> link -> ready -> IDENTIFY -> running
//   recovery:  the same way from its beginning; the requests are answered, or put back to wait, once the engine stands
//
// A step that doesn't come to its end in time counts as a failed attempt and begins anew; after
// Options::max_attempts in a row the port is dead.
#pragma once

#include <cstdint>

#include "driver/command.h"
#include "driver/fifo.h"
#include "driver/host.h"
#include "driver/identify.h"
#include "driver/options.h"
#include "driver/platform.h"
#include "driver/registers.h"
#include "driver/request.h"

namespace ncqlab::driver {

class Port {
 public:
  // Allocates; false without memory or with memory that the controller can't address.
  bool prepare(Host& host, unsigned number);
  // After HBA reset.
  void attach();
  // False: refused, request.status says why.
  bool submit(Request& request);
  // Makes all commands that submit() and completions have built known to the controller.
  void publish();
  // `status` is PxIS as latched, `serr` PxSERR if it was read.
  void interrupted(std::uint32_t status, std::uint32_t serr);
  // To be called when the time wake_ns() has come.
  void tick();
  std::uint64_t wake_ns() const { return wake_ns_; }
  // The controller is gone: everything is answered with device_gone.
  void controller_gone();

  PortState state() const { return state_; }
  const DeviceInfo* device() const;
  unsigned depth() const { return depth_; }
  const PortCounters& counters() const { return counters_; }

  // The part of Ahci::interrupt(): reads and clears PxIS (and PxSERR where PxIS hangs on it) and remembers.
  void latch();
  // With the interrupt masked.
  void take_latched(std::uint32_t& status, std::uint32_t& serr);

 private:
  enum class Step : std::uint8_t { none, stop_engine, stop_receive, comreset, link, ready, identify, running };

  struct Slot {
    Request* request = nullptr;  // null: the driver's own IDENTIFY
    std::uint64_t deadline_ns = 0;
    std::uint64_t order = 0;  // of issue
  };

  std::uint32_t read(std::uint32_t offset) { return host_->platform->read32(base_ + offset); }
  void write(std::uint32_t offset, std::uint32_t value) { host_->platform->write32(base_ + offset, value); }
  void wait_until(std::uint64_t when_ns);
  void enter(Step step, std::uint64_t limit_ms);
  void poll_again();
  bool late() const { return host_->now_ns >= limit_ns_; }
  void log(LogLevel level, const char* text) const;

  // port_attach.cpp
  void stop_engine();
  void stop_receive();
  bool stopped();
  void poll_stopping();
  void begin_comreset();
  void end_comreset();
  void poll_link();
  void poll_ready();
  void start_engine();
  void issue_identify();
  void identified();
  void adopt(const DeviceInfo& info);
  void log_device() const;

  // port_io.cpp
  Status check(const Request& request, std::uint16_t& prds) const;
  Status check_range(const Request& request) const;
  bool wants_queue(const Request& request) const;
  bool can_issue(const Request& request) const;
  void issue(Request& request);
  unsigned take_slot(Request* request);
  void build(Request& request, unsigned slot);
  void issue_waiting();
  void collect_finished();
  void finish(unsigned slot, Status status);
  void tick_running();
  std::uint32_t expired() const;
  CommandHeader& header_of(unsigned slot) { return static_cast<CommandHeader*>(list_.cpu)[slot]; }
  std::size_t table_offset(unsigned slot) const { return std::size_t{slot} * table_stride_; }
  CommandTable& table_of(unsigned slot);
  void sync_slot(unsigned slot, std::uint32_t prds);

  // port_recovery.cpp
  void count_errors(std::uint32_t status);
  void handle_error(std::uint32_t status, std::uint32_t serr);
  void recover(Status answer, std::uint32_t culprits);
  void settle_outstanding();
  void put_back(std::uint32_t slots);
  void attempt_failed(const char* why);
  void retire(PortState state, Status answer, const char* why);
  void answer_all(Status answer);

  Host* host_ = nullptr;
  unsigned number_ = 0;
  std::uint32_t base_ = 0;
  std::uint32_t table_stride_ = 0;
  DmaMemory list_;
  DmaMemory received_;
  DmaMemory tables_;
  DmaMemory identify_;

  PortState state_ = PortState::not_implemented;
  Step step_ = Step::none;
  bool known_ = false;       // device_ holds the disk that was attached first
  bool queued_now_ = false;  // the commands in slots are queued ones
  bool use_ncq_ = false;
  Status culprits_answer_ = Status::error;
  std::uint8_t fault_status_ = 0;  // PxTFD at the fault
  std::uint8_t fault_error_ = 0;
  unsigned depth_ = 0;
  unsigned failed_attempts_ = 0;
  std::uint64_t wake_ns_ = kNever;
  std::uint64_t limit_ns_ = kNever;
  std::uint64_t entered_ns_ = 0;

  std::uint32_t issued_ = 0;       // slots in use
  std::uint32_t unpublished_ = 0;  // of these, not yet written to PxSACT and PxCI
  std::uint32_t culprits_ = 0;     // of these, to be answered with the fault
  std::uint64_t next_order_ = 0;
  Slot slots_[kMaxSlots];
  RequestFifo waiting_;
  DeviceInfo device_;
  PortCounters counters_;

  // Shared with the interrupt.
  volatile std::uint32_t latched_status_ = 0;
  volatile std::uint32_t latched_serr_ = 0;
};

}  // namespace ncqlab::driver
