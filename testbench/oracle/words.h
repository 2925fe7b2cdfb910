// Pieces of findings: numbers, commands and tags as text.
#pragma once

#include <cstdint>
#include <string>

namespace ncqlab::oracle {

// "2Fh": at least two digits.
std::string hex(std::uint64_t value);
// "command 60h".
std::string command_text(std::uint8_t command);
// "tag 5".
std::string tag_text(unsigned tag);
// "512 bytes".
std::string bytes_text(std::uint64_t bytes);

}  // namespace ncqlab::oracle
