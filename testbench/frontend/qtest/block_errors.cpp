#include "testbench/frontend/qtest/block_errors.h"

#include <optional>
#include <utility>

#include "model/sata/fis.h"

namespace ncqlab::qtest {

namespace {

// Commands that read, write or flush the medium (ACS-3, clause 7).
std::optional<BlockEvent> event_of(std::uint8_t command) {
  switch (command) {
    case 0x20:  // READ SECTOR(S)
    case 0x24:  // READ SECTOR(S) EXT
    case 0x25:  // READ DMA EXT
    case 0x29:  // READ MULTIPLE EXT
    case 0x60:  // READ FPDMA QUEUED
    case 0xC4:  // READ MULTIPLE
    case 0xC8:  // READ DMA
      return BlockEvent::read;
    case 0x30:  // WRITE SECTOR(S)
    case 0x34:  // WRITE SECTOR(S) EXT
    case 0x35:  // WRITE DMA EXT
    case 0x39:  // WRITE MULTIPLE EXT
    case 0x3D:  // WRITE DMA FUA EXT
    case 0x61:  // WRITE FPDMA QUEUED
    case 0xC5:  // WRITE MULTIPLE
    case 0xCA:  // WRITE DMA
    case 0xCE:  // WRITE MULTIPLE FUA EXT
      return BlockEvent::write;
    case 0xE7:  // FLUSH CACHE
    case 0xEA:  // FLUSH CACHE EXT
      return BlockEvent::flush;
    default:
      return std::nullopt;
  }
}

}  // namespace

void BlockErrors::add(unsigned port, std::string device, Blkdebug script) {
  scripts_.push_back({port, std::move(device), std::move(script)});
}

void BlockErrors::on_record(const sim::Record& record) {
  if (record.kind != sim::Kind::fis_to_device) return;
  // Byte 1 bit 7 is C, byte 2 the command (SATA 3.x, 10.5.5).
  const bool is_command =
      record.a == static_cast<std::uint64_t>(sata::FisType::register_h2d) && (record.c >> 15 & 1) != 0;
  const auto event = is_command ? event_of(static_cast<std::uint8_t>(record.c >> 16)) : std::nullopt;
  if (!event) return;
  for (std::size_t i = 0; i < scripts_.size(); ++i) {
    if (scripts_[i].port == record.source) attempt(i, *event);
  }
  if (failing()) queue_->request_stop();
}

void BlockErrors::attempt(std::size_t script, BlockEvent event) {
  const int error = scripts_[script].rules.happen(event);
  if (error == 0) return;
  failed_.push_back({script, event});
  reports_.push_back({scripts_[script].device, event, error});
}

void BlockErrors::retry() {
  for (const Failed& failed : std::exchange(failed_, {})) attempt(failed.script, failed.event);
}

std::vector<BlockError> BlockErrors::take_reports() { return std::exchange(reports_, {}); }

}  // namespace ncqlab::qtest
