// One trace record as a line of text, for findings and hang reports.
#pragma once

#include <string>

#include "model/sim/trace.h"

namespace ncqlab::oracle {

// "12.345678901 ms  port 0  FIS to host  Set Device Bits, 8 bytes: a1 40 50 00 01 00 00 00"
std::string text_of(const sim::Record& record);

// "Register H2D", "Set Device Bits", ...; "unknown type" for what SATA 3.x, 10.5.1 doesn't list.
const char* fis_name(std::uint64_t type);

// What the controller noticed, in words with the detail: "DMA Setup for tag 5, which is not queued".
// `code`: hba::Violation.
std::string violation_text(std::uint64_t code, std::uint64_t detail);

}  // namespace ncqlab::oracle
