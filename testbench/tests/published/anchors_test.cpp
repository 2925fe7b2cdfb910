// Anchors that no fit can bend: what follows from rotation, seek curve and zones alone, through the whole stack.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "testbench/lab/job_experiment.h"
#include "testbench/lab/shared_tables.h"

namespace ncqlab {
namespace {

lab::JobSetup setup_for(const char* rw, unsigned iodepth, std::uint64_t requests) {
  lab::JobSetup setup;
  setup.subject.drive = config::load_drive_profile("st31000340as");
  setup.subject.controller = config::load_controller_profile("generic");
  EXPECT_TRUE(workload::parse_pattern(rw, setup.job.rw));
  setup.job.iodepth = iodepth;
  setup.job.requests = requests;
  setup.host_overhead = 10 * sim::kMicrosecond;
  setup.host_jitter = 0.5;
  return setup;
}

double revolution_ms(const lab::JobSetup& setup) { return 60'000.0 / setup.subject.drive.mechanics.rpm; }

TEST(Anchors, WriteThroughSequential4KiBAtDepth1IsOneRevolutionEach) {
  lab::JobSetup setup = setup_for("write", 1, 2000);
  setup.write_cache = false;
  const lab::JobOutcome outcome = lab::run_job(setup);
  const double each_ms = 1000.0 / outcome.requests_per_second.mean;
  // From the start of one write to the start of the next: a revolution and the eight sectors of the first.
  const double eight_sectors = 8.0 / setup.subject.drive.mechanics.zones.outer_sectors_per_track;
  EXPECT_NEAR(each_ms, revolution_ms(setup) * (1 + eight_sectors), revolution_ms(setup) * 0.002);
}

// Mean movement between two uniformly random LBAs, over a grid of pairs.
double seek_integral_ms(const drive::Profile& profile) {
  const auto tables = lab::shared_tables(profile, drive::Layout{0});
  constexpr std::uint64_t kGrid = 1500;
  std::vector<std::uint32_t> cylinders;
  for (std::uint64_t i = 0; i < kGrid; ++i) {
    cylinders.push_back(tables->geometry.locate(profile.capacity_sectors / kGrid * i).cylinder);
  }
  double sum_ms = 0;
  for (const std::uint32_t from : cylinders) {
    for (const std::uint32_t to : cylinders) sum_ms += sim::to_ms(tables->seek[from > to ? from - to : to - from]);
  }
  return sum_ms / static_cast<double>(kGrid * kGrid);
}

TEST(Anchors, UniformRandomReadIsOverheadPlusSeekIntegralPlusHalfARevolution) {
  lab::JobSetup setup = setup_for("randread", 1, 20'000);
  setup.subject.drive.read_ahead.hold_bytes = 0;  // the arm is free when the next command comes
  const lab::JobOutcome outcome = lab::run_job(setup);
  const drive::Overheads& overheads = setup.subject.drive.overheads;
  const double overhead_ms =
      sim::to_ms(overheads.read_command + overheads.queued_command + overheads.queued_media_access +
                 setup.subject.drive.queue.planning_latency + setup.host_overhead);
  const double expected_ms = overhead_ms + seek_integral_ms(setup.subject.drive) + revolution_ms(setup) / 2;
  const double each_ms = 1000.0 / outcome.requests_per_second.mean;
  EXPECT_NEAR(each_ms, expected_ms, expected_ms * 0.01);
}

TEST(Anchors, StreamingFollowsTheZoneFormula) {
  lab::JobSetup setup = setup_for("read", 2, 8000);
  setup.job.bs_bytes = 128 * 1024;
  const lab::JobOutcome outcome = lab::run_job(setup);
  const drive::Mechanics& mechanics = setup.subject.drive.mechanics;
  const double heads = mechanics.heads;
  const double cylinder_bytes = heads * mechanics.zones.outer_sectors_per_track * 512.0;
  const double cylinder_ms = heads * revolution_ms(setup) + (heads - 1) * sim::to_ms(mechanics.head_skew) +
                             sim::to_ms(mechanics.cylinder_skew);
  const double expected = cylinder_bytes / (cylinder_ms / 1000.0);
  EXPECT_NEAR(outcome.bytes_per_second.mean, expected, expected * 0.005);
}

TEST(Anchors, Depth31WithAFifoPickEqualsDepth1) {
  lab::JobSetup setup = setup_for("randread", 1, 5000);
  setup.subject.drive.queue.pick_policy = "fifo";
  const double alone = lab::run_job(setup).requests_per_second.mean;
  setup.job.iodepth = 31;
  const double queued = lab::run_job(setup).requests_per_second.mean;
  EXPECT_NEAR(queued / alone, 1.0, 0.02);
}

// 31 reads spread over one track, all given at once.
class OneTrack final : public workload::Workload {
 public:
  OneTrack(std::uint64_t first_lba, std::uint32_t sectors_per_track) : ios_(31) {
    for (std::size_t i = 0; i < ios_.size(); ++i) {
      // Neighbours in time are far apart on the track.
      ios_[i].lba = first_lba + (i * 12 % ios_.size()) * sectors_per_track / ios_.size();
      ios_[i].sectors = 8;
    }
  }
  void start(workload::Target& target) override {
    started = target.now();
    for (workload::Io& io : ios_) target.submit(io);
  }
  void completed(workload::Io& io) override {
    ++answered_;
    ended = io.completed;
  }
  void woken(std::uint64_t) override {}
  bool finished() const override { return answered_ == ios_.size(); }
  sim::Time started = 0;
  sim::Time ended = 0;

 private:
  std::vector<workload::Io> ios_;
  std::size_t answered_ = 0;
};

TEST(Anchors, ThirtyOneTagsOnOneTrackFinishWithinTwoRevolutions) {
  lab::RigSpec spec;
  spec.drive = config::load_drive_profile("st31000340as");
  spec.controller = config::load_controller_profile("generic");
  for (std::uint64_t layout = 1; layout <= 8; ++layout) {
    spec.layout = {layout};
    lab::Rig rig(spec);
    // The track where the arm rests after power-on.
    OneTrack workload(0, spec.drive.mechanics.zones.outer_sectors_per_track);
    workload::HostOptions host;
    host.queue_depth = 31;
    rig.run(workload, host);
    // The first command is taken at once, wherever its sector is: at worst a revolution until that passes, and another
    // for the rest. Its overheads come before.
    const drive::Overheads& overheads = spec.drive.overheads;
    const sim::Time before = overheads.read_command + overheads.queued_command + overheads.queued_media_access +
                             spec.drive.queue.planning_latency;
    const sim::Time moving = workload.ended - workload.started - before;
    EXPECT_LE(sim::to_ms(moving) * spec.drive.mechanics.rpm / 60'000.0, 2.0) << "layout " << layout;
  }
}

}  // namespace
}  // namespace ncqlab
