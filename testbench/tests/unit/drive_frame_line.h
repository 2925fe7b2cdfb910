// A frame to the host as one line that can be read.
#pragma once

#include <cstdio>
#include <string>

#include "model/sata/fis.h"

namespace ncqlab::drive {

inline std::string hex_of(unsigned value) {
  char text[16];
  std::snprintf(text, sizeof text, "%02X", value);
  return text;
}
inline std::string describe_frame(const sata::Frame& frame) {
  char text[64] = "?";
  sata::RegisterD2H d2h;
  sata::SetDeviceBits bits;
  sata::DmaSetup setup;
  sata::PioSetup pio;
  if (sata::decode(frame, d2h)) {
    std::snprintf(text, sizeof text, "D2H %02X %02X%s", d2h.status, d2h.error, d2h.interrupt ? " I" : "");
  } else if (sata::decode(frame, bits)) {
    const std::string error = bits.error == 0 ? "" : " error " + hex_of(bits.error);
    std::snprintf(text, sizeof text, "SDB %02X%s %08X%s%s", bits.status, error.c_str(), bits.active,
                  bits.interrupt ? " I" : "", bits.notification ? " N" : "");
  } else if (sata::decode(frame, setup)) {
    const std::string offset = setup.buffer_offset == 0 ? "" : " at " + std::to_string(setup.buffer_offset);
    std::snprintf(text, sizeof text, "Setup %s tag %u, %u bytes%s%s", setup.to_host ? "in" : "out",
                  static_cast<unsigned>(setup.buffer_identifier), setup.transfer_count, offset.c_str(),
                  setup.auto_activate ? ", activated" : "");
  } else if (sata::decode(frame, pio)) {
    std::snprintf(text, sizeof text, "PIO %s %02X, then %02X, %u bytes%s", pio.to_host ? "in" : "out", pio.status,
                  pio.end_status, pio.transfer_count, pio.interrupt ? " I" : "");
  } else if (frame.type() == 0x39) {
    return "Activate";
  } else if (frame.type() == 0x46) {
    return "Data " + std::to_string(sata::payload_bytes(frame));
  }
  return text;
}

}  // namespace ncqlab::drive
