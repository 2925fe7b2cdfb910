// The SystemC host: returns as sim::Host says, keeps both clocks equal, and lets foreign processes have their turn.
#include <systemc>

#include "model/sim/actor.h"
#include "model/sim/host.h"
#include "testbench/tests/support/systemc_fixture.h"

namespace ncqlab::sim {
namespace {

using test::SystemcTest;
using Ended = Host::Ended;

Time kernel_now() { return static_cast<Time>(sc_core::sc_time_stamp().value()); }

class Recorder : public Actor {
 public:
  using Actor::Actor;
  void at(Time when, std::uint64_t value) { post_at<&Recorder::note>(when, value); }
  void stop_at(Time when) { post_at<&Recorder::stop>(when); }
  void yield_at(Time when) { post_at<&Recorder::yield>(when); }
  struct Seen {
    Time queue;
    Time kernel;
    std::uint64_t value;
  };
  std::vector<Seen> seen;

 private:
  void note(std::uint64_t value) { seen.push_back({now(), kernel_now(), value}); }
  void stop(std::uint64_t) { queue().request_stop(); }
  void yield(std::uint64_t) { queue().request_yield(); }
};

// A foreign thread that runs whenever it is asked to, and one that has events of its own.
class Foreign : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Foreign);
  explicit Foreign(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_THREAD(run);
    SC_THREAD(tick);
  }
  sc_core::sc_event wanted;
  std::function<void()> action;
  int ticks = 0;
  int tick_limit = 0;

 private:
  void run() {
    for (;;) {
      wait(wanted);
      action();
    }
  }
  void tick() {
    while (ticks < tick_limit) {
      wait(sc_core::sc_time(1, sc_core::SC_US));
      ++ticks;
    }
  }
};

class SystemcHostTest : public SystemcTest {
 protected:
  std::unique_ptr<Host> host = make_systemc_host();
  Recorder recorder{host->queue()};
};

TEST_F(SystemcHostTest, RunsEventsInOrderWithBothClocksEqual) {
  recorder.at(7, 2);
  recorder.at(3 * kSecond, 3);
  recorder.at(0, 1);
  EXPECT_EQ(host->run(), Ended::nothing_left);
  ASSERT_EQ(recorder.seen.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(recorder.seen[i].value, i + 1);
    EXPECT_EQ(recorder.seen[i].queue, recorder.seen[i].kernel);
  }
  EXPECT_EQ(kernel_now(), 3 * kSecond);
}

TEST_F(SystemcHostTest, AnEmptyQueueEndsAtOnce) { EXPECT_EQ(host->run(), Ended::nothing_left); }

TEST_F(SystemcHostTest, ReturnsAtAStopWithNothingLargerRun) {
  recorder.at(10, 1);
  recorder.stop_at(10);
  recorder.at(10, 2);
  EXPECT_EQ(host->run(), Ended::stop_requested);
  EXPECT_EQ(recorder.seen.size(), 1U);
  EXPECT_EQ(host->run(), Ended::nothing_left);
  EXPECT_EQ(recorder.seen.size(), 2U);
}

TEST_F(SystemcHostTest, AStopRequestedBeforeRunReturnsWithoutAnEvent) {
  recorder.at(0, 1);
  host->queue().request_stop();
  EXPECT_EQ(host->run(), Ended::stop_requested);
  EXPECT_TRUE(recorder.seen.empty());
}

TEST_F(SystemcHostTest, RunsAgainAfterNothingWasLeft) {
  recorder.at(10, 1);
  EXPECT_EQ(host->run(), Ended::nothing_left);
  recorder.at(10, 2);
  recorder.at(20, 3);
  EXPECT_EQ(host->run(), Ended::nothing_left);
  EXPECT_EQ(recorder.seen.size(), 3U);
}

TEST_F(SystemcHostTest, StopsAndRunsManyTimes) {
  for (int i = 1; i <= 1000; ++i) {
    recorder.stop_at(i * kMicrosecond);
    ASSERT_EQ(host->run(), Ended::stop_requested);
    ASSERT_EQ(host->queue().now(), i * kMicrosecond);
  }
}

TEST_F(SystemcHostTest, TheTimeLimitIsReached) {
  recorder.at(kTimeLimit, 1);
  EXPECT_EQ(host->run(), Ended::nothing_left);
  EXPECT_EQ(recorder.seen.at(0).kernel, kTimeLimit);
}

TEST_F(SystemcHostTest, ReturnsAtAStopWhileForeignModulesHaveEventsPending) {
  Foreign foreign("foreign");
  foreign.tick_limit = 100;
  recorder.stop_at(10 * kMicrosecond + 1);
  EXPECT_EQ(host->run(), Ended::stop_requested);
  EXPECT_EQ(foreign.ticks, 10);
  EXPECT_EQ(host->run(), Ended::nothing_left);
  EXPECT_EQ(foreign.ticks, 100);
}

TEST_F(SystemcHostTest, AYieldLetsAForeignThreadRunBeforeTheNextEventOfTheSameTime) {
  Foreign foreign("foreign");
  std::size_t seen_by_thread = 99;
  foreign.action = [&] { seen_by_thread = recorder.seen.size(); };
  struct Caller : Actor {
    using Actor::Actor;
    void start(Time when) { post_at<&Caller::call>(when); }
    void call(std::uint64_t) {
      event->notify();
      queue().request_yield();
    }
    sc_core::sc_event* event = nullptr;
  } caller(host->queue());
  caller.event = &foreign.wanted;
  recorder.at(10, 1);
  caller.start(10);
  recorder.at(10, 2);
  host->run();
  EXPECT_EQ(seen_by_thread, 1U);
  EXPECT_EQ(recorder.seen.size(), 2U);
}

TEST_F(SystemcHostTest, WhatAForeignThreadPostsRunsAtItsTime) {
  Foreign foreign("foreign");
  foreign.action = [&] {
    wait(sc_core::sc_time(5, sc_core::SC_NS));
    host->synchronise();
    EXPECT_EQ(host->queue().now(), 15 * kNanosecond);
    recorder.at(20 * kNanosecond, 7);
    host->wake();
  };
  struct Caller : Actor {
    using Actor::Actor;
    void start(Time when) { post_at<&Caller::call>(when); }
    void call(std::uint64_t) { event->notify(); }
    sc_core::sc_event* event = nullptr;
  } caller(host->queue());
  caller.event = &foreign.wanted;
  caller.start(10 * kNanosecond);
  recorder.at(kSecond, 8);
  EXPECT_EQ(host->run(), Ended::nothing_left);
  ASSERT_EQ(recorder.seen.size(), 2U);
  EXPECT_EQ(recorder.seen[0].value, 7U);
  EXPECT_EQ(recorder.seen[0].kernel, 20 * kNanosecond);
}

TEST_F(SystemcHostTest, AYieldWithNobodyThereGoesOn) {
  recorder.yield_at(5);
  recorder.at(5, 1);
  EXPECT_EQ(host->run(), Ended::nothing_left);
  EXPECT_EQ(recorder.seen.size(), 1U);
}

TEST_F(SystemcHostTest, AnExceptionInAnEventReachesTheCaller) {
  struct Thrower : Actor {
    using Actor::Actor;
    void start() { post_at<&Thrower::fail>(1); }
    void fail(std::uint64_t) { throw TimeLimitError(kTimeLimit + 1); }
  } thrower(host->queue());
  thrower.start();
  EXPECT_THROW(host->run(), TimeLimitError);
}

TEST(SystemcKernel, OneProcessMakesManyKernels) {
  for (int i = 0; i < 50; ++i) {
    KernelGuard kernel;
    const std::unique_ptr<Host> host = make_systemc_host();
    Recorder recorder(host->queue());
    recorder.at(kMicrosecond, 1);
    EXPECT_EQ(host->run(), Ended::nothing_left);
    EXPECT_EQ(kernel_now(), kMicrosecond);
  }
}

}  // namespace
}  // namespace ncqlab::sim
