#include "testbench/oracle/register_name.h"

#include <cstddef>
#include <iterator>

namespace ncqlab::oracle {

namespace {

constexpr std::uint64_t kFirstPort = 0x100;
constexpr std::uint64_t kEndOfPorts = 0x1100;
constexpr std::uint64_t kPort_bytes = 0x80;

// By dword, from 00h.
constexpr const char* kGeneric[] = {"CAP",       "GHC",    "IS",     "PI",   "VS",  "CCC_CTL",
                                    "CCC_PORTS", "EM_LOC", "EM_CTL", "CAP2", "BOHC"};
constexpr const char* kPort[] = {"PxCLB",  "PxCLBU", "PxFB",  "PxFBU",  "PxIS",   "PxIE",
                                 "PxCMD",  nullptr,  "PxTFD", "PxSIG",  "PxSSTS", "PxSCTL",
                                 "PxSERR", "PxSACT", "PxCI",  "PxSNTF", "PxFBS",  "PxDEVSLP"};

template <std::size_t n>
const char* name_in(const char* const (&names)[n], std::uint64_t offset) {
  const std::uint64_t place = offset / 4;
  return place < n && names[place] != nullptr ? names[place] : "register";
}

bool is_port(std::uint64_t offset) { return offset >= kFirstPort && offset < kEndOfPorts; }

}  // namespace

const char* register_name(std::uint64_t offset) {
  return is_port(offset) ? name_in(kPort, offset % kPort_bytes) : name_in(kGeneric, offset);
}

std::uint32_t register_port(std::uint64_t offset) {
  return is_port(offset) ? static_cast<std::uint32_t>((offset - kFirstPort) / kPort_bytes) : 0;
}

}  // namespace ncqlab::oracle
