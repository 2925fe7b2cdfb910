// The rules of one AHCI port: use of its registers by the driver, and which device behind it a FIS belongs to.
//
// Register rules (AHCI 1.3.1):
//   PxCI    written only while PxCMD.ST is 1 (3.3.14), and not for a slot whose queued command is outstanding
//   PxSACT  written only while PxCMD.ST is 1 (3.3.13), before the PxCI bit of the slot, and not for a tag in use
//   PxCMD   ST set only with FRE set (10.3.1); FRE not cleared while ST is set (3.3.7)
//   PxCLB, PxCLBU  not while PxCMD.ST is 1;   PxFB, PxFBU  not while PxCMD.FRE is 1 (10.3)
#pragma once

#include <array>
#include <cstdint>

#include "testbench/oracle/device_legality.h"

namespace ncqlab::oracle {

class PortLegality {
 public:
  // `offset` within the port's 80h bytes.
  void register_written(std::uint64_t offset, std::uint32_t value, Complaints& complain);
  void register_read(std::uint64_t offset, std::uint32_t value);
  void fis_to_device(std::uint64_t type, std::uint64_t bytes, std::uint64_t head, Complaints& complain);
  void fis_to_host(std::uint64_t type, std::uint64_t bytes, std::uint64_t head, Complaints& complain);
  void phy(bool ready);

 private:
  static constexpr unsigned kDevices = 16;  // the 4 bits of the port multiplier field

  void command_written(std::uint32_t value, Complaints& complain);
  void active_written(std::uint32_t value, Complaints& complain);
  void issue_written(std::uint32_t value, Complaints& complain);
  void check_length(std::uint64_t type, std::uint64_t bytes, Complaints& complain) const;
  Tags& tags_of(unsigned device) { return tags_[fbs_ ? device : 0]; }

  bool started_ = false;      // PxCMD.ST
  bool fis_receive_ = false;  // PxCMD.FRE
  bool fbs_ = false;          // PxFBS.EN: PxCI and PxSACT are those of the device in PxFBS.DEV (9.3.3)
  unsigned fbs_device_ = 0;
  bool phy_down_ = false;
  bool awaits_signature_ = false;  // from PHY ready to the first Register D2H, whoever of them sends it
  std::array<DeviceLegality, kDevices> devices_;
  std::array<Tags, kDevices> tags_{};
};

}  // namespace ncqlab::oracle
