// A fixture: one controller with a disk at port 0, brought up on request, and requests that count their answers.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <vector>

#include "testbench/tests/driver/mock_platform.h"

namespace ncqlab::driver {

struct TestRequest : Request {
  std::vector<Segment> list;
  unsigned answers = 0;
  std::vector<TestRequest*>* order = nullptr;  // of answers, over all requests
};

class AttachedDisk : public testing::Test {
 protected:
  AttachedDisk() { add_disk(0); }

  void add_disk(unsigned port) { platform.ports[port].identify = identify_data(); }

  void start() { ASSERT_TRUE(ahci->start(platform, options)); }

  void attach() {
    start();
    platform.run(60'000 * kMs, [this] { return ahci->settled(); });
    ASSERT_EQ(ahci->port_state(0), PortState::active);
    mark();
  }

  // What the driver does from here on is what writes() and accesses() show.
  void mark() { mark_ = platform.calls.size(); }
  std::vector<std::string> writes() const { return platform.writes(mark_); }
  std::vector<std::string> accesses() const { return platform.accesses(mark_); }

  // With one segment at an arbitrary place.
  TestRequest& make(Operation operation, std::uint64_t lba, std::uint32_t sectors) {
    TestRequest& request = requests_.emplace_back();
    request.operation = operation;
    request.lba = lba;
    request.sectors = sectors;
    request.order = &answered;
    if (operation != Operation::flush) set_segments(request, {{0x8'7654'3200, sectors * 512}});
    request.done = [](Request& done) {
      auto& self = static_cast<TestRequest&>(done);
      ++self.answers;
      self.order->push_back(&self);
    };
    return request;
  }

  static void set_segments(TestRequest& request, std::vector<Segment> segments) {
    request.list = std::move(segments);
    request.segments = request.list.data();
    request.segment_count = static_cast<std::uint32_t>(request.list.size());
  }

  TestRequest& submit(Operation operation, std::uint64_t lba, std::uint32_t sectors) {
    TestRequest& request = make(operation, lba, sectors);
    EXPECT_TRUE(ahci->submit(0, request));
    return request;
  }
  TestRequest& read(std::uint64_t lba = 0) { return submit(Operation::read, lba, 8); }
  TestRequest& read_plain(std::uint64_t lba = 0) {
    TestRequest& request = make(Operation::read, lba, 8);
    request.queueing = Queueing::never;
    EXPECT_TRUE(ahci->submit(0, request));
    return request;
  }

  void complete(std::uint32_t slots) {
    platform.complete(0, slots);
    interrupt();
  }
  void interrupt() {
    EXPECT_TRUE(platform.deliver());
    ahci->service();
  }
  // Lets recovery run to its end.
  void settle() {
    platform.run(120'000 * kMs, [this] { return !platform.interrupt_pending() && ahci->settled(); });
  }

  MockPort& port() { return platform.ports[0]; }
  const std::vector<SeenCommand>& commands() { return port().commands; }

  std::unique_ptr<Ahci> ahci = std::make_unique<Ahci>();
  MockPlatform platform{*ahci};
  Options options;
  std::vector<TestRequest*> answered;

 private:
  std::deque<TestRequest> requests_;
  std::size_t mark_ = 0;
};

}  // namespace ncqlab::driver
