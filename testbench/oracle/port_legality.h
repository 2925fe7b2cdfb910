// The rules of one AHCI port: use of its registers by the driver, and which device behind it a FIS belongs to.
//
// Register rules (AHCI 1.3.1):
//   PxCI    written only while PxCMD.ST is 1 (3.3.14), and not for a slot whose queued command is outstanding
//   PxSACT  written only while PxCMD.ST is 1 (3.3.13), before the PxCI bit of the slot, and not for a tag in use
//   PxCMD   ST set only with FRE set (10.3.1); FRE not cleared while ST is set (3.3.7)
//   PxCLB, PxCLBU  not while PxCMD.ST is 1;   PxFB, PxFBU  not while PxCMD.FRE is 1 (10.3)
//
// Rules for any FIS (SATA 3.x): a type that goes that way, with that type's length (10.5); a Data FIS of whole dwords
// and 8192 bytes of payload at most (10.5.11); none while the PHY is down or the link sleeps (clause 8); after a reset
// none before the signature (11.2).
#pragma once

#include <array>
#include <cstdint>

#include "model/sata/fis_record.h"
#include "model/sata/link_types.h"
#include "testbench/oracle/device_legality.h"

namespace ncqlab::oracle {

class PortLegality {
 public:
  // `offset` within the port's 80h bytes.
  void register_written(std::uint64_t offset, std::uint32_t value, Complaints& complain);
  void register_read(std::uint64_t offset, std::uint32_t value);
  void fis_to_device(const sata::FisRecord& fis, Complaints& complain);
  void fis_to_host(const sata::FisRecord& fis, Complaints& complain);
  // Of a record of Kind::phy: SStatus and what happened.
  void phy(std::uint32_t status, sata::PhyStep step);
  // Of a record of Kind::link_error.
  void link_error(sata::FisType type, unsigned pm_port, sata::Direction direction, sata::Damage damage);

 private:
  static constexpr unsigned kDevices = 16;  // the 4 bits of the port multiplier field

  enum class Silence : std::uint8_t {
    none,
    phy_down,
    low_power,  // partial, slumber or DevSleep
  };

  void command_written(std::uint32_t value, Complaints& complain);
  void active_written(std::uint32_t value, Complaints& complain);
  void issue_written(std::uint32_t value, Complaints& complain);
  void check_frame(const sata::FisRecord& fis, Complaints& complain) const;
  bool repeated(const sata::FisRecord& fis, sata::Direction direction);
  Tags& tags_of(unsigned device) { return tags_[fbs_ ? device : 0]; }

  bool started_ = false;      // PxCMD.ST
  bool fis_receive_ = false;  // PxCMD.FRE
  bool fbs_ = false;          // PxFBS.EN: PxCI and PxSACT are those of the device in PxFBS.DEV (9.3.3)
  unsigned fbs_device_ = 0;
  Silence silence_ = Silence::none;
  bool awaits_signature_ = false;  // from PHY ready to the first Register D2H, whoever of them sends it
  // By direction. A frame that its receiver took and its sender believes lost comes again (clause 10).
  struct LastFrame {
    std::uint64_t head = 0;
    bool comes_again = false;
  };
  std::array<LastFrame, 2> last_frames_{};
  std::array<DeviceLegality, kDevices> devices_;
  std::array<Tags, kDevices> tags_{};
};

}  // namespace ncqlab::oracle
