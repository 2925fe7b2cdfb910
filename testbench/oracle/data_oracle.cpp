#include "testbench/oracle/data_oracle.h"

#include <algorithm>
#include <cstdio>

#include "testbench/oracle/pattern.h"

namespace ncqlab::oracle {

namespace {

std::string generation_text(std::uint64_t generation) {
  return generation == kFactory ? "factory contents" : "generation " + std::to_string(generation);
}

std::string expected_text(const Versions& versions, Moment read_submitted) {
  std::string text;
  versions.for_each([&](const Version& version) {
    if (!version.acceptable(read_submitted)) return;
    if (!text.empty()) text += " or ";
    text += generation_text(version.generation);
  });
  return text;
}

std::string tail_text(const Found& found, std::uint64_t lba, std::uint64_t last_generation, const Versions& versions) {
  std::string text = "another pattern";
  const auto try_generation = [&](std::uint64_t generation) {
    if (base(lba, generation) == found.tail_base) text = generation_text(generation);
  };
  // The likely ones: what may be here now, and what was written last anywhere.
  constexpr std::uint64_t kTries = 1000;
  for (std::uint64_t back = 0; back < std::min(kTries, last_generation); ++back) try_generation(last_generation - back);
  try_generation(kFactory);
  versions.for_each([&](const Version& version) { try_generation(version.generation); });
  return text;
}

}  // namespace

void DataOracle::split_at(std::uint64_t lba) {
  auto behind = extents_.upper_bound(lba);
  if (behind == extents_.begin()) return;
  const auto extent = std::prev(behind);
  if (extent->first == lba || extent->second.end <= lba) return;
  Extent tail = extent->second;
  extent->second.end = lba;
  extents_.emplace_hint(behind, lba, std::move(tail));
}

WriteTicket DataOracle::write_submitted(std::uint64_t lba, std::uint32_t sectors) {
  const WriteTicket write{lba, sectors, ++last_generation_, ++moment_};
  const std::uint64_t end = lba + sectors;
  split_at(lba);
  split_at(end);
  auto extent = extents_.lower_bound(lba);
  for (std::uint64_t at = lba; at < end; at = extent->second.end, ++extent) {
    if (extent == extents_.end() || extent->first != at) {
      const std::uint64_t gap_end = extent == extents_.end() ? end : std::min(end, extent->first);
      extent = extents_.emplace_hint(extent, at, Extent{gap_end, {}});
    }
    extent->second.versions.add({write.generation, kOpen, kOpen});
  }
  return write;
}

void DataOracle::write_completed(const WriteTicket& write, bool ok) {
  const Moment now = ++moment_;
  const std::uint64_t end = write.lba + write.sectors;
  for (auto extent = extents_.lower_bound(write.lba); extent != extents_.end() && extent->first < end; ++extent) {
    extent->second.versions.for_each([&](Version& version) {
      if (version.generation == write.generation) {
        version.completed = now;
      } else if (ok && version.completed < write.submitted) {
        version.superseded = std::min(version.superseded, now);
      }
    });
  }
  settle(write.lba, end);
}

// Forgets versions that nobody may read any more, and joins neighbours that have become alike.
void DataOracle::settle(std::uint64_t lba, std::uint64_t end) {
  const Moment oldest_read = oldest_open_read();
  auto extent = extents_.lower_bound(lba);
  for (; extent != extents_.end() && extent->first <= end; ++extent) {
    if (extent->first < end) extent->second.versions.forget_before(oldest_read);
    if (extent == extents_.begin()) continue;
    const auto before = std::prev(extent);
    if (before->second.end != extent->first || !before->second.versions.same_single(extent->second.versions)) continue;
    before->second.end = extent->second.end;
    extents_.erase(extent);
    extent = before;
  }
}

ReadTicket DataOracle::read_submitted(std::uint64_t lba, std::uint32_t sectors) {
  const ReadTicket read{lba, sectors, ++moment_, first_read_ + reads_.size()};
  reads_.push_back({read.submitted, false});
  return read;
}

Moment DataOracle::oldest_open_read() const { return reads_.empty() ? moment_ : reads_.front().submitted; }

void DataOracle::close(const ReadTicket& read) {
  reads_[read.number - first_read_].closed = true;
  while (!reads_.empty() && reads_.front().closed) {
    reads_.pop_front();
    ++first_read_;
  }
}

bool DataOracle::read_completed(const ReadTicket& read, const void* buffer, sim::Time now) {
  static const Versions kNeverWritten;
  const auto* bytes = static_cast<const std::uint8_t*>(buffer);
  const std::uint64_t bad_before = bad_sectors_;
  const std::uint64_t end = read.lba + read.sectors;
  bool several_versions = false;
  auto extent = extents_.upper_bound(read.lba);
  if (extent != extents_.begin() && std::prev(extent)->second.end > read.lba) --extent;
  for (std::uint64_t at = read.lba; at < end;) {
    const bool written = extent != extents_.end() && extent->first <= at;
    const std::uint64_t next = written ? extent->second.end : extent == extents_.end() ? end : extent->first;
    const std::uint64_t run_end = std::min(end, next);
    const Versions& versions = written ? extent->second.versions : kNeverWritten;
    several_versions = several_versions || versions.size() > 1;
    check_run(read, at, run_end, versions, bytes + (at - read.lba) * kSector_bytes, now);
    if (written) ++extent;
    at = run_end;
  }
  sectors_checked_ += read.sectors;
  close(read);
  if (several_versions) settle(read.lba, end);
  return bad_sectors_ == bad_before;
}

void DataOracle::check_run(const ReadTicket& read, std::uint64_t lba, std::uint64_t end, const Versions& versions,
                           const std::uint8_t* buffer, sim::Time now) {
  while (lba < end) {
    std::uint32_t good = 0;
    versions.for_each([&](const Version& version) {
      if (good != 0 || !version.acceptable(read.submitted)) return;
      good = matching_sectors(buffer, lba, static_cast<std::uint32_t>(end - lba), version.generation);
    });
    if (good == 0) {
      report(read, lba, versions, buffer, now);
      good = 1;
    }
    lba += good;
    buffer += std::size_t{good} * kSector_bytes;
  }
}

void DataOracle::report(const ReadTicket& read, std::uint64_t lba, const Versions& versions, const std::uint8_t* sector,
                        sim::Time now) {
  ++bad_sectors_;
  if (errors_.size() >= kMaxTexts) return;
  const Found found = identify(sector);
  std::string what;
  switch (found.what) {
    case Found::What::zeros:
      what = "zeros";
      break;
    case Found::What::unknown:
      what = "no pattern of this test";
      break;
    case Found::What::torn:
      what = "a torn sector: " + generation_text(found.generation) +
             (found.lba == lba ? "" : " of LBA " + std::to_string(found.lba)) + " up to byte " +
             std::to_string(found.torn_at) + ", " + tail_text(found, lba, last_generation_, versions) + " from there";
      break;
    case Found::What::intact:
      what = generation_text(found.generation);
      if (found.lba != lba) {
        what += " of LBA " + std::to_string(found.lba);
      } else {
        what += found.generation > last_generation_ ? ", which was never written" : ", which was overwritten";
      }
      break;
  }
  char where[80];
  std::snprintf(where, sizeof where, "LBA %llu, read at %.6f ms: ", static_cast<unsigned long long>(lba),
                sim::to_ms(now));
  errors_.push_back(where + ("expected " + expected_text(versions, read.submitted)) + ", found " + what);
}

}  // namespace ncqlab::oracle
