// raidtest, the FreeBSD port benchmarks/raidtest 1.x (files/raidtest.c): a file of random requests, shared out to
// processes that each do theirs one after the other.
//
// Facts taken from the tool's source: a size is uniform over 1..256 sectors; an offset is uniform over the sectors of
// the medium that leave room for it; the type is even odds unless -r or -w; each of P processes gets nreq/P consecutive
// requests (so up to P-1 at the end of the file are done by nobody); the statistics divide the bytes and requests of
// the *whole file* by the elapsed time, in microseconds, and print whole numbers, rounded down.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/sim/time.h"
#include "testbench/workload/host_layer.h"
#include "testbench/workload/target.h"

namespace ncqlab::workload {

// What raidtest and the host under it were told. The figures of 2009 were published without it, so each preset is an
// assumption and its file says so: presets/raidtest_a.json, raidtest_b.json (keys: preset_reader.h).
struct RaidtestPreset {
  std::string name;
  std::string comment;
  double write_fraction = 0.5;       // raidtest's default; 0 is its option -r
  std::uint64_t region_sectors = 0;  // from the start of the disk; 0: the whole disk
  std::uint32_t requests = 10000;    // in the file, at least the highest number of processes
  Elevator elevator = Elevator::fifo;
  std::uint32_t split_bytes = 64 * 1024;  // longest command without NCQ (ata(4): 128 sectors); 0: none
  sim::Time host_overhead = 30 * sim::kMicrosecond;
  double host_jitter = 0.5;
  std::uint32_t repetitions = 1;  // runs of the file per layout, each with its own host jitter
};

struct RaidtestRequest {
  std::uint64_t lba = 0;
  std::uint32_t sectors = 0;
  IoKind kind = IoKind::read;
};

struct RequestFile {
  std::vector<RaidtestRequest> requests;
  std::uint64_t bytes = 0;
};

// The published pairs of bytes and requests per second all come from one file, whose mean request lies in here.
inline constexpr double kPublishedMeanMin_bytes = 65411.5;
inline constexpr double kPublishedMeanMax_bytes = 65429.3;

// The file for a medium of `capacity_sectors`: drawn from the streams "raidtest/size", "raidtest/offset" and
// "raidtest/kind" of `seed`, then some sizes are changed by one sector so that the mean lies in the published interval
// (from 29 requests on; fewer come as near as whole sectors allow). Throws std::invalid_argument when the region isn't
// longer than the longest request, reaches beyond the medium, or the write fraction is outside 0..1.
RequestFile make_request_file(const RaidtestPreset& preset, std::uint64_t capacity_sectors, std::uint64_t seed);

// The host of a preset: with a depth of 1 (no NCQ) long requests are split as the preset says.
HostOptions host_options(const RaidtestPreset& preset, unsigned queue_depth, std::uint64_t seed);

struct RaidtestResult {
  std::uint64_t requests_done = 0;  // P * (nreq / P)
  std::uint64_t failed = 0;
  sim::Time elapsed = 0;
  // As the tool prints them.
  std::uint64_t bytes_per_second = 0;
  std::uint64_t requests_per_second = 0;
};

class Raidtest final : public Workload {
 public:
  // `file` must outlive this. Throws std::invalid_argument without a process, or for more processes than requests.
  Raidtest(const RequestFile& file, unsigned processes);

  void start(Target& target) override;
  void completed(Io& io) override;
  void woken(std::uint64_t user) override;
  bool finished() const override { return running_ == 0 && target_ != nullptr; }

  // Once finished.
  RaidtestResult result() const;

 private:
  struct Process {
    std::size_t next = 0;
    std::size_t end = 0;
    Io io;
  };
  void submit_next(Process& process);

  const RequestFile* file_;
  Target* target_ = nullptr;
  std::vector<Process> processes_;
  std::size_t running_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t failed_ = 0;
  sim::Time started_ = 0;
  sim::Time ended_ = 0;
};

}  // namespace ncqlab::workload
