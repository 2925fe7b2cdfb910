// The CRC at the end of every frame (SATA 3.x, 9.5): polynomial 04C11DB7h over the FIS' dwords, most significant bit
// first, seed 52325032h, the result as it is.
#pragma once

#include "model/sata/frame.h"

namespace ncqlab::sata {

// Of a frame whose length is no multiple of 4, the last dword is filled up with zeros.
std::uint32_t crc(const Frame& frame);

}  // namespace ncqlab::sata
