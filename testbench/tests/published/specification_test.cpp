// A drive built from its maker's specification alone, held to the figures that the maker states for it:
// HDS725050KLA360, Deskstar 7K500 specification, 4.4.5 (tables 11 and 12, "typical", which the maker puts 5 % above his
// own formula).
#include <gtest/gtest.h>

#include <vector>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "model/sim/random.h"
#include "testbench/lab/rig.h"

namespace ncqlab {
namespace {

constexpr double kBound = 0.08;

// Reads one after the other. The clock starts when the first has been answered, which only moves the arm away.
class TimedReads final : public workload::Workload {
 public:
  struct Read {
    std::uint64_t lba;
    std::uint32_t sectors;
  };
  explicit TimedReads(std::vector<Read> reads) : reads_(std::move(reads)) {}
  void start(workload::Target& target) override {
    target_ = &target;
    submit();
  }
  void completed(workload::Io& io) override {
    if (++answered_ == 1) started_ = io.completed;
    ended_ = io.completed;
    if (!finished()) submit();
  }
  void woken(std::uint64_t) override {}
  bool finished() const override { return answered_ == reads_.size(); }
  double seconds() const { return sim::to_ms(ended_ - started_) / 1000; }

 private:
  void submit() {
    io_.lba = reads_[answered_].lba;
    io_.sectors = reads_[answered_].sectors;
    target_->submit(io_);
  }

  std::vector<Read> reads_;
  std::size_t answered_ = 0;
  workload::Target* target_ = nullptr;
  workload::Io io_;
  sim::Time started_ = 0;
  sim::Time ended_ = 0;
};

// The mean over the nominal drive and others.
double seconds_of(const std::vector<TimedReads::Read>& reads, std::uint64_t layouts) {
  lab::RigSpec spec;
  spec.drive = config::load_drive_profile("hds725050kla360");
  spec.controller = config::load_controller_profile("generic");
  double sum = 0;
  for (std::uint64_t layout = 0; layout < layouts; ++layout) {
    spec.layout = {layout};
    lab::Rig rig(spec);
    TimedReads workload(reads);
    rig.run(workload, {});
    sum += workload.seconds();
  }
  return sum / static_cast<double>(layouts);
}

std::uint64_t capacity() { return config::load_drive_profile("hds725050kla360").capacity_sectors; }

// 8000h blocks by 128 commands, after an average seek: a third of the LBAs away.
std::vector<TimedReads::Read> sixteen_mebibytes(std::uint64_t first, std::uint64_t away) {
  std::vector<TimedReads::Read> reads{{away, 1}};
  for (std::uint64_t i = 0; i < 128; ++i) reads.push_back({first + i * 256, 256});
  return reads;
}

TEST(Specification, FourThousandRandomReads) {
  sim::Stream stream(1, "test/specification");
  std::vector<TimedReads::Read> reads{{0, 1}};
  for (int i = 0; i < 4096; ++i) reads.push_back({stream.below(capacity()), 1});
  const double simulated = seconds_of(reads, 1);
  RecordProperty("seconds", std::to_string(simulated));
  EXPECT_NEAR(simulated, 55.5, 55.5 * kBound);
}

TEST(Specification, SixteenMebibytesOfZone0) {
  const double simulated = seconds_of(sixteen_mebibytes(0, capacity() / 3), 4);
  RecordProperty("seconds", std::to_string(simulated));
  EXPECT_NEAR(simulated, 0.29, 0.29 * kBound);
}

TEST(Specification, SixteenMebibytesOfZone29) {
  const double simulated = seconds_of(sixteen_mebibytes(capacity() - 128 * 256, capacity() / 3 * 2), 4);
  RecordProperty("seconds", std::to_string(simulated));
  EXPECT_NEAR(simulated, 0.59, 0.59 * kBound);
}

}  // namespace
}  // namespace ncqlab
