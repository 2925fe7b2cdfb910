// Damage on the link for tests of the controller: befalls the next frames of one type in one direction.
#pragma once

#include "model/sata/fis.h"
#include "model/sata/link_faults.h"

namespace ncqlab::test {

class Damaging final : public sata::LinkFaults {
 public:
  sata::Damage on_frame(sata::Direction direction, sata::Frame& frame) override {
    if (times == 0 || direction != where || frame.type() != static_cast<std::uint8_t>(type)) return sata::Damage::none;
    --times;
    return what;
  }
  sata::Direction where = sata::Direction::to_host;
  sata::FisType type = sata::FisType::register_d2h;
  sata::Damage what = sata::Damage::crc;
  unsigned times = 1;
};

}  // namespace ncqlab::test
