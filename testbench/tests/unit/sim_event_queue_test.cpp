// The event queue: order, ties, owners, time limit.
#include <gtest/gtest.h>

#include <vector>

#include "model/sim/actor.h"
#include "model/sim/event_queue.h"

namespace ncqlab::sim {
namespace {

class Recorder : public Actor {
 public:
  using Actor::Actor;
  void note(std::uint64_t value) { seen.push_back(value); }
  void at(Time when, std::uint64_t value) { post_at<&Recorder::note>(when, value); }
  void forget() { drop_pending_events(); }
  std::vector<std::uint64_t> seen;
};

void run_all(EventQueue& queue) {
  while (queue.run_one()) {
  }
}

TEST(EventQueue, EventsOfOneTimeRunInTheOrderInWhichTheyWerePosted) {
  EventQueue queue;
  Recorder recorder(queue);
  for (std::uint64_t i = 0; i < 100; ++i) recorder.at(5 * kNanosecond, i);
  run_all(queue);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(recorder.seen[i], i);
}

TEST(EventQueue, UnrelatedEventsDoNotReorderTies) {
  EventQueue queue;
  Recorder recorder(queue);
  Recorder other(queue);
  other.at(1, 0);
  for (std::uint64_t i = 0; i < 8; ++i) {
    recorder.at(100, i);
    other.at(static_cast<Time>(i * 37 % 200), i);
  }
  run_all(queue);
  EXPECT_EQ(recorder.seen, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(EventQueue, NowIsTheTimeOfTheEventThatRuns) {
  EventQueue queue;
  Recorder recorder(queue);
  recorder.at(7 * kMicrosecond, 1);
  EXPECT_EQ(queue.now(), 0);
  queue.run_one();
  EXPECT_EQ(queue.now(), 7 * kMicrosecond);
}

TEST(EventQueue, PendingEventsDieWithTheirOwner) {
  EventQueue queue;
  {
    Recorder recorder(queue);
    recorder.at(10, 1);
  }
  Recorder successor(queue);  // takes over the slot, not the events
  run_all(queue);
  EXPECT_TRUE(successor.seen.empty());
  EXPECT_EQ(queue.executed(), 0U);
}

TEST(EventQueue, AnActorCanForgetItsPendingEvents) {
  EventQueue queue;
  Recorder recorder(queue);
  recorder.at(10, 1);
  recorder.forget();
  recorder.at(11, 2);
  run_all(queue);
  EXPECT_EQ(recorder.seen, (std::vector<std::uint64_t>{2}));
}

TEST(EventQueue, AKeyTakenEarlierKeepsItsPlace) {
  struct Late : Actor {
    using Actor::Actor;
    std::vector<int>* order = nullptr;
    EventQueue::Key key{};
    void first(std::uint64_t) { key = queue().current_key(); }
    void second(std::uint64_t) { order->push_back(2); }
    void keyed(std::uint64_t) { order->push_back(1); }
    void start() {
      post_at<&Late::first>(10);
      post_at<&Late::second>(10);
    }
    void fill() { post_keyed<&Late::keyed>(key); }
  };
  EventQueue queue;
  Late late(queue);
  std::vector<int> order;
  late.order = &order;
  late.start();
  queue.run_one();
  late.fill();
  run_all(queue);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(EventQueue, TheLastPicosecondOfTheTimeLimitIsAllowedAndTheNextIsNot) {
  EventQueue queue;
  Recorder recorder(queue);
  recorder.at(kTimeLimit, 1);
  EXPECT_THROW(recorder.at(kTimeLimit + 1, 2), TimeLimitError);
}

TEST(EventQueue, PostingIntoThePastIsRefused) {
  EventQueue queue;
  Recorder recorder(queue);
  recorder.at(10, 1);
  queue.run_one();
  EXPECT_THROW(recorder.at(9, 2), std::logic_error);
}

TEST(Time, ADwordAtSixGigabitsIsRoundedOnceFromTheTotal) {
  // 40 line bits (8b/10b) at 6 Gb/s are 6666.67 ps; three of them 20000 ps, not 3 x 6667.
  EXPECT_EQ(transfer_time(40, 6'000'000'000), 6667);
  EXPECT_EQ(transfer_time(120, 6'000'000'000), 20000);
}

}  // namespace
}  // namespace ncqlab::sim
