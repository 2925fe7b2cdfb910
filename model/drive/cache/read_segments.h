// The read cache: a few segments, each one run of consecutive LBAs, the least recently used one replaced.
#pragma once

#include <cstdint>
#include <vector>

namespace ncqlab::drive {

class ReadSegments {
 public:
  struct Segment {
    std::uint64_t first = 0;
    std::uint64_t end = 0;  // exclusive; first == end: empty
    std::uint64_t last_use = 0;
  };

  // `count` segments of at most `capacity_sectors` each.
  ReadSegments(unsigned count, std::uint64_t capacity_sectors) : segments_(count), capacity_(capacity_sectors) {}

  // The segment in which `lba` lies, or null. Counts as a use.
  Segment* find(std::uint64_t lba);
  // Remembers [first, end), or its last part when that is more than a segment holds. Continues the segment that ends
  // in or touches the run, else replaces the least recently used.
  void store(std::uint64_t first, std::uint64_t end);
  // Forgets every segment that overlaps [first, end).
  void drop(std::uint64_t first, std::uint64_t end);
  // Gives up the least recently used segments until the others hold at most so many sectors together.
  void keep_within(std::uint64_t sectors);
  void clear();

 private:
  std::vector<Segment> segments_;
  std::uint64_t capacity_;
  std::uint64_t clock_ = 0;
};

}  // namespace ncqlab::drive
