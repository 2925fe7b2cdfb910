// What one device and its host may say to each other: SATA 3.x, 11 (device command layer) and 13.6 (native command
// queuing), seen from the FIS that pass.
//
// Rules, by the FIS that breaks them:
//   command (Register H2D)  not while BSY; not before the signature; queued only with its PxSACT bit set before; a
//                           non-queued one not while queued ones are outstanding
//   Register D2H            answers something; the one that releases a queued command has BSY, DRQ and I cleared; after
//                           an error of the queue it refuses, until log 10h is read or a reset comes
//   Set Device Bits         only tags that are outstanding; all of them when log 10h is read after an error
//   both                    not between a DMA Setup and its first Data FIS, but to end the transfer with an error
//   DMA Setup               only a tag that is outstanding, and not during a non-queued command
//   DMA Activate            only during a write, one for each Data FIS
//   PIO Setup               only during a non-queued command
//   Data to the host        after DMA Setup to the host; once after each PIO Setup; in a non-queued DMA read
//   Data to the device      once after each DMA Activate, auto-activating DMA Setup, or PIO Setup
#pragma once

#include <cstdint>
#include <string>

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

class DeviceLegality {
 public:
  // A command or control FIS from the host. `head`: the first 8 bytes of the FIS, little-endian, here and below.
  void register_h2d(std::uint64_t head, const Tags& tags, Complaints& complain);
  void register_d2h(std::uint64_t head, Tags& tags, Complaints& complain);
  void set_device_bits(std::uint64_t head, Tags& tags, Complaints& complain);
  void dma_setup(std::uint64_t head, const Tags& tags, Complaints& complain);
  void dma_activate(Complaints& complain);
  void pio_setup(std::uint64_t head, Complaints& complain);
  void data_to_host(Tags& tags, Complaints& complain);
  void data_to_device(Complaints& complain);

  void hardware_reset() { *this = DeviceLegality{}; }
  // After an error the controller stops; commands may follow when the driver has recovered (AHCI 1.3.1, 6.2.2).
  void recovered() { error_ = false; }

 private:
  enum class Busy : std::uint8_t {
    no,
    accepting_queued,  // from a queued command to the Register D2H that releases it
    non_queued,
    signature,  // from a software reset to its Register D2H
    perhaps,    // a PIO read has got a block, and the trace doesn't tell whether it was the last
  };

  void status_in_data_phase(const std::string& what, std::uint8_t status, Complaints& complain);

  Busy busy_ = Busy::no;
  std::uint8_t command_ = 0;
  bool error_ = false;
  unsigned queued_ = 0;          // queued commands sent and not yet answered
  bool reading_queued_ = false;  // since a DMA Setup to the host
  bool writing_queued_ = false;  // since a DMA Setup to the device
  std::uint8_t transfer_tag_ = 0;
  bool pio_block_to_host_ = false;
  bool may_send_data_ = false;  // the host, one Data FIS
  bool set_up_ = false;         // a DMA Setup has had no Data FIS yet
  bool halted_ = false;         // the queue, by an error
  bool reads_log_10h_ = false;  // the command that the device is busy with
};

}  // namespace ncqlab::oracle
