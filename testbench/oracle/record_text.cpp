#include "testbench/oracle/record_text.h"

#include <cstdarg>
#include <cstdio>

namespace ncqlab::oracle {

namespace {

__attribute__((format(printf, 1, 2))) std::string formatted(const char* format, ...) {
  char text[160];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

unsigned long long wide(std::uint64_t value) { return value; }

std::string fis_text(const char* direction, const sim::Record& record) {
  std::string text = formatted("FIS %s  %s, %llu bytes:", direction, fis_name(record.a), wide(record.b));
  for (unsigned i = 0; i < 8 && i < record.b; ++i) {
    text += formatted(" %02x", static_cast<unsigned>(record.c >> (8 * i) & 0xFF));
  }
  return text;
}

std::string what(const sim::Record& record) {
  switch (record.kind) {
    case sim::Kind::register_read:
      return formatted("read  register %03llx = %08llx", wide(record.a), wide(record.b));
    case sim::Kind::register_write:
      return formatted("write register %03llx = %08llx", wide(record.a), wide(record.b));
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
      return formatted("PHY state %03llx, step %llu", wide(record.a), wide(record.b));
    case sim::Kind::completion:
      return formatted("request %llu answered, status %llu, LBA %llu", wide(record.a), wide(record.b), wide(record.c));
    case sim::Kind::drive:
      return formatted("drive event %llu, tag %llu, LBA %llu", wide(record.a), wide(record.b), wide(record.c));
    case sim::Kind::link_error:
      return formatted("%s FIS %s came to nothing, damage %llu", fis_name(record.a),
                       record.b != 0 ? "to host" : "to device", wide(record.c));
    case sim::Kind::violation:
      return formatted("violation %llu noticed by the controller", wide(record.a));
    case sim::Kind::config_read:
      return formatted("read  configuration %02llx = %08llx", wide(record.a), wide(record.b));
    case sim::Kind::config_write:
      return formatted("write configuration %02llx = %08llx", wide(record.a), wide(record.b));
    case sim::Kind::controller:
      return formatted("controller event %llu: %llx, %llx", wide(record.a), wide(record.b), wide(record.c));
  }
  return formatted("record of kind %u", static_cast<unsigned>(record.kind));
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
  return formatted("%.9f ms  port %u  ", sim::to_ms(record.time), record.source) + what(record);
}

}  // namespace ncqlab::oracle
