#include "model/hba/pci/pci_function.h"

#include <algorithm>

namespace ncqlab::hba {

using namespace pci;  // NOLINT: registers on every line

namespace {

constexpr std::uint32_t kPairBytes = 8;  // index and data

std::uint64_t ones(unsigned bytes) { return bytes >= 8 ? ~0ULL : (1ULL << (8 * bytes)) - 1; }
std::uint32_t lanes_of(unsigned bytes) { return static_cast<std::uint32_t>(ones(bytes)); }

// Calls part(byte of the access, offset, bytes) for each dword that an access touches.
template <class Part>
void for_each_dword(std::uint32_t offset, unsigned bytes, Part part) {
  for (unsigned done = 0; done < bytes && offset + done >= offset;) {
    const unsigned count = std::min(4 - (offset + done) % 4, bytes - done);
    part(done, offset + done, count);
    done += count;
  }
}

}  // namespace

PciFunction::PciFunction(const Parts& parts)
    : queue_(&parts.queue),
      trace_(&parts.trace),
      memory_(&parts.memory),
      host_(&parts.host),
      profile_(parts.profile.pci),
      config_(parts.profile),
      bus_(parts.queue, parts.trace, parts.profile.bus, *this),
      controller_(parts.queue, parts.trace, bus_, parts.frames, parts.profile, *this) {
  apply_messages();
}

std::uint32_t PciFunction::config_read(std::uint32_t offset, unsigned bytes) {
  std::uint32_t value = 0;
  for_each_dword(offset, bytes, [&](unsigned at, std::uint32_t from, unsigned count) {
    value |= read_config_lanes(from, count) << (8 * at);
  });
  trace_->record({queue_->now(), sim::Kind::config_read, 0, offset, value, bytes});
  return value;
}

void PciFunction::config_write(std::uint32_t offset, std::uint32_t value, unsigned bytes) {
  trace_->record({queue_->now(), sim::Kind::config_write, 0, offset, value, bytes});
  for_each_dword(offset, bytes, [&](unsigned at, std::uint32_t from, unsigned count) {
    write_config_lanes(from, value >> (8 * at), count);
  });
}

std::uint32_t PciFunction::read_config_lanes(std::uint32_t offset, unsigned bytes) {
  if (offset >= kConfigBytes) return 0;
  if (in_config_pair(offset)) return read_pair(offset - kINDEX, bytes);
  return config_.read(offset & ~3U) >> (8 * (offset % 4)) & lanes_of(bytes);
}

void PciFunction::write_config_lanes(std::uint32_t offset, std::uint32_t value, unsigned bytes) {
  if (offset >= kConfigBytes) return;
  if (in_config_pair(offset)) return write_pair(offset - kINDEX, value, bytes);
  const bool was_in_d0 = config_.in_d0();
  const unsigned shift = 8 * (offset % 4);
  config_.write(offset & ~3U, value << shift, lanes_of(bytes) << shift);
  if (!was_in_d0 && config_.in_d0()) return reset();
  apply_messages();
}

bool PciFunction::in_config_pair(std::uint32_t offset) const {
  return config_.index_data_in_config() && offset >= kINDEX && offset < kINDEX + kPairBytes;
}

bool PciFunction::decodes(unsigned bar) const {
  return bar < ConfigSpace::kBars && config_.bar_bytes(bar) != 0 && config_.in_d0() &&
         config_.commands(bar == 5 ? kCMD_MSE : kCMD_IOSE);
}

bool PciFunction::contains(unsigned bar, std::uint64_t address, unsigned bytes) const {
  const std::uint64_t base = config_.bar_base(bar);
  return address >= base && address - base <= config_.bar_bytes(bar) - bytes && bytes <= config_.bar_bytes(bar);
}

std::optional<PciFunction::Target> PciFunction::memory_target(std::uint64_t address, unsigned bytes) const {
  if (!decodes(5) || !contains(5, address, bytes)) return std::nullopt;
  return Target{5, static_cast<std::uint32_t>(address - config_.bar_base(5))};
}

std::optional<PciFunction::Target> PciFunction::io_target(std::uint32_t address, unsigned bytes) const {
  for (unsigned bar = 0; bar < 5; ++bar) {
    if (decodes(bar) && contains(bar, address, bytes)) return Target{bar, address - config_.bar_base(bar)};
  }
  return std::nullopt;
}

std::uint64_t PciFunction::read(Target target, unsigned bytes) {
  if (!decodes(target.bar) || target.offset >= config_.bar_bytes(target.bar)) return ones(bytes);
  if (target.bar == 5) return controller_.read(target.offset, bytes);
  if (target.bar < 4) return ones(bytes);
  std::uint64_t value = 0;
  for_each_dword(target.offset, bytes, [&](unsigned at, std::uint32_t from, unsigned count) {
    if (in_io_pair(from)) value |= std::uint64_t{read_pair(from - profile_.index_data_offset_bytes, count)} << (8 * at);
  });
  return value;
}

void PciFunction::write(Target target, std::uint64_t value, unsigned bytes) {
  if (!decodes(target.bar) || target.offset >= config_.bar_bytes(target.bar)) return;
  if (target.bar == 5) return controller_.write(target.offset, value, bytes);
  if (target.bar < 4) return;
  for_each_dword(target.offset, bytes, [&](unsigned at, std::uint32_t from, unsigned count) {
    if (!in_io_pair(from)) return;
    write_pair(from - profile_.index_data_offset_bytes, static_cast<std::uint32_t>(value >> (8 * at)), count);
  });
}

bool PciFunction::in_io_pair(std::uint32_t offset) const {
  return profile_.index_data_pair && offset - profile_.index_data_offset_bytes < kPairBytes;
}

// The index/data pair (2.4.3): the index chooses a dword of the register space, the bytes of the access to the data
// register are those that are accessed there.
std::uint32_t PciFunction::read_pair(std::uint32_t offset, unsigned bytes) {
  if (offset < kPairBytes / 2) return index_ >> (8 * offset) & lanes_of(bytes);
  if (!config_.in_d0()) return lanes_of(bytes);
  return static_cast<std::uint32_t>(controller_.read(index_ + offset % 4, bytes));
}

void PciFunction::write_pair(std::uint32_t offset, std::uint32_t value, unsigned bytes) {
  if (offset < kPairBytes / 2) {
    const std::uint32_t lanes = lanes_of(bytes) << (8 * offset);
    index_ = ((index_ & ~lanes) | (value << (8 * offset) & lanes)) & (config_.bar_bytes(5) - 1) & ~3U;
  } else if (config_.in_d0()) {
    controller_.write(index_ + offset % 4, value & lanes_of(bytes), bytes);
  }
}

void PciFunction::reset() {
  config_.reset();
  index_ = 0;
  controller_.reset_function();
  apply_messages();
}

void PciFunction::apply_messages() {
  const bool messages = config_.msi_enabled();
  controller_.configure_interrupts(messages ? InterruptKind::msi : InterruptKind::intx, config_.messages_requested(),
                                   config_.messages_granted());
  update_line();
}

void PciFunction::level(bool asserted) {
  level_ = asserted;
  update_line();
}

void PciFunction::update_line() {
  config_.set_interrupt_status(level_);
  const bool line = level_ && config_.in_d0() && !config_.commands(kCMD_ID);
  if (line == line_) return;
  line_ = line;
  host_->interrupt_line(line);
}

void PciFunction::message(std::uint32_t vector) {
  if (!config_.in_d0() || !config_.commands(kCMD_BME)) return;
  host_->interrupt_message(config_.message_address(), config_.message_data(vector));
}

host::DmaTarget::Answer PciFunction::access(const host::DmaAccess& access, host::DmaCompletion* completion) {
  if (!config_.in_d0() || !config_.commands(kCMD_BME)) return Answer::error;
  const Answer answer = memory_->access(access, completion);
  if (answer == Answer::error) config_.set_received_master_abort();
  return answer;
}

}  // namespace ncqlab::hba
