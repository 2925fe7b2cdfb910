// Data between one device and its host: what announces them, and whether just that comes.
#include <algorithm>

#include "testbench/oracle/device_legality.h"
#include "testbench/oracle/words.h"

namespace ncqlab::oracle {

namespace {

constexpr std::uint8_t kBsy = 0x80;
constexpr std::uint8_t kDrq = 0x08;
constexpr std::uint8_t kErr = 0x01;
constexpr std::uint32_t kMaxPayload_bytes = 8192;  // SATA 3.x, 10.5.11

// A frame is whole dwords: the last one may be padded.
constexpr std::uint32_t whole_dwords(std::uint32_t bytes) { return (bytes + 3) & ~3U; }

// PACKET may move its data in each way, and so may what the checker does not know.
constexpr bool may_move_by(Protocol way, Protocol command) {
  return command == way || command == Protocol::packet || command == Protocol::unknown;
}

}  // namespace

void DeviceLegality::dma_setup(const sata::FisRecord& fis, Complaints& complain) {
  const unsigned tag = fis.dma_tag();
  const std::uint32_t bit = 1U << tag;
  const auto complain_of_setup = [&](const std::string& what) { complain("DMA Setup for " + tag_text(tag) + what); };
  if (busy_ == Busy::non_queued) complain_of_setup(" during non-queued " + command_text(command_code_));
  if (phase_.open) complain_of_setup(" " + phase_text());
  if ((sent_ & bit) == 0) {
    complain_of_setup(", which is not outstanding");
  } else if (((fis.to_host() ? reads_ : writes_) & bit) == 0) {
    complain_of_setup(fis.to_host() ? ", which is no read, to the host" : ", which is no write, to the device");
  } else if (fis.dma_count() > left_[tag]) {
    complain_of_setup(" announces " + bytes_text(fis.dma_count()) + " where " + std::to_string(left_[tag]) +
                      " are left of the command");
  }
  if (fis.dma_count() == 0 || fis.dma_count() % 2 != 0) {
    complain_of_setup(" with a transfer count of " + std::to_string(fis.dma_count()) + " (SATA 3.x, 10.5.9)");
  }
  left_[tag] -= std::min(fis.dma_count(), left_[tag]);
  const std::uint32_t announced = whole_dwords(fis.dma_count());
  phase_ = {announced != 0, false, fis.to_host(), static_cast<std::uint8_t>(tag), 0, announced};
  may_send_data_ = !fis.to_host() && fis.auto_activate();
}

void DeviceLegality::dma_activate(Complaints& complain) {
  const bool queued = phase_.open && !phase_.pio && !phase_.to_host;
  const bool other = busy_ == Busy::non_queued && !phase_.open && may_move_by(Protocol::dma_out, command_.protocol);
  if (!queued && !other) complain("DMA Activate without a write");
  if (may_send_data_) complain("DMA Activate before the Data FIS that was activated already");
  may_send_data_ = true;
}

void DeviceLegality::pio_setup(const sata::FisRecord& fis, Tags& tags, Complaints& complain) {
  const std::uint32_t count = fis.pio_count();
  if (busy_ != Busy::non_queued) {
    complain("PIO Setup without a non-queued command");
  } else {
    if (phase_.open) complain("PIO Setup " + phase_text());
    if (!may_move_by(fis.to_host() ? Protocol::pio_in : Protocol::pio_out, command_.protocol)) {
      complain(std::string("PIO Setup to the ") + (fis.to_host() ? "host" : "device") + " for " +
               command_text(command_code_) + ", which moves nothing that way");
    }
    if ((fis.status() & kErr) == 0) moved_non_queued(count, complain);
  }
  if ((fis.status() & kErr) != 0) return finish_command(true, tags, complain);  // no data follow (AHCI 1.3.1, 5.3.9)
  if (count == 0 || count % 2 != 0 || count > kMaxPayload_bytes) {
    complain("PIO Setup with a transfer count of " + std::to_string(count) + " (SATA 3.x, 10.5.12)");
  }
  phase_ = {count != 0, true, fis.to_host(), 0, fis.end_status(), whole_dwords(count)};
  may_send_data_ = !fis.to_host();
}

void DeviceLegality::moved_in_phase(std::uint32_t bytes, Tags& tags, Complaints& complain) {
  if (phase_.pio && bytes != phase_.left) {
    complain("Data of " + bytes_text(bytes) + " where the PIO Setup announced " + std::to_string(phase_.left));
  } else if (bytes > phase_.left) {
    complain("Data of " + bytes_text(bytes) + " where " + std::to_string(phase_.left) +
             " are left of the data phase of " + tag_text(phase_.tag));
  }
  phase_.left -= std::min(bytes, phase_.left);
  if (!phase_.pio) {
    if (phase_.left != 0) return;
    phase_.open = false;
    if (left_[phase_.tag] == 0) owing_ &= ~(1U << phase_.tag);
    return;
  }
  phase_.open = false;
  const bool more = (phase_.end_status & (kBsy | kDrq)) != 0;
  if (!more) finish_command((phase_.end_status & kErr) != 0, tags, complain);
}

void DeviceLegality::moved_non_queued(std::uint32_t bytes, Complaints& complain) {
  if (command_.bytes == AtaCommand::kUnknownLength) return;
  if (bytes > command_.bytes) {
    complain(bytes_text(bytes) + " of data where " + std::to_string(command_.bytes) + " are left of " +
             command_text(command_code_));
  }
  command_.bytes -= std::min<std::uint64_t>(bytes, command_.bytes);
}

void DeviceLegality::data_to_host(std::uint32_t bytes, Tags& tags, Complaints& complain) {
  if (phase_.open && phase_.to_host) return moved_in_phase(bytes, tags, complain);
  if (busy_ == Busy::non_queued && !phase_.open && may_move_by(Protocol::dma_in, command_.protocol)) {
    return moved_non_queued(bytes, complain);
  }
  complain("Data to the host without DMA Setup or PIO Setup");
}

void DeviceLegality::data_to_device(std::uint32_t bytes, Tags& tags, Complaints& complain) {
  if (!may_send_data_) complain("Data to the device without DMA Activate, DMA Setup or PIO Setup");
  may_send_data_ = false;
  if (phase_.open && !phase_.to_host) return moved_in_phase(bytes, tags, complain);
  if (busy_ == Busy::non_queued && !phase_.open) moved_non_queued(bytes, complain);
}

void DeviceLegality::data_lost() {
  phase_.open = may_send_data_ = false;
  command_.bytes = AtaCommand::kUnknownLength;
  data_lost_ = true;
}

}  // namespace ncqlab::oracle
