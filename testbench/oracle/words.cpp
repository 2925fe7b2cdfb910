#include "testbench/oracle/words.h"

#include <cstdio>

namespace ncqlab::oracle {

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%02llXh", static_cast<unsigned long long>(value));
  return text;
}

std::string command_text(std::uint8_t command) { return "command " + hex(command); }

std::string tag_text(unsigned tag) { return "tag " + std::to_string(tag); }

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

}  // namespace ncqlab::oracle
