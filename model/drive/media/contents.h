// What the sectors of a disk hold, in two layers: on the platter, and in the drive's volatile buffer, where data stand
// from their arrival until the head has written them. A host reads the buffer's first. A sector that was never written
// holds what the factory left there.
//
// A pass of the head writes what the buffer held when it began; data that come for its sectors meanwhile stay in the
// buffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/drive/media/durable_times.h"
#include "model/drive/media/sector_store.h"

namespace ncqlab::drive {

// What never-written sectors read as. A test oracle installs a pattern that names the LBA, so that data from a wrong
// place are recognised; without one they read as zeros.
class FactoryContents {
 public:
  virtual void fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const = 0;

 protected:
  ~FactoryContents() = default;
};

class Contents;

// Wants to know when what a host has written must last (FLUSH CACHE), such as a file behind the disk.
class FlushListener {
 public:
  virtual void flushed(const Contents& contents) = 0;

 protected:
  ~FlushListener() = default;
};

class Contents {
 public:
  explicit Contents(const FactoryContents* factory = nullptr, const SectorPattern* pattern = nullptr)
      : factory_(factory), platter_(pattern), buffer_(pattern), leaving_(pattern), pattern_(pattern) {}

  // The head begins to write the extent, and has written it.
  void write_pass_begins(const Extent& extent) { pass_ = extent; }
  void write_pass_ended(sim::Time now, const Extent& extent);

  // The host's view.
  void read(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const;
  void write(std::uint64_t lba, std::uint32_t sectors, const std::uint8_t* data);
  // The sectors are again as the factory left them, on the platter too.
  void discard(std::uint64_t lba, std::uint64_t sectors);

  // What a host would read if the power failed now and the drive saved nothing; a sector that the head is just writing
  // counts as it was before.
  void read_platter(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const;

  // Where the newest data of a sector are.
  enum class Place : std::uint8_t { platter, buffer, under_head };
  Place place_of(std::uint64_t lba) const;
  // Since when the sector on the platter is as it is; nullopt: as the factory left it, or nobody keeps count.
  void keep_durable_times() { times_.emplace(); }
  std::optional<sim::Time> durable_since(std::uint64_t lba) const { return times_ ? times_->since(lba) : std::nullopt; }

  // What the buffer holds of the extent is given up: the platter's counts again.
  void drop_buffered(const Extent& extent);

  // What the buffer holds of the extent and the pass under way does not write.
  std::vector<Extent> in_buffer_only(const Extent& extent) const;

  // The power fails: the pass has come to `written_end`, and `kept` of the buffer is saved by the drive's own means.
  void power_off(sim::Time now, std::uint64_t written_end, const std::vector<Extent>& kept);

  // Calls visit(LBA, its 512 bytes) for every sector that was written, in LBA order, as a host would read it.
  template <class Visit>
  void visit_written(Visit visit) const;

 private:
  void fill_from_factory(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const;
  void keep_for_pass(std::uint64_t lba, std::uint32_t sectors);
  void reach_platter(sim::Time now, const Extent& extent);

  const FactoryContents* factory_;
  SectorStore platter_;
  SectorStore buffer_;
  SectorStore leaving_;  // what the pass under way writes, where the buffer has newer data since it began
  const SectorPattern* pattern_;
  Extent pass_;
  std::optional<DurableTimes> times_;
};

template <class Visit>
void Contents::visit_written(Visit visit) const {
  constexpr Extent kAll{0, ~std::uint64_t{0}};
  std::vector<Extent> runs;
  const auto note = [&](std::uint64_t lba, std::uint32_t sectors) { runs.push_back({lba, lba + sectors}); };
  platter_.visit_runs(kAll, note);
  buffer_.visit_runs(kAll, note);
  std::sort(runs.begin(), runs.end(), [](const Extent& a, const Extent& b) { return a.first < b.first; });
  std::uint8_t sector[kSector_bytes];
  std::uint64_t next = 0;
  for (const Extent& run : runs) {
    for (std::uint64_t lba = std::max(run.first, next); lba < run.end; ++lba) {
      read(lba, 1, sector);
      visit(lba, sector);
      next = lba + 1;
    }
  }
}

}  // namespace ncqlab::drive
