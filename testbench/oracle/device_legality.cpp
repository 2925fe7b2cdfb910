#include "testbench/oracle/device_legality.h"

#include <cstdio>

namespace ncqlab::oracle {

namespace {

constexpr std::uint8_t kBsy = 0x80;
constexpr std::uint8_t kDrq = 0x08;
constexpr std::uint8_t kErr = 0x01;
constexpr std::uint8_t kReadLogExt = 0x2F;
constexpr std::uint8_t kReadLogDmaExt = 0x47;
constexpr std::uint32_t kAllTags = 0xFFFFFFFF;

std::uint8_t byte_of(std::uint64_t head, unsigned index) { return static_cast<std::uint8_t>(head >> (8 * index)); }
std::uint32_t second_dword(std::uint64_t head) { return static_cast<std::uint32_t>(head >> 32); }
// Flags of byte 1, SATA 3.x, 10.5.
bool command_bit(std::uint64_t head) { return (byte_of(head, 1) & 0x80) != 0; }
bool auto_activate_bit(std::uint64_t head) { return (byte_of(head, 1) & 0x80) != 0; }
bool interrupt_bit(std::uint64_t head) { return (byte_of(head, 1) & 0x40) != 0; }
bool to_host_bit(std::uint64_t head) { return (byte_of(head, 1) & 0x20) != 0; }

unsigned bits_in(std::uint32_t value) { return static_cast<unsigned>(__builtin_popcount(value)); }

std::string hex(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "%02Xh", value);
  return text;
}

std::string name_of(std::uint8_t command) { return "command " + hex(command); }
std::string tag_text(std::uint8_t tag) { return "tag " + std::to_string(tag); }

// ACS-3: READ and WRITE FPDMA QUEUED, NCQ NON-DATA, SEND and RECEIVE FPDMA QUEUED.
bool is_queued(std::uint8_t command) {
  return command == 0x60 || command == 0x61 || command == 0x63 || command == 0x64 || command == 0x65;
}

// ACS-3, commands of the PIO data-in protocol: their data come after a PIO Setup only.
bool is_pio_read(std::uint8_t command) {
  switch (command) {
    case 0x20:  // READ SECTOR(S)
    case 0x24:  // READ SECTOR(S) EXT
    case 0x29:  // READ MULTIPLE EXT
    case 0x2F:  // READ LOG EXT
    case 0xA1:  // IDENTIFY PACKET DEVICE
    case 0xC4:  // READ MULTIPLE
    case 0xE4:  // READ BUFFER
    case 0xEC:  // IDENTIFY DEVICE
      return true;
    default:
      return false;
  }
}

}  // namespace

void DeviceLegality::register_h2d(std::uint64_t head, const Tags& tags, Complaints& complain) {
  if (!command_bit(head)) {  // software reset: everything is aborted, a signature follows (SATA 3.x, 11.4)
    *this = DeviceLegality{};
    busy_ = Busy::signature;
    return;
  }
  const std::uint8_t command = byte_of(head, 2);
  if (busy_ == Busy::signature) {
    complain(name_of(command) + " before the device's signature");
  } else if (busy_ == Busy::accepting_queued || busy_ == Busy::non_queued) {
    complain(name_of(command) + " while the device is BSY with " + name_of(command_));
  }
  if (error_) complain(name_of(command) + " after an error from which nobody has recovered (AHCI 1.3.1, 6.2.2)");
  command_ = command;
  reads_log_10h_ = (command == kReadLogExt || command == kReadLogDmaExt) && byte_of(head, 4) == 0x10;
  if (is_queued(command)) {
    ++queued_;
    busy_ = Busy::accepting_queued;
    if (queued_ > bits_in(tags.active)) complain("queued " + name_of(command) + " without its bit in PxSACT");
    return;
  }
  if (queued_ != 0) {
    complain("non-queued " + name_of(command) + " with " + std::to_string(queued_) + " queued outstanding");
  }
  busy_ = Busy::non_queued;
  may_send_data_ = false;
  pio_block_to_host_ = false;
}

// Between a DMA Setup and its Data the device is not Idle (SATA 3.x, 11.15): it can only give the transfer up.
void DeviceLegality::status_in_data_phase(const std::string& what, std::uint8_t status, Complaints& complain) {
  if (set_up_ && (status & kErr) == 0) {
    complain(what + " between DMA Setup and Data of " + tag_text(transfer_tag_));
  }
  set_up_ = false;
}

void DeviceLegality::register_d2h(std::uint64_t head, Tags& tags, Complaints& complain) {
  const std::uint8_t status = byte_of(head, 2);
  status_in_data_phase("Register D2H", status, complain);
  if (halted_ && (status & kErr) == 0 && busy_ != Busy::signature && busy_ != Busy::no) {
    complain(name_of(command_) + " accepted while the queue is halted by an error");
  }
  switch (busy_) {
    case Busy::accepting_queued:
      if ((status & kErr) != 0) {
        queued_ = 0;  // the device aborts all of them (SATA 3.x, 13.6.3)
        error_ = true;
        halted_ = true;
      } else {
        if ((status & (kBsy | kDrq)) != 0) complain("release of a queued command with status " + hex(status));
        if (interrupt_bit(head)) complain("release of a queued command with the interrupt bit set");
      }
      break;
    case Busy::signature:
      break;
    case Busy::non_queued:
    case Busy::perhaps:
      tags.issued &= tags.active;
      error_ = error_ || (status & kErr) != 0;
      queued_ = 0;
      may_send_data_ = false;
      pio_block_to_host_ = false;
      break;
    case Busy::no:
      complain(queued_ == 0 ? "Register D2H that answers nothing"
                            : "Register D2H while queued commands are outstanding and none waits for its release");
      break;
  }
  busy_ = Busy::no;
}

void DeviceLegality::set_device_bits(std::uint64_t head, Tags& tags, Complaints& complain) {
  const std::uint32_t completed = second_dword(head);
  const bool clears_all = halted_ && reads_log_10h_ && busy_ == Busy::non_queued && completed == kAllTags;
  const std::uint32_t wrong = clears_all ? 0 : completed & ~tags.outstanding();
  if (clears_all) halted_ = false;
  status_in_data_phase("Set Device Bits", byte_of(head, 2), complain);
  if (wrong != 0) complain("Set Device Bits for tags that are not outstanding: " + hex(wrong));
  const unsigned answered = bits_in(completed & tags.outstanding());
  queued_ -= answered < queued_ ? answered : queued_;
  tags.active &= ~completed;
  tags.issued &= ~completed;
  if ((completed >> transfer_tag_ & 1) != 0) {
    reading_queued_ = false;
    writing_queued_ = false;
  }
  if ((byte_of(head, 2) & kErr) != 0) {
    error_ = true;
    halted_ = true;
    queued_ = 0;
    reading_queued_ = false;
    writing_queued_ = false;
    may_send_data_ = false;
  }
}

void DeviceLegality::dma_setup(std::uint64_t head, const Tags& tags, Complaints& complain) {
  transfer_tag_ = second_dword(head) & 0x1F;
  if ((tags.outstanding() >> transfer_tag_ & 1) == 0) {
    complain("DMA Setup for " + tag_text(transfer_tag_) + ", which is not outstanding");
  }
  if (busy_ == Busy::non_queued) {
    complain("DMA Setup for " + tag_text(transfer_tag_) + " during non-queued " + name_of(command_));
  }
  if (may_send_data_) {
    complain("DMA Setup for " + tag_text(transfer_tag_) + " before the Data FIS that was activated");
  }
  if (set_up_) complain("DMA Setup for " + tag_text(transfer_tag_) + " before the Data of the one before");
  set_up_ = true;
  reading_queued_ = to_host_bit(head);
  writing_queued_ = !reading_queued_;
  may_send_data_ = writing_queued_ && auto_activate_bit(head);
}

void DeviceLegality::dma_activate(Complaints& complain) {
  if (!writing_queued_ && busy_ != Busy::non_queued) complain("DMA Activate without a write");
  if (may_send_data_) complain("DMA Activate before the Data FIS that was activated already");
  may_send_data_ = true;
}

void DeviceLegality::pio_setup(std::uint64_t head, Complaints& complain) {
  if (busy_ != Busy::non_queued && busy_ != Busy::perhaps) complain("PIO Setup without a non-queued command");
  pio_block_to_host_ = to_host_bit(head);
  may_send_data_ = !pio_block_to_host_;
}

void DeviceLegality::data_to_host(Tags& tags, Complaints& complain) {
  set_up_ = false;
  if (pio_block_to_host_) {
    pio_block_to_host_ = false;
    busy_ = Busy::perhaps;
    tags.issued &= tags.active;
    return;
  }
  const bool dma_read = busy_ == Busy::non_queued && !is_pio_read(command_);
  if (!reading_queued_ && !dma_read) complain("Data to the host without DMA Setup or PIO Setup");
}

void DeviceLegality::data_to_device(Complaints& complain) {
  set_up_ = false;
  if (!may_send_data_) complain("Data to the device without DMA Activate, DMA Setup or PIO Setup");
  may_send_data_ = false;
}

}  // namespace ncqlab::oracle
