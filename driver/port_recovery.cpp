// What happens after an error: AHCI 1.3.1, 6.2.2. The port is stopped, what was at fault is answered, the rest is put
// back to wait, and the port goes the way of attaching, with a COMRESET in it, once more.
#include "driver/port.h"
#include "driver/text.h"

namespace ncqlab::driver {
namespace {

// How often a request that was not at fault is issued again after somebody else's fault.
constexpr std::uint8_t kMostReissues = 3;

}  // namespace

void Port::count_errors(std::uint32_t status) {
  if ((status & kIntTfes) != 0) ++counters_.task_file_errors;
  if ((status & kIntInterface) != 0) ++counters_.interface_errors;
  if ((status & kIntInfs) != 0) ++counters_.non_fatal_interface_errors;
  if ((status & kIntHostBus) != 0) ++counters_.host_bus_errors;
  if ((status & kIntLink) != 0) ++counters_.link_changes;
  if ((status & kIntUfs) != 0) ++counters_.unknown_fis;
}

// Queued commands that are done by now are good: only the bit of a failed one stays in PxSACT. Which of the remaining
// ones failed isn't asked here, so all count as culprits. A single command is the culprit, whatever PxCI says of it.
// A link change is nobody's fault.
void Port::handle_error(std::uint32_t status, std::uint32_t serr) {
  const std::uint32_t task_file = read(kPxTfd);
  if (host_->gone(task_file)) return;
  Text line;
  line << "error, PxIS ";
  line.hex(status) << " PxSERR ";
  line.hex((status & kIntThroughSerr) != 0 ? serr : read(kPxSerr)) << " PxTFD ";
  line.hex(task_file);
  log(LogLevel::warning, line.c_str());

  if (queued_now_) collect_finished();
  const bool device_says = (status & kIntTfes) != 0 && !queued_now_;
  fault_status_ = device_says ? static_cast<std::uint8_t>(task_file) : 0;
  fault_error_ = device_says ? static_cast<std::uint8_t>(task_file >> 8) : 0;
  recover(Status::error, (status & kIntLink) != 0 ? 0 : issued_);
}

// `culprits` will get `answer`. Commands that the controller hasn't been told of can't be among them.
void Port::recover(Status answer, std::uint32_t culprits) {
  if (step_ == Step::identify) {
    attempt_failed("IDENTIFY failed");
    return;
  }
  ++counters_.recoveries;
  state_ = PortState::recovering;
  culprits_ = culprits & ~unpublished_;
  culprits_answer_ = answer;
  unpublished_ = 0;
  stop_engine();
}

// The engine stands: no buffer is touched any more.
void Port::settle_outstanding() {
  std::uint32_t worn_out = 0;
  for (std::uint32_t left = issued_ & ~culprits_; left != 0; left &= left - 1) {
    const unsigned slot = lowest_bit(left);
    const Request* request = slots_[slot].request;
    if (request != nullptr && request->driver.reissues == kMostReissues) worn_out |= bit(slot);
  }
  const std::uint32_t culprits = culprits_ & issued_;
  culprits_ = 0;
  put_back(issued_ & ~culprits & ~worn_out);
  for (std::uint32_t left = culprits | worn_out; left != 0; left &= left - 1) {
    const unsigned slot = lowest_bit(left);
    const bool culprit = (culprits & bit(slot)) != 0;
    if (Request* request = slots_[slot].request; culprit && request != nullptr) {
      request->ata_status = fault_status_;
      request->ata_error = fault_error_;
    }
    finish(slot, culprit ? culprits_answer_ : Status::error);
  }
}

// To the head of the FIFO, in the order in which they had been issued.
void Port::put_back(std::uint32_t slots) {
  issued_ &= ~slots;
  while (slots != 0) {
    unsigned latest = lowest_bit(slots);
    for (std::uint32_t left = slots; left != 0; left &= left - 1) {
      const unsigned slot = lowest_bit(left);
      if (slots_[slot].order > slots_[latest].order) latest = slot;
    }
    slots &= ~bit(latest);
    Request* request = slots_[latest].request;
    if (request == nullptr) continue;
    ++request->driver.reissues;
    waiting_.push_front(*request);
  }
}

void Port::attempt_failed(const char* why) {
  ++failed_attempts_;
  ++counters_.failed_attempts;
  unpublished_ = 0;
  log(LogLevel::warning, why);
  if (failed_attempts_ >= host_->options.max_attempts) {
    retire(PortState::dead, Status::device_gone, "given up");
  } else {
    stop_engine();
  }
}

// The end of this port. When the engine couldn't be stopped the controller may still touch buffers: only an HBA reset
// would end that, and it would hit the other ports.
void Port::retire(PortState state, Status answer, const char* why) {
  if (!host_->controller_gone) {
    write(kPxIe, 0);
    write(kPxCmd, read(kPxCmd) & ~kCmdSt);
  }
  step_ = Step::none;
  state_ = state;
  wake_ns_ = kNever;
  unpublished_ = 0;
  depth_ = 0;
  log(state == PortState::absent ? LogLevel::info : LogLevel::error, why);
  answer_all(answer);
}

// Nothing can be added meanwhile: submit() refuses in this state.
void Port::answer_all(Status answer) {
  for (std::uint32_t left = issued_; left != 0; left &= left - 1) finish(lowest_bit(left), answer);
  while (!waiting_.empty()) {
    Request& request = waiting_.pop_front();
    request.status = answer;
    if (request.done != nullptr) request.done(request);
  }
}

}  // namespace ncqlab::driver
