#include "model/hba/controller.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "model/hba/capabilities.h"

namespace ncqlab::hba {

namespace {
const ControllerProfile& checked(const ControllerProfile& profile) {
  check_profile(profile);
  return profile;
}
}  // namespace

Controller::Controller(sim::EventQueue& queue, sim::Trace& trace, host::Bus& bus, sata::FramePool& pool,
                       const ControllerProfile& profile, InterruptSink& interrupts)
    : Actor(queue),
      trace_(&trace),
      profile_(checked(profile)),
      interrupts_(queue, trace, profile.interrupt, interrupts),
      registers_(generic_registers(profile)),
      coalescing_(queue, trace, interrupts_, profile.coalescing_interrupt),
      enclosure_(queue, trace, profile.enclosure, profile.capabilities.enclosure_management, registers_[kEM_CTL]),
      handoff_(queue, trace, registers_[kBOHC]) {
  const PortSurroundings surroundings{&queue, &trace, &bus, &pool, &profile_, &interrupts_, &coalescing_};
  for (unsigned i = 0; i < profile_.ports; ++i) {
    const bool implemented = (profile_.ports_implemented >> i & 1) != 0;
    ports_.push_back(implemented ? std::make_unique<Port>(surroundings, i) : nullptr);
  }
}

Controller::~Controller() = default;

Port& Controller::implemented(unsigned port) {
  if (port >= ports_.size() || ports_[port] == nullptr) {
    throw std::out_of_range("controller " + profile_.name + " has no port " + std::to_string(port));
  }
  return *ports_[port];
}

sata::Link& Controller::link(unsigned port) { return implemented(port).link(); }

void Controller::set_mechanical_switch(unsigned port, bool open) { implemented(port).set_mechanical_switch(open); }

std::uint64_t Controller::read(std::uint64_t offset, unsigned bytes) {
  std::uint64_t value = 0;
  if (bytes == 4 && offset % 4 == 0) {
    value = offset < register_space_bytes() ? read_dword(static_cast<std::uint32_t>(offset)) : 0;
  } else {
    value = read_lanes(offset, bytes);
  }
  trace_->record({now(), sim::Kind::register_read, 0, offset, value, bytes});
  return value;
}

std::uint64_t Controller::read_lanes(std::uint64_t offset, unsigned bytes) const {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes && offset + i >= offset;) {
    const std::uint64_t at = offset + i;
    const unsigned lane = at % 4;
    const unsigned count = std::min(4 - lane, bytes - i);
    const std::uint64_t dword = at < register_space_bytes() ? read_dword(static_cast<std::uint32_t>(at - lane)) : 0;
    const std::uint64_t mask = (1ULL << (8 * count)) - 1;
    value |= (dword >> (8 * lane) & mask) << (8 * i);
    i += count;
  }
  return value;
}

void Controller::write(std::uint64_t offset, std::uint64_t value, unsigned bytes) {
  trace_->record({now(), sim::Kind::register_write, 0, offset, value, bytes});
  if (bytes == 4 && offset % 4 == 0) {
    if (offset >= register_space_bytes()) return;
    return write_dword(static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(value), 0xFFFFFFFF);
  }
  for (unsigned i = 0; i < bytes && offset + i >= offset;) {
    const std::uint64_t at = offset + i;
    const unsigned lane = at % 4;
    const unsigned count = std::min(4 - lane, bytes - i);
    const std::uint64_t lanes = ((1ULL << (8 * count)) - 1) << (8 * lane);
    if (at < register_space_bytes()) {
      write_dword(static_cast<std::uint32_t>(at - lane), static_cast<std::uint32_t>((value >> (8 * i)) << (8 * lane)),
                  static_cast<std::uint32_t>(lanes));
    }
    i += count;
  }
}

Port* Controller::port_at(std::uint32_t offset) const {
  const std::uint32_t number = (offset - kPortsBase) / kPortBytes;
  return number < ports_.size() ? ports_[number].get() : nullptr;
}

std::uint32_t Controller::read_dword(std::uint32_t offset) const {
  if (offset < kPortsBase) return registers_.read(*this, offset);
  if (const Port* port = port_at(offset)) return port->read(offset % kPortBytes);
  return enclosure_.contains(offset) ? enclosure_.read(offset) : 0;
}

void Controller::write_dword(std::uint32_t offset, std::uint32_t value, std::uint32_t lanes) {
  if ((registers_[kGHC] & kGHC_HR) != 0) return violation(Violation::access_during_reset, offset);
  if ((registers_[kGHC] & kGHC_AE) == 0 && offset != kGHC) violation(Violation::access_before_ahci_enable, offset);
  if (offset < kPortsBase) return registers_.write(*this, offset, value, lanes);
  if (Port* port = port_at(offset)) return port->write(offset % kPortBytes, value, lanes);
  if (enclosure_.contains(offset)) enclosure_.write(offset, value, lanes);
}

void Controller::violation(Violation code, std::uint64_t detail) {
  trace_->record({now(), sim::Kind::violation, 0, static_cast<std::uint64_t>(code), detail, 0});
}

}  // namespace ncqlab::hba
