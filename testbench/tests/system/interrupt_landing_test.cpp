// Where an interrupt may reach the driver: between two accesses or inside a delay, one level deep, not while masked.
#include "model/sim/actor.h"
#include "testbench/tests/system/rig_support.h"

namespace ncqlab {
namespace {

constexpr std::uint32_t kIS = 0x08;   // AHCI 1.3.1, 3.1.3: what the handler reads first
constexpr std::uint32_t kCAP = 0x00;  // 3.1.1

// Raises an interrupt without a cause at a given time: the handler reads IS and says that it is not ours.
class Raiser : private sim::Actor {
 public:
  explicit Raiser(lab::InProcessCpu& cpu) : Actor(cpu.machine().queue()), cpu_(cpu) {}
  void raise_at(sim::Time when) { post_at<&Raiser::raise>(when); }
  // Posted when everything that waits for `when` has been posted already: a larger key at the same time.
  void raise_late_at(sim::Time when) { post_at<&Raiser::post_raise>(when - 1, static_cast<std::uint64_t>(when)); }

 private:
  void raise(std::uint64_t) { cpu_.message(0); }
  void post_raise(std::uint64_t when) { post_at<&Raiser::raise>(static_cast<sim::Time>(when)); }
  lab::InProcessCpu& cpu_;
};

// Notes when the controller sampled reads of IS.
class HandlerWatch final : public sim::Observer {
 public:
  void on_record(const sim::Record& record) override {
    if (record.kind == sim::Kind::register_read && record.a == kIS) sampled.push_back(record.time);
  }
  std::vector<sim::Time> sampled;
};

class InterruptLanding : public testing::TestWithParam<lab::HostKind> {
 protected:
  InterruptLanding() : rig_(test::shipped_rig(GetParam())), raiser_(rig_.cpu()) {
    rig_.machine().trace().add_observer(&watch_);
    request_time_ = rig_.machine().spec().controller.bus.register_read_request;
    round_trip_ = request_time_ + rig_.machine().spec().controller.bus.register_read_reply;
  }
  sim::Time now() { return rig_.machine().queue().now(); }
  lab::InProcessCpu& cpu() { return rig_.cpu(); }

  HandlerWatch watch_;  // outlives the machine
  test::Rig rig_;
  Raiser raiser_;
  sim::Time request_time_ = 0;
  sim::Time round_trip_ = 0;
};

TEST_P(InterruptLanding, InsideARegisterReadTheHandlerRunsWhenTheReadHasBeenAnswered) {
  const sim::Time issued = now();
  raiser_.raise_at(issued + request_time_ + 1);  // sampled already, not yet answered
  const std::uint32_t value = cpu().read32(kCAP);
  EXPECT_NE(value, 0U);
  ASSERT_EQ(watch_.sampled.size(), 1U);
  EXPECT_EQ(watch_.sampled[0], issued + round_trip_ + request_time_);
  EXPECT_EQ(now(), issued + 2 * round_trip_);
}

TEST_P(InterruptLanding, InsideADelayTheHandlerRunsAtOnceAndTheDeadlineStays) {
  const sim::Time begun = now();
  raiser_.raise_at(begun + 100 * sim::kNanosecond);
  cpu().delay_ns(5000);
  ASSERT_EQ(watch_.sampled.size(), 1U);
  EXPECT_EQ(watch_.sampled[0], begun + 100 * sim::kNanosecond + request_time_);
  EXPECT_EQ(now(), begun + 5000 * sim::kNanosecond);
}

TEST_P(InterruptLanding, AHandlerThatOutlastsTheDelayEndsIt) {
  const sim::Time begun = now();
  raiser_.raise_at(begun + 900 * sim::kNanosecond);
  cpu().delay_ns(1000);
  EXPECT_EQ(watch_.sampled.size(), 1U);
  EXPECT_EQ(now(), begun + 900 * sim::kNanosecond + round_trip_);
}

TEST_P(InterruptLanding, AtTheDeadlineWithASmallerKeyTheHandlerRunsInsideTheDelay) {
  const sim::Time begun = now();
  raiser_.raise_at(begun + 1000 * sim::kNanosecond);  // posted before the delay's own end
  cpu().delay_ns(1000);
  EXPECT_EQ(watch_.sampled.size(), 1U);
  EXPECT_EQ(now(), begun + 1000 * sim::kNanosecond + round_trip_);
}

TEST_P(InterruptLanding, AtTheDeadlineWithALargerKeyTheDelayEndsFirst) {
  const sim::Time begun = now();
  raiser_.raise_late_at(begun + 1000 * sim::kNanosecond);
  cpu().delay_ns(1000);
  EXPECT_TRUE(watch_.sampled.empty());
  EXPECT_EQ(now(), begun + 1000 * sim::kNanosecond);
  cpu().delay_ns(1);  // the next place where it may land
  EXPECT_EQ(watch_.sampled.size(), 1U);
}

TEST_P(InterruptLanding, WhileMaskedItWaitsForTheUnmasking) {
  cpu().mask_interrupt();
  raiser_.raise_at(now() + 100 * sim::kNanosecond);
  cpu().delay_ns(1000);
  cpu().read32(kCAP);  // between two accesses it would land
  EXPECT_TRUE(watch_.sampled.empty());
  const sim::Time unmasked = now();
  cpu().unmask_interrupt();
  ASSERT_EQ(watch_.sampled.size(), 1U);
  EXPECT_EQ(watch_.sampled[0], unmasked + request_time_);
}

TEST_P(InterruptLanding, OneLevelDeep) {
  const sim::Time begun = now();
  raiser_.raise_at(begun + 100 * sim::kNanosecond);
  raiser_.raise_at(begun + 100 * sim::kNanosecond + request_time_);  // inside the handler's own read
  cpu().delay_ns(5000);
  ASSERT_EQ(watch_.sampled.size(), 2U);
  EXPECT_EQ(watch_.sampled[1], watch_.sampled[0] + round_trip_);
}

INSTANTIATE_TEST_SUITE_P(Hosts, InterruptLanding, testing::ValuesIn(test::hosts()), test::host_name);

}  // namespace
}  // namespace ncqlab
