// What goes wrong on the link or the medium is no breach of the protocol: whatever the driver makes of it, the checker
// stays silent. Requests may fail. Lost handshakes are left out: a DMA Activate that was taken and comes again asks for
// data twice, and that is a breach whoever is to blame.
#include "model/sim/actor.h"
#include "testbench/tests/system/rig_support.h"

namespace ncqlab {
namespace {

// Lets every so many frames come to nothing in the same way.
class EveryFrame final : public sata::LinkFaults {
 public:
  EveryFrame(sata::Damage damage, unsigned period) : damage_(damage), period_(period) {}
  sata::Damage on_frame(sata::Direction /*direction*/, sata::Frame& /*frame*/) override {
    return ++frames_ % period_ == 0 ? damage_ : sata::Damage::none;
  }

 private:
  sata::Damage damage_;
  unsigned period_;
  unsigned frames_ = 0;
};

workload::JobOptions mixed_job() {
  workload::JobOptions options;
  options.rw = workload::Pattern::randrw;
  options.bs_bytes = 32768;
  options.iodepth = 8;
  options.requests = 200;
  options.fsync_every_writes = 20;
  options.size_bytes = 64 << 20;
  return options;
}

// The rig's destructor says what the checker has found.
void run_and_let_fail(test::Rig& rig, const workload::JobOptions& options) {
  try {
    test::run_job(rig, options);
  } catch (const lab::Misbehaviour& error) {
    EXPECT_NE(std::string(error.what()).find("requests were answered with an error"), std::string::npos)
        << error.what();
  }
}

class CheckerSilence : public testing::TestWithParam<bool> {
 protected:
  static lab::RigSpec spec() {
    lab::RigSpec spec = test::shipped_rig();
    spec.driver.use_ncq = GetParam();
    return spec;
  }
};

TEST_P(CheckerSilence, OnALinkThatDamagesFrames) {
  for (const sata::Damage damage : {sata::Damage::crc, sata::Damage::aborted}) {
    for (const unsigned period : {7U, 41U, 100U}) {
      EveryFrame faults(damage, period);
      test::Rig rig(spec());
      rig.machine().fabric().controller().link(0).inject(&faults);
      SCOPED_TRACE(static_cast<int>(damage) * 1000 + static_cast<int>(period));
      run_and_let_fail(rig, mixed_job());
    }
  }
}

TEST_P(CheckerSilence, WithUnreadableSectors) {
  test::Rig rig(spec());
  for (std::uint64_t lba = 5; lba < 131072; lba += 1000) rig.drive().mark_unreadable(lba);
  run_and_let_fail(rig, mixed_job());
}

// The signal goes away for a moment, again and again, at whatever the link is just carrying.
class Interruptions : private sim::Actor {
 public:
  explicit Interruptions(test::Rig& rig) : Actor(rig.machine().queue()), rig_(rig) {
    post_after<&Interruptions::interrupt>(sim::kMillisecond);
  }

 private:
  void interrupt(std::uint64_t) {
    rig_.machine().fabric().controller().link(0).interrupt_signal(3 * sim::kMicrosecond);
    if (++count_ < 20) post_after<&Interruptions::interrupt>(31'234'567 * sim::kNanosecond);
  }
  test::Rig& rig_;
  unsigned count_ = 0;
};

TEST_P(CheckerSilence, OnALinkThatLosesItsSignal) {
  test::Rig rig(spec());
  Interruptions interruptions(rig);
  run_and_let_fail(rig, mixed_job());
}

INSTANTIATE_TEST_SUITE_P(Commands, CheckerSilence, testing::Bool(),
                         [](const auto& of) { return of.param ? "Queued" : "NotQueued"; });

}  // namespace
}  // namespace ncqlab
