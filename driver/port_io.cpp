// Requests in, commands out, completions back: AHCI 1.3.1, 5.3 and 5.5.
#include "driver/port.h"

namespace ncqlab::driver {

Status Port::check_range(const Request& request) const {
  if (request.sectors == 0 || request.sectors > kMaxSectors || request.lba >= device_.sectors ||
      request.sectors > device_.sectors - request.lba) {
    return Status::bad_range;
  }
  return Status::ok;
}

// `ok`, or why this request can't be carried out. Otherwise the number of its PRDs.
Status Port::check(const Request& request, std::uint16_t& prds) const {
  if (state_ != PortState::active && state_ != PortState::recovering) return Status::not_ready;
  prds = 0;
  if (request.operation == Operation::flush) return Status::ok;
  const Status range = check_range(request);
  if (range != Status::ok) return range;
  // Only WRITE DMA FUA EXT and the queued commands have it.
  if (request.force_unit_access && !wants_queue(request)) {
    const bool possible = request.operation == Operation::write && device_.dma && device_.write_dma_fua;
    if (!possible) return Status::unsupported;
  }
  const ScatterSize size = measure(request.segments, request.segment_count, host_->highest_address());
  if (!size.legal) return Status::bad_segments;
  if (size.bytes != std::uint64_t{request.sectors} * device_.logical_sector_bytes) return Status::bad_segments;
  if (size.prds > host_->options.max_prds) return Status::too_many_segments;
  prds = static_cast<std::uint16_t>(size.prds);
  return Status::ok;
}

bool Port::wants_queue(const Request& request) const {
  return use_ncq_ && request.operation != Operation::flush && request.queueing == Queueing::automatic;
}

bool Port::submit(Request& request) {
  if (request.status == Status::pending) return false;
  std::uint16_t prds = 0;
  const Status status = check(request, prds);
  if (status != Status::ok) {
    request.status = status;
    return false;
  }
  request.status = Status::pending;
  request.ata_status = 0;
  request.ata_error = 0;
  request.driver.prds = prds;
  request.driver.reissues = 0;
  request.driver.queued = wants_queue(request);
  if (waiting_.empty() && can_issue(request)) {
    issue(request);
  } else {
    waiting_.push_back(request);
  }
  return true;
}

// Queued commands and others never together on a device (ACS-3, 4.16.1); of the others one at a time. Requests leave
// the FIFO strictly in order, so each kind drains the other and none starves.
bool Port::can_issue(const Request& request) const {
  if (step_ != Step::running) return false;
  if (issued_ == 0) return true;
  return request.driver.queued && queued_now_ && (low_bits(depth_) & ~issued_) != 0;
}

void Port::issue_waiting() {
  while (!waiting_.empty() && can_issue(*waiting_.front())) issue(waiting_.pop_front());
}

void Port::issue(Request& request) {
  queued_now_ = request.driver.queued;
  const unsigned slot = take_slot(&request);
  build(request, slot);
}

// The lowest free slot; its number is the tag. One is free: can_issue() was asked.
unsigned Port::take_slot(Request* request) {
  const unsigned slot = lowest_bit(~issued_);
  const std::uint64_t deadline = host_->now_ns + host_->options.command_timeout_ms * kMillisecond_ns;
  slots_[slot] = Slot{request, deadline, next_order_++};
  issued_ |= bit(slot);
  unpublished_ |= bit(slot);
  host_->unpublished_ports |= bit(number_);
  ++counters_.commands;
  // All time-outs are equally long: an earlier command's deadline comes first, and is looked at first.
  if (deadline < wake_ns_) wait_until(deadline);
  return slot;
}

void Port::build(Request& request, unsigned slot) {
  build_command(request, device_.dma, slot, header_of(slot), table_of(slot));
  sync_slot(slot, request.driver.prds);
}

CommandTable& Port::table_of(unsigned slot) {
  return *reinterpret_cast<CommandTable*>(static_cast<std::uint8_t*>(tables_.cpu) + table_offset(slot));
}

void Port::sync_slot(unsigned slot, std::uint32_t prds) {
  host_->platform->sync_for_device(tables_, table_offset(slot), sizeof(CommandTable) + prds * sizeof(Prd));
  host_->platform->sync_for_device(list_, slot * sizeof(CommandHeader), sizeof(CommandHeader));
}

// PxSACT before PxCI: the tag must be known as outstanding when its command is sent (3.3.13, 5.5.1).
void Port::publish() {
  host_->unpublished_ports &= ~bit(number_);
  if (unpublished_ == 0) return;
  host_->platform->write_barrier();
  if (queued_now_) write(kPxSact, unpublished_);
  write(kPxCi, unpublished_);
  unpublished_ = 0;
}

// A queued command is finished when its bit in PxSACT is clear, any other when its bit in PxCI is. Bits of slots that
// were never issued mean nothing.
void Port::collect_finished() {
  const std::uint32_t published = issued_ & ~unpublished_;
  if (published == 0) return;
  const std::uint32_t active = read(queued_now_ ? kPxSact : kPxCi);
  if (host_->gone(active)) return;
  for (std::uint32_t finished = published & ~active; finished != 0; finished &= finished - 1) {
    finish(lowest_bit(finished), Status::ok);
  }
}

void Port::finish(unsigned slot, Status status) {
  issued_ &= ~bit(slot);
  Request* request = slots_[slot].request;
  if (request == nullptr) {
    if (status == Status::ok) identified();
    return;
  }
  request->status = status;
  if (request->done != nullptr) request->done(*request);
}

std::uint32_t Port::expired() const {
  std::uint32_t slots = 0;
  for (std::uint32_t left = issued_; left != 0; left &= left - 1) {
    const unsigned slot = lowest_bit(left);
    if (slots_[slot].deadline_ns <= host_->now_ns) slots |= bit(slot);
  }
  return slots;
}

// A deadline has come, of a command that is still there or of one long finished. Before a reset is made the driver
// looks whether only the interrupt was lost.
void Port::tick_running() {
  std::uint32_t late_slots = expired();
  if (late_slots != 0) {
    collect_finished();
    if (host_->controller_gone || (step_ != Step::identify && step_ != Step::running)) return;
    const std::uint32_t still_late = expired();
    counters_.lost_interrupts += bit_count(late_slots & ~still_late);
    late_slots = still_late;
  }
  if (late_slots != 0) {
    counters_.timeouts += bit_count(late_slots);
    fault_status_ = 0;
    fault_error_ = 0;
    log(LogLevel::warning, "command time-out");
    recover(Status::timeout, late_slots);
    return;
  }
  for (std::uint32_t left = issued_; left != 0; left &= left - 1) {
    const std::uint64_t deadline = slots_[lowest_bit(left)].deadline_ns;
    if (deadline < wake_ns_) wait_until(deadline);
  }
  issue_waiting();
}

}  // namespace ncqlab::driver
