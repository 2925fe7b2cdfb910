// A job in the manner of fio: one pattern, one block size, a number of requests kept outstanding.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "model/sim/random.h"
#include "model/sim/time.h"
#include "testbench/workload/target.h"

namespace ncqlab::workload {

enum class Pattern : std::uint8_t { read, write, randread, randwrite, readwrite, randrw };

// fio's names; "rw" is another name of "readwrite". False leaves `pattern` unchanged.
bool parse_pattern(std::string_view name, Pattern& pattern);
std::string_view name_of(Pattern pattern);

struct JobOptions {
  Pattern rw = Pattern::randread;
  unsigned rwmixread_percent = 50;  // of readwrite and randrw, drawn for each request
  std::uint64_t bs_bytes = 4096;    // a multiple of 512
  unsigned iodepth = 1;
  std::uint64_t offset_bytes = 0;  // the region; a multiple of 512
  std::uint64_t size_bytes = 0;    // 0: to the end of the disk. Only whole blocks are used
  std::uint64_t requests = 0;      // reads and writes to do; 0: no limit
  sim::Time time_limit = 0;        // none is submitted from this time after the start; 0: no limit
  // After so many writes the job waits for what is outstanding, flushes the disk's cache and waits for that, as a
  // program that calls fsync(2) does; 0: never. A flush isn't counted as a request.
  std::uint64_t fsync_every_writes = 0;
  bool fua = false;        // every write goes to the medium before it is answered
  std::uint64_t seed = 1;  // of the streams "job/offset" and "job/mix"
};

// What is wrong with the options on a disk of that size, a sentence each with fio's name of the option; empty: nothing.
std::vector<std::string> problems_of(const JobOptions& options, std::uint64_t capacity_sectors);

// Is told of every read, write and flush that was answered.
class CompletionListener {
 public:
  virtual void io_completed(const Io& io) = 0;

 protected:
  ~CompletionListener() = default;
};

struct JobResult {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t flushes = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
  std::uint64_t failed = 0;
  sim::Time started = 0;
  sim::Time ended = 0;  // the last answer

  double seconds() const { return sim::to_seconds(ended - started); }
  // Of reads and writes; 0 for a run of no length.
  double requests_per_second() const;
  double bytes_per_second() const;
};

// Random patterns draw a block of the region for each request, again if chance has it (fio's norandommap). Sequential
// ones go through the region from its start and begin anew at its end; reads and writes of readwrite each have a
// position of their own, as in fio.
class Job final : public Workload {
 public:
  explicit Job(const JobOptions& options, CompletionListener* listener = nullptr);

  void start(Target& target) override;  // throws std::invalid_argument with the first of problems_of()
  void completed(Io& io) override;
  void woken(std::uint64_t user) override;
  bool finished() const override { return target_ != nullptr && ended_; }

  const JobResult& result() const { return result_; }

 private:
  bool may_submit() const;
  void fill();
  void submit(Io& io);
  void submit_flush();
  std::uint64_t next_block(IoKind kind);
  IoKind next_kind();

  JobOptions options_;
  CompletionListener* listener_;
  Target* target_ = nullptr;
  sim::Stream offsets_;
  sim::Stream mix_;
  std::uint64_t blocks_ = 0;
  std::uint64_t next_read_block_ = 0;
  std::uint64_t next_write_block_ = 0;
  std::uint64_t submitted_ = 0;
  std::uint64_t writes_since_flush_ = 0;
  unsigned outstanding_ = 0;
  bool flush_due_ = false;
  bool ended_ = false;
  std::deque<Io> ios_;
  std::vector<Io*> free_ios_;
  JobResult result_;
};

}  // namespace ncqlab::workload
