#include "testbench/oracle/port_legality.h"

#include <string>

#include "testbench/oracle/record_text.h"

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

// SATA 3.x, 10.5: bytes of each FIS with its type; 0 for Data, whose length varies.
std::uint64_t length_of(std::uint64_t type) {
  switch (type) {
    case 0x27:
    case 0x34:
    case 0x5F:
      return 20;
    case 0x39:
      return 4;
    case 0x41:
      return 28;
    case 0x58:
      return 12;
    case 0xA1:
      return 8;
    default:
      return 0;
  }
}

constexpr std::uint64_t kRegisterH2d = 0x27;
constexpr std::uint64_t kData = 0x46;

unsigned device_of(std::uint64_t head) { return static_cast<unsigned>(head >> 8 & 0xF); }

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

void PortLegality::check_length(std::uint64_t type, std::uint64_t bytes, Complaints& complain) const {
  if (phy_down_) complain(std::string(fis_name(type)) + " FIS while the PHY is down");
  const bool right = type == kData ? bytes >= 8 && bytes <= 8196 && bytes % 4 == 0 : bytes == length_of(type);
  if (!right) complain(std::string(fis_name(type)) + " FIS of " + std::to_string(bytes) + " bytes");
}

void PortLegality::fis_to_device(std::uint64_t type, std::uint64_t bytes, std::uint64_t head, Complaints& complain) {
  check_length(type, bytes, complain);
  DeviceLegality& device = devices_[device_of(head)];
  if (type == kRegisterH2d) {
    if (awaits_signature_) complain("Register H2D before the device's signature");
    device.register_h2d(head, tags_of(device_of(head)), complain);
  } else if (type == kData) {
    device.data_to_device(complain);
  } else {
    complain(std::string(fis_name(type)) + " FIS (type " + std::to_string(type) + ") to a device");
  }
}

void PortLegality::fis_to_host(std::uint64_t type, std::uint64_t bytes, std::uint64_t head, Complaints& complain) {
  check_length(type, bytes, complain);
  DeviceLegality& device = devices_[device_of(head)];
  Tags& tags = tags_of(device_of(head));
  switch (type) {
    case 0x34:
      if (awaits_signature_) {
        awaits_signature_ = false;
      } else {
        device.register_d2h(head, tags, complain);
      }
      break;
    case 0x39:
      device.dma_activate(complain);
      break;
    case 0x41:
      device.dma_setup(head, tags, complain);
      break;
    case kData:
      device.data_to_host(tags, complain);
      break;
    case 0x5F:
      device.pio_setup(head, complain);
      break;
    case 0xA1:
      device.set_device_bits(head, tags, complain);
      break;
    default:
      complain(std::string(fis_name(type)) + " FIS (type " + std::to_string(type) + ") to the host");
      break;
  }
}

void PortLegality::phy(bool ready) {
  for (DeviceLegality& device : devices_) device.hardware_reset();
  phy_down_ = !ready;
  awaits_signature_ = ready;
}

}  // namespace ncqlab::oracle
