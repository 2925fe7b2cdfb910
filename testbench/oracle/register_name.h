// Names of AHCI's registers by offset (AHCI 1.3.1, 3), for people.
#pragma once

#include <cstdint>

namespace ncqlab::oracle {

// "GHC", "PxCI", ...; "register" for an offset without a name. The name of the dword that `offset` lies in.
const char* register_name(std::uint64_t offset);

// The port whose register it is; 0 for generic host control.
std::uint32_t register_port(std::uint64_t offset);

}  // namespace ncqlab::oracle
