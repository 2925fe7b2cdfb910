#include "testbench/oracle/record_text.h"

#include <cstdarg>
#include <cstdio>

#include "model/drive/disk.h"
#include "model/hba/ahci.h"
#include "model/sata/fis_record.h"
#include "model/sata/link_types.h"
#include "testbench/oracle/register_name.h"

namespace ncqlab::oracle {

namespace {

__attribute__((format(printf, 1, 2))) std::string formatted(const char* format, ...) {
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

unsigned long long wide(std::uint64_t value) { return value; }

const char* damage_text(std::uint64_t damage) {
  switch (static_cast<sata::Damage>(damage)) {
    case sata::Damage::none:
      return "undamaged";
    case sata::Damage::crc:
      return "CRC error";
    case sata::Damage::decode:
      return "10b to 8b decode error";
    case sata::Damage::disparity:
      return "disparity error";
    case sata::Damage::handshake:
      return "taken, but R_ERR seen by the sender";
    case sata::Damage::refused:
      return "answered with R_ERR";
    case sata::Damage::aborted:
      return "ended with SYNC";
  }
  return "unknown damage";
}

const char* step_text(std::uint64_t step) {
  switch (static_cast<sata::PhyStep>(step)) {
    case sata::PhyStep::comreset_begins:
      return "COMRESET begins";
    case sata::PhyStep::comreset_ends:
      return "COMRESET ends";
    case sata::PhyStep::cominit:
      return "COMINIT";
    case sata::PhyStep::comwake:
      return "COMWAKE";
    case sata::PhyStep::speed:
      return "negotiating";
    case sata::PhyStep::ready:
      return "ready";
    case sata::PhyStep::failed:
      return "negotiation failed";
    case sata::PhyStep::lost:
      return "lost";
    case sata::PhyStep::recovered:
      return "signal is back";
    case sata::PhyStep::power:
      return "power state";
  }
  return "unknown step";
}

const char* power_text(std::uint64_t status) {
  switch (static_cast<sata::LinkPower>(status >> 8 & 0xF)) {
    case sata::LinkPower::active:
      return "active";
    case sata::LinkPower::partial:
      return "partial";
    case sata::LinkPower::slumber:
      return "slumber";
    case sata::LinkPower::dev_sleep:
      return "DevSleep";
  }
  return "without communication";
}

std::string phy_text(const sim::Record& record) {
  std::string text = std::string("PHY  ") + step_text(record.b);
  const auto step = static_cast<sata::PhyStep>(record.b);
  if (step == sata::PhyStep::speed) text += formatted(" generation %llu", wide(record.c));
  if (step == sata::PhyStep::power) text += std::string(" ") + power_text(record.a);
  return text + formatted(", SStatus %03llx", wide(record.a));
}

const char* happening_text(std::uint64_t what) {
  switch (static_cast<drive::Happening::What>(what)) {
    case drive::Happening::What::data_scheduled:
      return "has a read's data, or knows when they will be there";
    case drive::Happening::What::buffer_ready:
      return "has room for a write's data";
    case drive::Happening::What::done:
      return "is done with a write or flush";
    case drive::Happening::What::failed:
      return "cannot write a sector";
  }
  return "does something unknown";
}

std::string controller_text(const sim::Record& record) {
  switch (static_cast<hba::Happening>(record.a)) {
    case hba::Happening::system_management_interrupt:
      return "controller raises the system management interrupt";
    case hba::Happening::ownership_released:
      return "firmware has released the controller";
    case hba::Happening::coalesced:
      return formatted("controller has coalesced %llu command completions", wide(record.b));
    case hba::Happening::leds_set:
      return formatted("controller sets the LEDs of port %llu to %llx", wide(record.b), wide(record.c));
    case hba::Happening::enclosure_message_sent:
      return formatted("controller has sent enclosure message %08llx, %llu bytes", wide(record.b), wide(record.c));
    case hba::Happening::enclosure_message_received:
      return formatted("controller has received an enclosure message, %llu bytes", wide(record.c));
  }
  return formatted("controller event %llu: %llx, %llx", wide(record.a), wide(record.b), wide(record.c));
}

std::string detail_text(const sata::FisRecord& fis) {
  switch (static_cast<sata::FisType>(fis.type())) {
    case sata::FisType::register_h2d:
      return formatted(", features %04x, count %04x, control %02x", fis.features(), fis.count(), fis.control());
    case sata::FisType::register_d2h:
      return formatted(", count %04x", fis.count());
    case sata::FisType::dma_setup:
      return formatted(", announces %u bytes", fis.dma_count());
    case sata::FisType::pio_setup:
      return formatted(", announces %u bytes, E_STATUS %02x", fis.pio_count(), fis.end_status());
    default:
      return {};
  }
}

std::string fis_text(const char* direction, const sim::Record& record) {
  const sata::FisRecord fis(record);
  std::string text = formatted("FIS %s  %s, %u bytes:", direction, fis_name(fis.type()), fis.bytes());
  for (unsigned i = 0; i < 8 && i < fis.bytes(); ++i) text += formatted(" %02x", unsigned{fis.byte(i)});
  return text + detail_text(fis);
}

std::string register_text(const char* access, const sim::Record& record) {
  return formatted("%s %s (%03llx) = %08llx", access, register_name(record.a), wide(record.a), wide(record.b));
}

std::string what(const sim::Record& record) {
  switch (record.kind) {
    case sim::Kind::register_read:
      return register_text("read ", record);
    case sim::Kind::register_write:
      return register_text("write", record);
    case sim::Kind::fis_to_device:
      return fis_text("to device", record);
    case sim::Kind::fis_to_host:
      return fis_text("to host", record);
    case sim::Kind::dma_read:
      return formatted("DMA read  %llx, %llu bytes", wide(record.a), wide(record.b));
    case sim::Kind::dma_write:
      return formatted("DMA write %llx, %llu bytes", wide(record.a), wide(record.b));
    case sim::Kind::interrupt:
      return formatted("interrupt %llu %s", wide(record.a), record.b != 0 ? "raised" : "lowered");
    case sim::Kind::phy:
      return phy_text(record);
    case sim::Kind::completion:
      return formatted("request %llu answered, status %llu, LBA %llu", wide(record.a), wide(record.b), wide(record.c));
    case sim::Kind::drive:
      return formatted("drive %s, tag %llu, LBA %llu", happening_text(record.a), wide(record.b), wide(record.c));
    case sim::Kind::link_error:
      return formatted("FIS %s  %s came to nothing: %s", record.b != 0 ? "to host" : "to device",
                       fis_name(record.a & 0xFF), damage_text(record.c));
    case sim::Kind::violation:
      return "controller notices: " + violation_text(record.a, record.b);
    case sim::Kind::config_read:
      return formatted("read  configuration %02llx = %08llx", wide(record.a), wide(record.b));
    case sim::Kind::config_write:
      return formatted("write configuration %02llx = %08llx", wide(record.a), wide(record.b));
    case sim::Kind::controller:
      return controller_text(record);
  }
  return formatted("record of kind %u", static_cast<unsigned>(record.kind));
}

// Registers are the whole controller's in the trace.
std::uint32_t port_of(const sim::Record& record) {
  const bool access = record.kind == sim::Kind::register_read || record.kind == sim::Kind::register_write;
  return access ? register_port(record.a) : record.source;
}

}  // namespace

const char* fis_name(std::uint64_t type) {
  switch (type) {
    case 0x27:
      return "Register H2D";
    case 0x34:
      return "Register D2H";
    case 0x39:
      return "DMA Activate";
    case 0x41:
      return "DMA Setup";
    case 0x46:
      return "Data";
    case 0x58:
      return "BIST Activate";
    case 0x5F:
      return "PIO Setup";
    case 0xA1:
      return "Set Device Bits";
    default:
      return "unknown type";
  }
}

std::string text_of(const sim::Record& record) {
  return formatted("%.9f ms  port %u  ", sim::to_ms(record.time), port_of(record)) + what(record);
}

}  // namespace ncqlab::oracle
