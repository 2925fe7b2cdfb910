// Never-written sectors hold the oracle's pattern of generation 0, so that a read from a wrong place is recognised.
#pragma once

#include "model/drive/media/contents.h"
#include "testbench/oracle/pattern.h"

namespace ncqlab::lab {

class FactoryPattern final : public drive::FactoryContents {
 public:
  void fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const override {
    oracle::fill(buffer, lba, sectors, oracle::kFactory);
  }
};

}  // namespace ncqlab::lab
