// The guest's RAM as a PC lays it out: from 0 up to the hole below 4 GiB, the rest from 4 GiB on.
#pragma once

#include <cstdint>

#include "model/host/sparse_ram.h"

namespace ncqlab::qtest {

class Ram {
 public:
  explicit Ram(std::uint64_t bytes);

  // How many of the bytes from `address` on are RAM: 0 when the first isn't.
  std::uint64_t run(std::uint64_t address, std::uint64_t bytes) const;
  // All bytes are RAM.
  void read(std::uint64_t address, std::uint8_t* to, std::uint64_t bytes) const {
    memory_.read(place(address), to, bytes);
  }
  void write(std::uint64_t address, const std::uint8_t* from, std::uint64_t bytes) {
    memory_.write(place(address), from, bytes);
  }

 private:
  std::uint64_t place(std::uint64_t address) const;

  host::SparseRam memory_;
  std::uint64_t below_4gib_;
};

}  // namespace ncqlab::qtest
