// From whatever state the port is in to an identified disk: AHCI 1.3.1, 10.1.2 and 10.4.2.
#include "driver/port.h"
#include "driver/text.h"

namespace ncqlab::driver {
namespace {

constexpr std::uint64_t kEngineStop_ms = 500;                  // AHCI 1.3.1, 10.1.2: for CR and for FR
constexpr std::uint64_t kComresetHold_ns = kMillisecond_ns;    // 10.4.2: at least 1 ms
constexpr std::uint64_t kPresence_ns = 200 * kMillisecond_ns;  // for any sign of a device
constexpr std::uint64_t kLink_ms = 1000;                       // from a sign to communication

bool same(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

bool same_disk(const DeviceInfo& a, const DeviceInfo& b) {
  return a.sectors == b.sectors && a.logical_sector_bytes == b.logical_sector_bytes && same(a.model, b.model) &&
         same(a.serial, b.serial);
}

const char* reason(IdentifyResult result) {
  switch (result) {
    case IdentifyResult::bad_checksum:
      return "IDENTIFY data with a wrong checksum";
    case IdentifyResult::not_ata:
      return "not an ATA disk";
    case IdentifyResult::no_lba48:
      return "a disk without 48-bit addresses";
    case IdentifyResult::no_capacity:
    case IdentifyResult::ok:
      break;
  }
  return "impossible capacity or sector size";
}

}  // namespace

void Port::attach() { stop_engine(); }

void Port::stop_engine() {
  write(kPxIe, 0);
  enter(Step::stop_engine, kEngineStop_ms);
  const std::uint32_t command = read(kPxCmd);
  if (host_->gone(command)) return;
  if ((command & kCmdSt) != 0) {
    write(kPxCmd, command & ~kCmdSt);
    host_->platform->delay_ns(kLongestDelay_ns);  // most engines need no more, which saves a millisecond
  }
  if (!stopped()) poll_again();
}

// FRE may be cleared only when CR is 0 (3.3.7).
void Port::stop_receive() {
  enter(Step::stop_receive, kEngineStop_ms);
  const std::uint32_t command = read(kPxCmd);
  if (host_->gone(command)) return;
  if ((command & kCmdFre) != 0) {
    write(kPxCmd, command & ~kCmdFre);
    host_->platform->delay_ns(kLongestDelay_ns);
  }
  if (!stopped()) poll_again();
}

// Goes on, and returns true, when the engine that is being stopped stands.
bool Port::stopped() {
  const std::uint32_t command = read(kPxCmd);
  if (host_->gone(command)) return true;
  if ((command & (step_ == Step::stop_engine ? kCmdCr : kCmdFr)) != 0) return false;
  if (step_ == Step::stop_engine) {
    settle_outstanding();
    stop_receive();
  } else {
    begin_comreset();
  }
  return true;
}

void Port::poll_stopping() {
  const bool engine = step_ == Step::stop_engine;
  if (stopped()) return;
  if (late()) {
    attempt_failed(engine ? "CR doesn't clear" : "FR doesn't clear");
  } else {
    poll_again();
  }
}

// FRE before COMRESET, or the signature FIS has nowhere to go (10.1.2). POD and SUD only where the port has them.
void Port::begin_comreset() {
  write(kPxClb, static_cast<std::uint32_t>(list_.bus_address));
  write(kPxClbu, static_cast<std::uint32_t>(list_.bus_address >> 32));
  write(kPxFb, static_cast<std::uint32_t>(received_.bus_address));
  write(kPxFbu, static_cast<std::uint32_t>(received_.bus_address >> 32));
  std::uint32_t command = read(kPxCmd) | kCmdFre;
  if ((host_->capabilities & kCapSss) != 0) command |= kCmdSud;
  if ((command & kCmdCpd) != 0) command |= kCmdPod;
  write(kPxCmd, command);
  write(kPxSctl, kSctlNoPower | kSctlReset);
  // The millisecond counts from after the write, and time has passed since this call was entered.
  host_->refresh_now();
  enter(Step::comreset, 0);
  wait_until(host_->now_ns + kComresetHold_ns);
}

void Port::end_comreset() {
  write(kPxSctl, kSctlNoPower);
  enter(Step::link, kLink_ms);
}

void Port::poll_link() {
  const std::uint32_t status = read(kPxSsts);
  if (host_->gone(status)) return;
  const std::uint32_t detection = status & kSstsDetMask;
  if (detection == kDetEstablished) {
    write(kPxSerr, kAllOnes);  // or COMRESET's own changes look like errors (10.4.2)
    enter(Step::ready, host_->options.spin_up_timeout_ms);
    poll_ready();
  } else if (detection == kDetOffline || (detection == kDetNone && host_->now_ns - entered_ns_ >= kPresence_ns)) {
    retire(PortState::absent, Status::device_gone, "no device");
  } else if (late()) {
    attempt_failed("no communication with the device");
  } else {
    poll_again();
  }
}

void Port::poll_ready() {
  const std::uint32_t task_file = read(kPxTfd);
  if (host_->gone(task_file)) return;
  if ((task_file & (kTfdBsy | kTfdDrq)) == 0) {
    start_engine();
  } else if ((read(kPxSsts) & kSstsDetMask) == kDetNone) {
    retire(PortState::absent, Status::device_gone, "the device went away");
  } else if (late()) {
    attempt_failed("the device stays busy");
  } else {
    poll_again();
  }
}

// ST only with BSY and DRQ clear and DET = 3 (10.3.1).
void Port::start_engine() {
  const std::uint32_t signature = read(kPxSig);
  if (signature != kSigAta) {
    Text why;
    why << "signature ";
    why.hex(signature) << " isn't a disk's";
    retire(PortState::unsupported, Status::device_gone, why.c_str());
    return;
  }
  write(kPxSerr, kAllOnes);
  write(kPxIs, kAllOnes);
  host_->platform->mask_interrupt();
  latched_status_ = 0;
  latched_serr_ = 0;
  host_->platform->unmask_interrupt();
  write(kPxIe, kIntEnabled);
  write(kPxCmd, read(kPxCmd) | kCmdSt);
  issue_identify();
}

void Port::issue_identify() {
  step_ = Step::identify;
  queued_now_ = false;
  const unsigned slot = take_slot(nullptr);
  build_identify(identify_.bus_address, header_of(slot), table_of(slot));
  sync_slot(slot, 1);
}

void Port::identified() {
  host_->platform->sync_for_cpu(identify_, 0, kIdentify_bytes);
  DeviceInfo info;
  const IdentifyResult result = parse_identify(static_cast<const std::uint8_t*>(identify_.cpu), info);
  if (result == IdentifyResult::bad_checksum) {
    attempt_failed(reason(result));
  } else if (result != IdentifyResult::ok) {
    retire(PortState::unsupported, Status::device_gone, reason(result));
  } else if (known_ && !same_disk(info, device_)) {
    // Another disk in the old one's place must not be served from the old one's state.
    retire(PortState::dead, Status::device_gone, "another disk answers");
  } else {
    adopt(info);
  }
}

void Port::adopt(const DeviceInfo& info) {
  device_ = info;
  use_ncq_ = host_->options.use_ncq && info.ncq && info.dma && (host_->capabilities & kCapSncq) != 0;
  const unsigned slots = (host_->capabilities >> kCapNcsShift & kCapNcsMask) + 1U;
  depth_ = use_ncq_ ? info.queue_depth : 1;
  if (depth_ > slots) depth_ = slots;
  if (depth_ > host_->options.depth) depth_ = host_->options.depth;
  if (!known_) log_device();
  known_ = true;
  failed_attempts_ = 0;
  step_ = Step::running;
  state_ = PortState::active;
  issue_waiting();
}

void Port::log_device() const {
  Text line;
  line << device_.model << " " << device_.firmware << ", " << device_.sectors << " sectors of "
       << device_.logical_sector_bytes << " bytes, " << (use_ncq_ ? "queue depth " : "not queued, depth ") << depth_;
  log(LogLevel::info, line.c_str());
}

}  // namespace ncqlab::driver
