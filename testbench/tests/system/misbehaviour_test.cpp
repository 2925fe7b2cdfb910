// What a user is told when driver or model misbehave: one page, and never a hang.
#include "testbench/tests/system/rig_support.h"

namespace ncqlab {
namespace {

// Submits one read and then says for ever that it has not finished.
class NeverFinished final : public workload::Workload {
 public:
  void start(workload::Target& target) override {
    io_.sectors = 8;
    target.submit(io_);
  }
  void completed(workload::Io&) override {}
  void woken(std::uint64_t) override {}
  bool finished() const override { return false; }

 private:
  workload::Io io_;
};

TEST(Misbehaviour, AWorkloadThatDoesNotEndIsReportedWithOnePage) {
  test::Rig rig(test::shipped_rig());
  NeverFinished workload;
  try {
    rig.run(workload, {});
    FAIL() << "nothing was thrown";
  } catch (const lab::Misbehaviour& error) {
    const std::string page = error.what();
    for (const char* expected :
         {"the workload did not end: 0 requests are with the driver", "port 0 is active", "PxCI 00000000", "PxSACT",
          "PxTFD", "0 commands outstanding", "the last 32 records", "Set Device Bits"}) {
      EXPECT_NE(page.find(expected), std::string::npos) << expected << "\n" << page;
    }
  }
}

TEST(Misbehaviour, ADriveThatIsPulledUnderALoadFailsTheRunAndNothingHangs) {
  lab::RigSpec spec = test::shipped_rig();
  spec.driver.max_attempts = 1;
  test::Rig rig(spec);
  class Puller final : public workload::CompletionListener {
   public:
    explicit Puller(test::Rig& rig) : rig_(rig) {}
    void io_completed(const workload::Io&) override {
      if (++seen_ == 50) rig_.machine().fabric().controller().link(0).unplug();
    }

   private:
    test::Rig& rig_;
    unsigned seen_ = 0;
  } puller(rig);
  workload::JobOptions options;
  options.iodepth = 8;
  options.requests = 100;
  workload::Job job(options, &puller);
  workload::HostOptions host;
  host.queue_depth = 8;
  try {
    rig.run(job, host);
    FAIL() << "nothing was thrown";
  } catch (const lab::Misbehaviour& error) {
    EXPECT_NE(std::string(error.what()).find("requests were answered with an error"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(job.finished()) << "every request is answered, with an error if need be";
}

}  // namespace
}  // namespace ncqlab
