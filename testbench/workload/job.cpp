#include "testbench/workload/job.h"

#include <array>
#include <stdexcept>
#include <utility>

#include "testbench/workload/host_layer.h"

namespace ncqlab::workload {

namespace {

constexpr std::array<std::pair<std::string_view, Pattern>, 7> kPatterns{{{"read", Pattern::read},
                                                                         {"write", Pattern::write},
                                                                         {"randread", Pattern::randread},
                                                                         {"randwrite", Pattern::randwrite},
                                                                         {"readwrite", Pattern::readwrite},
                                                                         {"rw", Pattern::readwrite},
                                                                         {"randrw", Pattern::randrw}}};

bool is_random(Pattern pattern) {
  return pattern == Pattern::randread || pattern == Pattern::randwrite || pattern == Pattern::randrw;
}

std::uint64_t region_bytes(const JobOptions& options, std::uint64_t capacity_sectors) {
  return options.size_bytes != 0 ? options.size_bytes : capacity_sectors * kSector_bytes - options.offset_bytes;
}

}  // namespace

bool parse_pattern(std::string_view name, Pattern& pattern) {
  for (const auto& [candidate, value] : kPatterns) {
    if (name != candidate) continue;
    pattern = value;
    return true;
  }
  return false;
}

std::string_view name_of(Pattern pattern) {
  for (const auto& [name, value] : kPatterns) {
    if (value == pattern) return name;
  }
  return {};
}

std::vector<std::string> problems_of(const JobOptions& options, std::uint64_t capacity_sectors) {
  std::vector<std::string> problems;
  const std::uint64_t capacity_bytes = capacity_sectors * kSector_bytes;
  if (options.bs_bytes == 0 || options.bs_bytes % kSector_bytes != 0) {
    problems.push_back("bs must be a multiple of the sector's 512 bytes, not " + std::to_string(options.bs_bytes));
  }
  if (options.bs_bytes / kSector_bytes > UINT32_MAX) problems.push_back("bs must be under 2 TiB");
  if (options.iodepth == 0) problems.push_back("iodepth must be at least 1");
  if (options.rwmixread_percent > 100) {
    problems.push_back("rwmixread must be in 0..100, not " + std::to_string(options.rwmixread_percent));
  }
  if (options.offset_bytes % kSector_bytes != 0) {
    problems.push_back("offset must be a multiple of the sector's 512 bytes, not " +
                       std::to_string(options.offset_bytes));
  }
  if (options.requests == 0 && options.time_limit <= 0) problems.push_back("number of requests or time must be given");
  if (options.offset_bytes > capacity_bytes || options.size_bytes > capacity_bytes - options.offset_bytes) {
    problems.push_back("region of " + std::to_string(options.size_bytes) + " bytes from offset " +
                       std::to_string(options.offset_bytes) + " reaches beyond the disk's " +
                       std::to_string(capacity_bytes) + " bytes");
  } else if (region_bytes(options, capacity_sectors) < options.bs_bytes) {
    problems.push_back("region of " + std::to_string(region_bytes(options, capacity_sectors)) +
                       " bytes is shorter than one block of " + std::to_string(options.bs_bytes));
  }
  return problems;
}

double JobResult::requests_per_second() const {
  return ended > started ? static_cast<double>(reads + writes) / seconds() : 0;
}

double JobResult::bytes_per_second() const {
  return ended > started ? static_cast<double>(read_bytes + written_bytes) / seconds() : 0;
}

Job::Job(const JobOptions& options, CompletionListener* listener)
    : options_(options), listener_(listener), offsets_(options.seed, "job/offset"), mix_(options.seed, "job/mix") {}

void Job::start(Target& target) {
  const std::vector<std::string> problems = problems_of(options_, target.capacity_sectors());
  if (!problems.empty()) throw std::invalid_argument(problems.front());
  target_ = &target;
  blocks_ = region_bytes(options_, target.capacity_sectors()) / options_.bs_bytes;
  result_.started = target.now();
  result_.ended = result_.started;
  fill();
}

bool Job::may_submit() const {
  if (options_.requests != 0 && submitted_ >= options_.requests) return false;
  return options_.time_limit <= 0 || target_->now() < result_.started + options_.time_limit;
}

void Job::fill() {
  while (!flush_due_ && outstanding_ < options_.iodepth && may_submit()) {
    if (free_ios_.empty()) free_ios_.push_back(&ios_.emplace_back());
    Io& io = *free_ios_.back();
    free_ios_.pop_back();
    io = Io{};
    io.kind = next_kind();
    io.sectors = static_cast<std::uint32_t>(options_.bs_bytes / kSector_bytes);
    io.lba = options_.offset_bytes / kSector_bytes + next_block(io.kind) * io.sectors;
    io.force_unit_access = options_.fua && io.kind == IoKind::write;
    ++submitted_;
    if (io.kind == IoKind::write && ++writes_since_flush_ == options_.fsync_every_writes) flush_due_ = true;
    submit(io);
  }
  if (outstanding_ > 0) return;
  if (flush_due_) {
    submit_flush();
  } else {
    ended_ = true;
  }
}

void Job::submit(Io& io) {
  ++outstanding_;
  target_->submit(io);
}

void Job::submit_flush() {
  Io& io = *free_ios_.back();  // nothing is outstanding, so there is one
  free_ios_.pop_back();
  io = Io{};
  io.kind = IoKind::flush;
  flush_due_ = false;
  writes_since_flush_ = 0;
  submit(io);
}

IoKind Job::next_kind() {
  switch (options_.rw) {
    case Pattern::read:
    case Pattern::randread:
      return IoKind::read;
    case Pattern::write:
    case Pattern::randwrite:
      return IoKind::write;
    case Pattern::readwrite:
    case Pattern::randrw:
      break;
  }
  return mix_.below(100) < options_.rwmixread_percent ? IoKind::read : IoKind::write;
}

std::uint64_t Job::next_block(IoKind kind) {
  if (is_random(options_.rw)) return offsets_.below(blocks_);
  std::uint64_t& next = kind == IoKind::read ? next_read_block_ : next_write_block_;
  const std::uint64_t block = next;
  next = next + 1 == blocks_ ? 0 : next + 1;
  return block;
}

void Job::completed(Io& io) {
  --outstanding_;
  const std::uint64_t bytes = std::uint64_t{io.sectors} * kSector_bytes;
  if (!io.ok) {
    ++result_.failed;
  } else if (io.kind == IoKind::read) {
    ++result_.reads;
    result_.read_bytes += bytes;
  } else if (io.kind == IoKind::write) {
    ++result_.writes;
    result_.written_bytes += bytes;
  } else {
    ++result_.flushes;
  }
  result_.ended = target_->now();
  if (listener_ != nullptr) listener_->io_completed(io);
  free_ios_.push_back(&io);
  fill();
}

void Job::woken(std::uint64_t) {}

}  // namespace ncqlab::workload
