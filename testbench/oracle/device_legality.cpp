#include "testbench/oracle/device_legality.h"

#include "testbench/oracle/words.h"

namespace ncqlab::oracle {

namespace {

constexpr std::uint8_t kBsy = 0x80;
constexpr std::uint8_t kDrq = 0x08;
constexpr std::uint8_t kErr = 0x01;
constexpr std::uint8_t kSrst = 0x04;  // device control
constexpr std::uint32_t kAllTags = 0xFFFFFFFF;

bool failed(const sata::FisRecord& fis) { return (fis.status() & kErr) != 0; }

}  // namespace

void check_signature(const sata::FisRecord& fis, Complaints& complain) {
  switch (fis.lba_low()) {
    case 0x000001:
    case 0xEB1401:
    case 0x966901:
    case 0xC33C01:
      break;
    default:
      complain("signature with LBA " + hex(fis.lba_low()) + " (SATA 3.x, 11.2)");
  }
  if (fis.count() != 1) complain("signature with count " + std::to_string(fis.count()) + " (SATA 3.x, 11.2)");
}

std::string DeviceLegality::phase_text() const {
  return phase_.pio ? "between a PIO Setup and its Data FIS" : "during the data phase of " + tag_text(phase_.tag);
}

// A Data FIS to the device that had been asked for may be under way: may_send_data_ stays.
void DeviceLegality::queue_failed() {
  error_ = queue_halted_ = true;
  sent_ = owing_ = 0;
  phase_ = {};
}

// ---- commands

void DeviceLegality::register_h2d(const sata::FisRecord& fis, const Tags& tags, Complaints& complain) {
  if (!fis.command_bit()) return control(fis);
  check_command(fis, complain);
  const AtaCommand command = decode_command(fis);
  data_lost_ = false;
  if (is_queued(command.protocol)) return queued_command(fis, tags, complain);
  if (sent_ != 0 && command.protocol != Protocol::device_reset) {
    complain("non-queued " + command_text(fis.command()) + " while queued ones are outstanding: tags " + hex(sent_) +
             " (SATA 3.x, 13.6.3)");
  }
  busy_ = Busy::non_queued;
  command_code_ = fis.command();
  command_ = command;
  phase_ = {};
  may_send_data_ = false;
  clears_queue_ = queue_halted_ && reads_queue_error_log(fis);
}

// Software reset: everything is aborted, and a signature follows when SRST has been cleared (SATA 3.x, 11.4). Without
// a change of SRST nothing answers.
void DeviceLegality::control(const sata::FisRecord& fis) {
  if ((fis.control() & kSrst) != 0) {
    *this = DeviceLegality{};
    busy_ = Busy::software_reset;
  } else if (busy_ == Busy::software_reset) {
    busy_ = Busy::signature;
  }
}

void DeviceLegality::check_command(const sata::FisRecord& fis, Complaints& complain) const {
  const std::uint8_t code = fis.command();
  switch (busy_) {
    case Busy::no:
      break;
    case Busy::software_reset:
      complain(command_text(code) + " while SRST is set (SATA 3.x, 11.4)");
      break;
    case Busy::signature:
      complain(command_text(code) + " before the device's signature");
      break;
    case Busy::accepting_queued:
      complain(command_text(code) + " before the release of the queued command that came last");
      break;
    case Busy::non_queued:
      if (decode_command(fis).protocol == Protocol::device_reset) break;
      complain(command_text(code) + " while the device is BSY with " + command_text(command_code_));
      break;
  }
  if (phase_.open && !phase_.pio) complain(command_text(code) + " " + phase_text() + " (AHCI 1.3.1, 5.3.2, P:Idle)");
  if (error_) {
    complain(command_text(code) + " after an error from which nobody has recovered (AHCI 1.3.1, 6.2.2)");
  } else if (queue_halted_ && !reads_queue_error_log(fis)) {
    complain(command_text(code) + " after an error in the queue, before log 10h was read (SATA 3.x, 13.6.6)");
  }
}

void DeviceLegality::queued_command(const sata::FisRecord& fis, const Tags& tags, Complaints& complain) {
  const AtaCommand command = decode_command(fis);
  const unsigned tag = fis.queued_tag();
  const std::uint32_t bit = 1U << tag;
  const auto complain_of_tag = [&](const char* what) {
    complain("queued " + command_text(fis.command()) + " for " + tag_text(tag) + what);
  };
  if ((tags.active & bit) == 0) {
    complain_of_tag(" without its bit in PxSACT (AHCI 1.3.1, 3.3.13)");
  } else if ((tags.issued & bit) == 0) {
    complain_of_tag(" without its bit in PxCI (AHCI 1.3.1, 3.3.14)");
  }
  if ((sent_ & bit) != 0) complain_of_tag(", which is outstanding already (SATA 3.x, 13.6.4)");
  busy_ = Busy::accepting_queued;
  sent_ |= bit;
  reads_ = command.protocol == Protocol::queued_in ? reads_ | bit : reads_ & ~bit;
  writes_ = command.protocol == Protocol::queued_out ? writes_ | bit : writes_ & ~bit;
  owing_ = command.bytes != 0 ? owing_ | bit : owing_ & ~bit;
  left_[tag] = static_cast<std::uint32_t>(command.bytes);
  if (aborts_queue(fis)) owing_ = 0;  // it may end others without their data
}

// ---- answers

void DeviceLegality::register_d2h(const sata::FisRecord& fis, Tags& tags, Complaints& complain) {
  if (phase_.open && !failed(fis)) complain("Register D2H " + phase_text() + " (SATA 3.x, 11)");
  const Busy was = busy_;
  busy_ = Busy::no;
  switch (was) {
    case Busy::accepting_queued:
      if (failed(fis)) return queue_failed();
      if ((fis.status() & (kBsy | kDrq)) != 0) complain("release of a queued command with status " + hex(fis.status()));
      if (fis.interrupt()) complain("release of a queued command with the interrupt bit set (SATA 3.x, 11.15)");
      if (queue_halted_) complain("queued command accepted while the queue is halted by an error (SATA 3.x, 13.6.6)");
      return;
    case Busy::software_reset:
      busy_ = was;
      return complain("Register D2H while SRST is set (SATA 3.x, 11.4)");
    case Busy::signature:
      return check_signature(fis, complain);
    case Busy::non_queued:
      return command_ended(fis, tags, complain);
    case Busy::no:
      if (data_lost_ && failed(fis)) {  // the host has ended the command by itself, and drops this
        data_lost_ = false;
        return;
      }
      complain(sent_ == 0 ? "Register D2H that answers nothing"
                          : "Register D2H while queued commands are outstanding and none waits for its release");
  }
}

void DeviceLegality::command_ended(const sata::FisRecord& fis, Tags& tags, Complaints& complain) {
  const auto complain_of_end = [&](const std::string& what) {
    complain("end of " + command_text(command_code_) + " " + what);
  };
  if ((fis.status() & (kBsy | kDrq)) != 0) complain_of_end("with status " + hex(fis.status()));
  if (!fis.interrupt() && command_.protocol != Protocol::device_reset) {
    complain_of_end("without the interrupt bit (SATA 3.x, 11)");
  }
  finish_command(failed(fis), tags, complain);
}

void DeviceLegality::finish_command(bool with_error, Tags& tags, Complaints& complain) {
  busy_ = Busy::no;
  tags.issued &= tags.active;
  if (with_error) {
    error_ = true;
    queue_halted_ = queue_halted_ || sent_ != 0;
  } else {
    if (command_.bytes != 0 && command_.bytes != AtaCommand::kUnknownLength) {
      complain("end of " + command_text(command_code_) + " before " + bytes_text(command_.bytes) +
               " of its data have moved");
    }
    if (clears_queue_) {
      queue_halted_ = false;
    } else if (queue_halted_) {
      complain(command_text(command_code_) + " accepted while the queue is halted by an error (SATA 3.x, 13.6.6)");
    }
  }
  sent_ = owing_ = 0;
  phase_ = {};
  may_send_data_ = clears_queue_ = data_lost_ = false;
}

void DeviceLegality::set_device_bits(const sata::FisRecord& fis, Tags& tags, Complaints& complain) {
  const std::uint32_t completed = fis.active();
  if (phase_.open && !failed(fis)) complain("Set Device Bits " + phase_text() + " (SATA 3.x, 11.15, DFPDMAQ8, 9)");
  if (!clears_queue_ || completed != kAllTags) {
    const std::uint32_t wrong = completed & ~sent_;
    if (wrong != 0) complain("Set Device Bits for tags that are not outstanding: " + hex(wrong));
    const std::uint32_t early = completed & sent_ & owing_;
    if (early != 0) complain("Set Device Bits for tags whose data have not all moved: " + hex(early));
    if (completed != 0 && !fis.interrupt()) {
      complain("Set Device Bits that completes commands without the interrupt bit (SATA 3.x, 11.15, DFPDMAQ10)");
    }
  }
  sent_ &= ~completed;
  tags.active &= ~completed;
  tags.issued &= ~completed;
  if (failed(fis)) queue_failed();
}

}  // namespace ncqlab::oracle
