#include "testbench/workload/raidtest.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/sim/random.h"

namespace ncqlab::workload {

namespace {

constexpr std::uint32_t kLongest_sectors = 256;  // raidtest.c: MAX_IO_LENGTH, 131072 bytes

// Moves the total into the middle of the published interval, one sector a request and pass, from the front.
void nudge_to_published_mean(std::vector<RaidtestRequest>& requests) {
  const double count = static_cast<double>(requests.size());
  const double middle = (kPublishedMeanMin_bytes + kPublishedMeanMax_bytes) / 2;
  const auto wanted = static_cast<std::int64_t>(std::llround(count * middle / kSector_bytes));
  std::int64_t missing = wanted;
  for (const RaidtestRequest& request : requests) missing -= request.sectors;
  while (missing != 0) {
    for (RaidtestRequest& request : requests) {
      if (missing == 0) break;
      if (missing > 0 && request.sectors < kLongest_sectors) {
        ++request.sectors;
        --missing;
      } else if (missing < 0 && request.sectors > 1) {
        --request.sectors;
        ++missing;
      }
    }
  }
}

// The tool takes both times by gettimeofday().
std::uint64_t elapsed_us(sim::Time started, sim::Time ended) {
  return static_cast<std::uint64_t>(ended / sim::kMicrosecond - started / sim::kMicrosecond);
}

}  // namespace

RequestFile make_request_file(const RaidtestPreset& preset, std::uint64_t capacity_sectors, std::uint64_t seed) {
  const std::uint64_t region_sectors = preset.region_sectors == 0 ? capacity_sectors : preset.region_sectors;
  if (region_sectors > capacity_sectors) {
    throw std::invalid_argument("raidtest region of " + std::to_string(region_sectors) +
                                " sectors reaches beyond the disk's " + std::to_string(capacity_sectors));
  }
  if (region_sectors <= kLongest_sectors) {
    throw std::invalid_argument("raidtest region must be longer than 256 sectors, not " +
                                std::to_string(region_sectors));
  }
  if (!(preset.write_fraction >= 0 && preset.write_fraction <= 1)) {
    throw std::invalid_argument("raidtest write fraction must be in 0..1");
  }

  RequestFile file;
  file.requests.resize(preset.requests);
  sim::Stream sizes(seed, "raidtest/size");
  for (RaidtestRequest& request : file.requests) {
    request.sectors = static_cast<std::uint32_t>(sizes.below(kLongest_sectors)) + 1;
  }
  nudge_to_published_mean(file.requests);

  sim::Stream offsets(seed, "raidtest/offset");
  sim::Stream kinds(seed, "raidtest/kind");
  for (RaidtestRequest& request : file.requests) {
    request.lba = offsets.below(region_sectors - request.sectors);
    request.kind = kinds.unit() < preset.write_fraction ? IoKind::write : IoKind::read;
    file.bytes += std::uint64_t{request.sectors} * kSector_bytes;
  }
  return file;
}

HostOptions host_options(const RaidtestPreset& preset, unsigned queue_depth, std::uint64_t seed) {
  HostOptions options;
  options.elevator = preset.elevator;
  if (queue_depth == 1 && preset.split_bytes != 0) options.max_request_bytes = preset.split_bytes;
  options.queue_depth = queue_depth;
  options.overhead = preset.host_overhead;
  options.jitter = preset.host_jitter;
  options.seed = seed;
  return options;
}

Raidtest::Raidtest(const RequestFile& file, unsigned processes) : file_(&file), processes_(processes) {
  const std::size_t share = processes == 0 ? 0 : file.requests.size() / processes;
  if (share == 0) {
    throw std::invalid_argument(
        "raidtest needs at least one process and one request for each: " + std::to_string(processes) + " processes, " +
        std::to_string(file.requests.size()) + " requests");
  }
  std::size_t first = 0;
  for (Process& process : processes_) {
    process.next = first;
    process.end = first + share;
    first = process.end;
  }
}

void Raidtest::start(Target& target) {
  target_ = &target;
  started_ = target.now();
  running_ = processes_.size();
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    processes_[i].io.user = i;
    submit_next(processes_[i]);
  }
}

void Raidtest::submit_next(Process& process) {
  const RaidtestRequest& request = file_->requests[process.next++];
  process.io.kind = request.kind;
  process.io.lba = request.lba;
  process.io.sectors = request.sectors;
  target_->submit(process.io);
}

void Raidtest::completed(Io& io) {
  Process& process = processes_[io.user];
  ++done_;
  if (!io.ok) ++failed_;  // the tool prints it and goes on
  if (process.next < process.end) {
    submit_next(process);
  } else if (--running_ == 0) {
    ended_ = target_->now();
  }
}

void Raidtest::woken(std::uint64_t) {}

RaidtestResult Raidtest::result() const {
  RaidtestResult result;
  result.requests_done = done_;
  result.failed = failed_;
  result.elapsed = ended_ - started_;
  const double seconds = static_cast<double>(std::max<std::uint64_t>(elapsed_us(started_, ended_), 1)) / 1e6;
  result.bytes_per_second = static_cast<std::uint64_t>(static_cast<double>(file_->bytes) / seconds);
  result.requests_per_second = static_cast<std::uint64_t>(static_cast<double>(file_->requests.size()) / seconds);
  return result;
}

}  // namespace ncqlab::workload
