#include "testbench/oracle/port_legality.h"

#include <string>

#include "testbench/oracle/record_text.h"
#include "testbench/oracle/words.h"

namespace ncqlab::oracle {

namespace {

// AHCI 1.3.1, 3.3.
constexpr std::uint64_t kPxClb = 0x00;
constexpr std::uint64_t kPxClbu = 0x04;
constexpr std::uint64_t kPxFb = 0x08;
constexpr std::uint64_t kPxFbu = 0x0C;
constexpr std::uint64_t kPxCmd = 0x18;
constexpr std::uint64_t kPxSact = 0x34;
constexpr std::uint64_t kPxCi = 0x38;
constexpr std::uint64_t kPxFbs = 0x40;
constexpr std::uint32_t kCmdStart = 1U << 0;
constexpr std::uint32_t kCmdFisReceive = 1U << 4;
constexpr std::uint32_t kFbsEnable = 1U << 0;
constexpr std::uint32_t kFbsDeviceErrorClear = 1U << 1;

constexpr std::uint64_t kDetection = 0xF;  // SStatus.DET
constexpr std::uint64_t kPhyReady = 3;
constexpr unsigned kPower_shift = 8;  // SStatus.IPM

constexpr std::uint32_t kDataHeader_bytes = 4;
constexpr std::uint32_t kMaxData_bytes = 8196;

// SATA 3.x, 10.5: bytes of each FIS by its type; 0 for Data, whose length varies, and for what is no type.
constexpr auto make_lengths() {
  std::array<std::uint8_t, 256> lengths{};
  lengths[static_cast<std::size_t>(sata::FisType::register_h2d)] = 20;
  lengths[static_cast<std::size_t>(sata::FisType::register_d2h)] = 20;
  lengths[static_cast<std::size_t>(sata::FisType::set_device_bits)] = 8;
  lengths[static_cast<std::size_t>(sata::FisType::dma_activate)] = 4;
  lengths[static_cast<std::size_t>(sata::FisType::dma_setup)] = 28;
  lengths[static_cast<std::size_t>(sata::FisType::bist_activate)] = 12;
  lengths[static_cast<std::size_t>(sata::FisType::pio_setup)] = 20;
  return lengths;
}
constexpr auto kLengths = make_lengths();

bool right_length(const sata::FisRecord& fis) {
  const std::uint32_t bytes = fis.bytes();
  if (fis.is(sata::FisType::data)) return bytes > kDataHeader_bytes && bytes <= kMaxData_bytes && bytes % 4 == 0;
  return bytes == kLengths[fis.type()];
}

std::string text_of_fis(const sata::FisRecord& fis) { return std::string(fis_name(fis.type())) + " FIS"; }

std::uint32_t payload_of(const sata::FisRecord& fis) {
  return fis.bytes() < kDataHeader_bytes ? 0 : fis.bytes() - kDataHeader_bytes;
}

}  // namespace

void PortLegality::register_written(std::uint64_t offset, std::uint32_t value, Complaints& complain) {
  switch (offset) {
    case kPxClb:
    case kPxClbu:
      if (started_) complain("command list base written while PxCMD.ST is 1 (AHCI 1.3.1, 10.3)");
      break;
    case kPxFb:
    case kPxFbu:
      if (fis_receive_) complain("FIS base written while PxCMD.FRE is 1 (AHCI 1.3.1, 10.3)");
      break;
    case kPxCmd:
      command_written(value, complain);
      break;
    case kPxSact:
      active_written(value, complain);
      break;
    case kPxCi:
      issue_written(value, complain);
      break;
    case kPxFbs:
      fbs_ = (value & kFbsEnable) != 0;
      fbs_device_ = value >> 8 & 0xF;
      if ((value & kFbsDeviceErrorClear) != 0) {
        for (DeviceLegality& device : devices_) device.recovered();
      }
      break;
    default:
      break;
  }
}

void PortLegality::register_read(std::uint64_t offset, std::uint32_t value) {
  // What the controller has cleared is done, except for queued ones: their PxCI bit goes when they are accepted.
  Tags& tags = tags_of(fbs_device_);
  if (offset == kPxCi) tags.issued &= value | tags.active;
}

void PortLegality::command_written(std::uint32_t value, Complaints& complain) {
  const bool start = (value & kCmdStart) != 0;
  const bool fis_receive = (value & kCmdFisReceive) != 0;
  if (start && !started_ && !fis_receive) complain("PxCMD.ST set while PxCMD.FRE is 0 (AHCI 1.3.1, 10.3.1)");
  if (started_ && fis_receive_ && !fis_receive) complain("PxCMD.FRE cleared while PxCMD.ST is 1 (AHCI 1.3.1, 3.3.7)");
  if (started_ && !start) {  // clears PxCI and PxSACT (3.3.13, 3.3.14)
    tags_.fill({});
    for (DeviceLegality& device : devices_) device.recovered();
  }
  started_ = start;
  fis_receive_ = fis_receive;
}

void PortLegality::active_written(std::uint32_t value, Complaints& complain) {
  Tags& tags = tags_of(fbs_device_);
  if (value == 0) return;
  if (!started_) {
    complain("PxSACT written while PxCMD.ST is 0 (AHCI 1.3.1, 3.3.13)");
    return;
  }
  if ((value & tags.active) != 0) complain("PxSACT written for a tag that is outstanding");
  if ((value & tags.issued & ~tags.active) != 0) complain("PxSACT written after PxCI (AHCI 1.3.1, 3.3.13)");
  tags.active |= value;
}

void PortLegality::issue_written(std::uint32_t value, Complaints& complain) {
  Tags& tags = tags_of(fbs_device_);
  if (value == 0) return;
  if (!started_) {
    complain("PxCI written while PxCMD.ST is 0 (AHCI 1.3.1, 3.3.14)");
    return;
  }
  if ((value & tags.outstanding()) != 0) complain("PxCI written for a slot whose queued command is outstanding");
  tags.issued |= value;
}

void PortLegality::check_frame(const sata::FisRecord& fis, Complaints& complain) const {
  if (silence_ == Silence::phy_down) complain(text_of_fis(fis) + " while the PHY is down");
  if (silence_ == Silence::low_power) {
    complain(text_of_fis(fis) + " while the link is in a low power state (SATA 3.x, clause 8)");
  }
  if (!right_length(fis)) complain(text_of_fis(fis) + " of " + bytes_text(fis.bytes()) + " (SATA 3.x, 10.5)");
}

// True for the second coming of a frame that had its effect already.
bool PortLegality::repeated(const sata::FisRecord& fis, sata::Direction direction) {
  LastFrame& last = last_frames_[static_cast<std::size_t>(direction)];
  const bool again = last.comes_again && last.head == fis.head();
  last = {fis.head(), false};
  return again;
}

void PortLegality::fis_to_device(const sata::FisRecord& fis, Complaints& complain) {
  if (silence_ != Silence::none || !right_length(fis)) check_frame(fis, complain);
  if (repeated(fis, sata::Direction::to_device)) return;
  DeviceLegality& device = devices_[fis.pm_port()];
  Tags& tags = tags_of(fis.pm_port());
  switch (static_cast<sata::FisType>(fis.type())) {
    case sata::FisType::register_h2d:
      if (awaits_signature_ && fis.command_bit()) complain("Register H2D before the device's signature");
      return device.register_h2d(fis, tags, complain);
    case sata::FisType::data:
      return device.data_to_device(payload_of(fis), tags, complain);
    case sata::FisType::bist_activate:
      return;
    default:
      complain(text_of_fis(fis) + " (type " + hex(fis.type()) + ") to a device");
  }
}

void PortLegality::fis_to_host(const sata::FisRecord& fis, Complaints& complain) {
  if (silence_ != Silence::none || !right_length(fis)) check_frame(fis, complain);
  if (repeated(fis, sata::Direction::to_host)) return;
  DeviceLegality& device = devices_[fis.pm_port()];
  Tags& tags = tags_of(fis.pm_port());
  if (awaits_signature_) {
    awaits_signature_ = false;
    if (fis.is(sata::FisType::register_d2h)) return check_signature(fis, complain);
    complain(text_of_fis(fis) + " before the device's signature (SATA 3.x, 11.2)");
  }
  switch (static_cast<sata::FisType>(fis.type())) {
    case sata::FisType::register_d2h:
      return device.register_d2h(fis, tags, complain);
    case sata::FisType::dma_activate:
      return device.dma_activate(complain);
    case sata::FisType::dma_setup:
      return device.dma_setup(fis, complain);
    case sata::FisType::data:
      return device.data_to_host(payload_of(fis), tags, complain);
    case sata::FisType::pio_setup:
      return device.pio_setup(fis, tags, complain);
    case sata::FisType::set_device_bits:
      return device.set_device_bits(fis, tags, complain);
    case sata::FisType::bist_activate:
      return;
    default:
      complain(text_of_fis(fis) + " (type " + hex(fis.type()) + ") to the host");
  }
}

void PortLegality::phy(std::uint32_t status, sata::PhyStep step) {
  switch (step) {
    case sata::PhyStep::power: {
      const auto power = static_cast<sata::LinkPower>(status >> kPower_shift & 0xF);
      silence_ = power == sata::LinkPower::active ? Silence::none : Silence::low_power;
      return;
    }
    case sata::PhyStep::recovered:  // nobody was reset
      silence_ = Silence::none;
      return;
    default:
      awaits_signature_ = (status & kDetection) == kPhyReady;
      silence_ = awaits_signature_ ? Silence::none : Silence::phy_down;
      last_frames_ = {};
      for (DeviceLegality& device : devices_) device.hardware_reset();
  }
}

void PortLegality::link_error(sata::FisType type, unsigned pm_port, sata::Direction direction, sata::Damage damage) {
  if (type == sata::FisType::data) {
    devices_[pm_port % kDevices].data_lost();
  } else if (damage == sata::Damage::handshake || damage == sata::Damage::refused) {
    last_frames_[static_cast<std::size_t>(direction)].comes_again = true;
  }
}

}  // namespace ncqlab::oracle
