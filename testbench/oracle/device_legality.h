// What one device and its host may say to each other: SATA 3.x, 11 (device command layer) and 13.6 (native command
// queuing), seen from the FIS that pass.
//
// device_legality.cpp, commands and their answers:
//   Register H2D        not while BSY (DEVICE RESET excepted); not before the signature; not during the data phase of a
//                       queued command (AHCI 1.3.1, 5.3.2, P:Idle); after an error not before recovery, and after one
//                       in the queue nothing but log 10h or a reset (13.6.6)
//     queued            its tag has its bits in PxSACT and PxCI, and is not outstanding already (13.6.4)
//     not queued        not while queued ones are outstanding (13.6.3)
//   Register D2H        answers something; not while SRST is set (11.4); not during a data phase
//     signature         count 1 and a known LBA (11.2)
//     release           BSY, DRQ and I cleared (11.15, DFPDMAQ2)
//     while halted      refuses everything but reading log 10h (13.6.6)
//     end of a command  BSY and DRQ cleared, I set; without an error only when all data have moved
//   Set Device Bits     only tags that are outstanding, with I (DFPDMAQ10); not during a data phase (DFPDMAQ8, 9);
//                       a tag only when all its data have moved; all tags once more when log 10h is read after an
//                       error (DFPDMAQ14). One with ERR may come at any time (DFPDMAQ11)
// device_transfers.cpp, data:
//   DMA Setup           only a tag that is outstanding, in its command's direction, for no more than is left of it; an
//                       even count (10.5.9); not within a data phase, not during a command that is not queued
//   DMA Activate        only during a write, one for each Data FIS
//   PIO Setup           only during a command that moves its data by PIO, in that direction, for no more than is left
//   Data to the host    after DMA Setup to the host, no more than it announced; after PIO Setup, just what it
//   announced;
//                       in a DMA read that is not queued
//   Data to the device  once after each DMA Activate, auto-activating DMA Setup, or PIO Setup; lengths likewise
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "model/sata/fis_record.h"
#include "testbench/oracle/ata_command.h"

namespace ncqlab::oracle {

// Where a broken rule is reported.
class Complaints {
 public:
  virtual void operator()(const std::string& text) = 0;

 protected:
  ~Complaints() = default;
};

// Slots and tags as the driver's writes and the device's answers leave them. One for a port, or with FIS-based
// switching one for each device behind it.
struct Tags {
  std::uint32_t active = 0;  // PxSACT: set by software, cleared by Set Device Bits
  std::uint32_t issued = 0;  // PxCI: set by software; a queued one counts until its Set Device Bits

  std::uint32_t outstanding() const { return active & issued; }
};

// A signature after a reset: count 1, and the LBA of an ATA device, an ATAPI device, a port multiplier or an enclosure
// services device (SATA 3.x, 11.2; ACS-3, 9.2).
void check_signature(const sata::FisRecord& fis, Complaints& complain);

class DeviceLegality {
 public:
  void register_h2d(const sata::FisRecord& fis, const Tags& tags, Complaints& complain);
  void register_d2h(const sata::FisRecord& fis, Tags& tags, Complaints& complain);
  void set_device_bits(const sata::FisRecord& fis, Tags& tags, Complaints& complain);
  void dma_setup(const sata::FisRecord& fis, Complaints& complain);
  void dma_activate(Complaints& complain);
  void pio_setup(const sata::FisRecord& fis, Tags& tags, Complaints& complain);
  void data_to_host(std::uint32_t bytes, Tags& tags, Complaints& complain);
  void data_to_device(std::uint32_t bytes, Tags& tags, Complaints& complain);
  // A Data FIS came to nothing, or one end believes so: nobody sends it again, the command will fail (clause 10).
  void data_lost();

  void hardware_reset() { *this = DeviceLegality{}; }
  // After an error the controller stops; commands may follow when the driver has recovered (AHCI 1.3.1, 6.2.2).
  void recovered() { error_ = false; }

 private:
  static constexpr unsigned kTags = 32;

  enum class Busy : std::uint8_t {
    no,
    accepting_queued,  // from a queued command to the Register D2H that releases it
    non_queued,
    software_reset,  // SRST is set
    signature,       // from SRST's clearing to the Register D2H
  };

  // From a DMA Setup or PIO Setup to the last byte that it announced.
  struct DataPhase {
    bool open = false;
    bool pio = false;
    bool to_host = false;
    std::uint8_t tag = 0;
    std::uint8_t end_status = 0;  // of a PIO Setup
    std::uint32_t left = 0;       // bytes
  };

  void control(const sata::FisRecord& fis);
  void check_command(const sata::FisRecord& fis, Complaints& complain) const;
  void queued_command(const sata::FisRecord& fis, const Tags& tags, Complaints& complain);
  void command_ended(const sata::FisRecord& fis, Tags& tags, Complaints& complain);
  void finish_command(bool with_error, Tags& tags, Complaints& complain);
  void moved_in_phase(std::uint32_t bytes, Tags& tags, Complaints& complain);
  void moved_non_queued(std::uint32_t bytes, Complaints& complain);
  void queue_failed();
  std::string phase_text() const;

  Busy busy_ = Busy::no;
  std::uint8_t command_code_ = 0;  // of the last command that is not queued
  AtaCommand command_;             // the same; bytes: what is still to move
  bool error_ = false;
  bool queue_halted_ = false;   // by an error in it
  bool clears_queue_ = false;   // log 10h is being read: all tags are cleared once more (DFPDMAQ14)
  bool data_lost_ = false;      // an error answer is due
  bool may_send_data_ = false;  // the host, one Data FIS
  DataPhase phase_;

  // Queued commands that have reached the device.
  std::uint32_t sent_ = 0;   // and are not answered yet
  std::uint32_t reads_ = 0;  // their direction
  std::uint32_t writes_ = 0;
  std::uint32_t owing_ = 0;                  // data have to move before they can end well
  std::array<std::uint32_t, kTags> left_{};  // bytes that no DMA Setup has announced
};

}  // namespace ncqlab::oracle
