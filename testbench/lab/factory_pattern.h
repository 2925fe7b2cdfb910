// The oracle's pattern as a drive sees it: never-written sectors hold that of generation 0, so that a read from a wrong
// place is recognised, and written ones need not be kept byte by byte.
#pragma once

#include <cstring>

#include "model/drive/media/contents.h"
#include "testbench/oracle/pattern.h"

namespace ncqlab::lab {

class FactoryPattern final : public drive::FactoryContents {
 public:
  void fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const override {
    oracle::fill(buffer, lba, sectors, oracle::kFactory);
  }
};

// A sector's key is its generation.
class OraclePattern final : public drive::SectorPattern {
 public:
  bool recognise(std::uint64_t lba, const std::uint8_t* sector, std::uint64_t& key) const override {
    std::uint64_t head[2];
    std::memcpy(head, sector, sizeof head);
    if (head[0] != (lba ^ oracle::kTag)) return false;
    key = head[1];
    return oracle::matching_sectors(sector, lba, 1, key) == 1;
  }
  void fill(std::uint64_t lba, std::uint64_t key, std::uint8_t* sector) const override {
    oracle::fill(sector, lba, 1, key);
  }
};

}  // namespace ncqlab::lab
