// The bus: when a transfer is done, what shares its time, and what a target may answer.
#include "model/host/bus.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <vector>

#include "model/host/memory.h"

namespace ncqlab::host {
namespace {

using sim::kNanosecond;
using sim::Time;

BusProfile profile() {
  BusProfile bus;
  bus.dma_read_latency = 700 * kNanosecond;
  bus.dma_write_latency = 300 * kNanosecond;
  bus.bandwidth_bytes_per_second = 1'000'000'000;  // a byte a nanosecond
  bus.max_burst_bytes = 128;
  bus.burst_overhead_bytes = 20;
  return bus;
}

class Client final : public TransferClient {
 public:
  explicit Client(sim::EventQueue& queue) : queue_(queue) {}
  void transfer_done(Transfer& /*transfer*/, DmaResult result) override {
    done.push_back(queue_.now());
    was_ok = result == DmaResult::ok;
    last = result;
  }
  std::vector<Time> done;
  bool was_ok = false;
  DmaResult last = DmaResult::ok;

 private:
  sim::EventQueue& queue_;
};

class BusTest : public testing::Test {
 protected:
  void run_until(Time when) {
    while (queue.next_time() <= when) queue.run_one();
    queue.advance_to(when);
  }
  DmaAccess piece(std::uint32_t bytes, bool to_memory) { return {block.address, buffer, bytes, to_memory}; }

  sim::EventQueue queue;
  sim::Trace trace;
  Memory memory;
  Block block = memory.allocate(8192, 4096);
  std::uint8_t buffer[8192] = {};
  Client client{queue};
  Transfer transfer{queue, client};
};

TEST_F(BusTest, AReadIsDoneAfterItsDataAndTheLatencyAndNotAPicosecondEarlier) {
  Bus bus(queue, trace, profile(), memory);
  const DmaAccess access = piece(256, false);
  block.cpu[255] = 7;
  bus.start(transfer, 0, &access, 1);
  const Time done = (256 + 2 * 20) * kNanosecond + 700 * kNanosecond;
  run_until(done - 1);
  EXPECT_TRUE(client.done.empty());
  EXPECT_EQ(buffer[255], 0);
  EXPECT_TRUE(transfer.busy());
  run_until(done);
  EXPECT_EQ(client.done, (std::vector<Time>{done}));
  EXPECT_TRUE(client.was_ok);
  EXPECT_EQ(buffer[255], 7);
  EXPECT_FALSE(transfer.busy());
}

TEST_F(BusTest, TransfersOfOneDirectionFollowEachOtherAndTheirLatenciesOverlap) {
  Bus bus(queue, trace, profile(), memory);
  Transfer second{queue, client};
  const DmaAccess access = piece(128, false);
  bus.start(transfer, 0, &access, 1);
  bus.start(second, 0, &access, 1);
  run_until(sim::kMicrosecond);
  EXPECT_EQ(client.done, (std::vector<Time>{848 * kNanosecond, 996 * kNanosecond}));
}

TEST_F(BusTest, ReadsAndWritesDoNotHinderEachOtherOnAFullDuplexBus) {
  Bus bus(queue, trace, profile(), memory);
  Transfer second{queue, client};
  const DmaAccess read = piece(128, false);
  const DmaAccess write = piece(128, true);
  bus.start(transfer, 0, &read, 1);
  bus.start(second, 0, &write, 1);
  run_until(sim::kMicrosecond);
  EXPECT_EQ(client.done, (std::vector<Time>{448 * kNanosecond, 848 * kNanosecond}));
}

TEST_F(BusTest, ReadsAndWritesShareAHalfDuplexBus) {
  BusProfile shared = profile();
  shared.full_duplex = false;
  Bus bus(queue, trace, shared, memory);
  Transfer second{queue, client};
  const DmaAccess read = piece(128, false);
  const DmaAccess write = piece(128, true);
  bus.start(transfer, 0, &read, 1);
  bus.start(second, 0, &write, 1);
  run_until(sim::kMicrosecond);
  EXPECT_EQ(client.done, (std::vector<Time>{596 * kNanosecond, 848 * kNanosecond}));
}

TEST_F(BusTest, TheRequestersOwnDelayIsAddedButOccupiesNothing) {
  Bus bus(queue, trace, profile(), memory);
  Transfer second{queue, client};
  const DmaAccess access = piece(128, true);
  bus.start(transfer, 0, &access, 1, 5000 * kNanosecond);
  bus.start(second, 0, &access, 1);
  run_until(10 * sim::kMicrosecond);
  EXPECT_EQ(client.done, (std::vector<Time>{596 * kNanosecond, 5448 * kNanosecond}));
}

TEST_F(BusTest, AScatterListIsOneEventAndOneRecordAPiece) {
  struct Count final : sim::Observer {
    void on_record(const sim::Record& record) override { records.push_back(record); }
    std::vector<sim::Record> records;
  } seen;
  trace.add_observer(&seen);
  Bus bus(queue, trace, profile(), memory);
  std::uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const DmaAccess list[2] = {{block.address + 100, data, 2, true}, {block.address, data + 2, 6, true}};
  bus.start(transfer, 3, list, 2);
  run_until(sim::kMicrosecond);
  EXPECT_EQ(queue.executed(), 1U);
  EXPECT_EQ(block.cpu[100], 1);
  EXPECT_EQ(block.cpu[5], 8);
  ASSERT_EQ(seen.records.size(), 2U);
  EXPECT_EQ(seen.records[0].kind, sim::Kind::dma_write);
  EXPECT_EQ(seen.records[0].source, 3U);
  EXPECT_EQ(seen.records[0].a, block.address + 100);
  EXPECT_EQ(seen.records[0].b, 2U);
}

TEST_F(BusTest, AnErrorEndsTheTransferAtItsPiece) {
  Bus bus(queue, trace, profile(), memory);
  std::uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const DmaAccess list[3] = {{block.address, data, 2, true}, {0, data, 2, true}, {block.address + 4, data, 2, true}};
  bus.start(transfer, 0, list, 3);
  run_until(sim::kMicrosecond);
  EXPECT_EQ(client.done.size(), 1U);
  EXPECT_FALSE(client.was_ok);
  EXPECT_EQ(block.cpu[0], 1);
  EXPECT_EQ(block.cpu[4], 0);
}

// A foreign interconnect: answers later, in an event that keeps the place of the one that asked.
class Foreign final : public DmaTarget, public sim::Actor {
 public:
  using Actor::Actor;
  Answer access(const DmaAccess& access, DmaCompletion* completion) override {
    seen.push_back(access.address);
    completion_ = completion;
    post_keyed<&Foreign::answer>(queue().current_key());
    return Answer::pending;
  }
  void answer(std::uint64_t /*unused*/) { completion_->dma_completed(ok ? DmaResult::ok : DmaResult::aborted); }
  std::vector<std::uint64_t> seen;
  bool ok = true;

 private:
  DmaCompletion* completion_ = nullptr;
};

TEST_F(BusTest, APendingTargetKeepsThePlaceInTheOrder) {
  Foreign foreign(queue);
  Bus bus(queue, trace, profile(), foreign);
  struct Later : sim::Actor {
    using Actor::Actor;
    void start(Time when) { post_at<&Later::run>(when); }
    void run(std::uint64_t) { transfers_done = client->done.size(); }
    Client* client = nullptr;
    std::optional<std::size_t> transfers_done;
  } later(queue);
  later.client = &client;
  const DmaAccess list[2] = {piece(2, true), piece(2, true)};
  bus.start(transfer, 0, list, 2);
  later.start(344 * kNanosecond);  // the same time, posted afterwards
  run_until(sim::kMicrosecond);
  EXPECT_EQ(foreign.seen.size(), 2U);
  EXPECT_EQ(client.done, (std::vector<Time>{344 * kNanosecond}));
  EXPECT_EQ(later.transfers_done, 1U);
}

TEST_F(BusTest, BadDataAreToldFromAnAbort) {
  struct Bad final : DmaTarget {
    Answer access(const DmaAccess& /*access*/, DmaCompletion* /*completion*/) override { return Answer::bad_data; }
  } bad;
  Bus bus(queue, trace, profile(), bad);
  const DmaAccess list[1] = {piece(2, true)};
  bus.start(transfer, 0, list, 1);
  run_until(sim::kMicrosecond);
  EXPECT_EQ(client.last, DmaResult::bad_data);
}

TEST_F(BusTest, APendingTargetMayReportAnError) {
  Foreign foreign(queue);
  foreign.ok = false;
  Bus bus(queue, trace, profile(), foreign);
  const DmaAccess list[2] = {piece(2, true), piece(2, true)};
  bus.start(transfer, 0, list, 2);
  run_until(sim::kMicrosecond);
  EXPECT_EQ(foreign.seen.size(), 1U);
  EXPECT_FALSE(client.was_ok);
}

TEST_F(BusTest, ATransferThatIsGoneIsForgotten) {
  Bus bus(queue, trace, profile(), memory);
  const DmaAccess access = piece(2, true);
  {
    Transfer gone{queue, client};
    bus.start(gone, 0, &access, 1);
  }
  run_until(sim::kMicrosecond);
  EXPECT_TRUE(client.done.empty());
}

TEST_F(BusTest, ATransferUnderWayIsNotStartedAgain) {
  Bus bus(queue, trace, profile(), memory);
  const DmaAccess access = piece(2, true);
  bus.start(transfer, 0, &access, 1);
  EXPECT_THROW(bus.start(transfer, 0, &access, 1), std::logic_error);
}

TEST_F(BusTest, AReadOnPcieWaitsBehindTheWritesUnderWayForItsRequest) {
  BusProfile pcie;
  pcie.kind = BusKind::pcie;  // 4 ns a byte
  Bus bus(queue, trace, pcie, memory);
  Transfer second{queue, client};
  const DmaAccess write = piece(128, true);  // 152 bytes
  const DmaAccess read = piece(64, false);   // 24 bytes of request, then 64 + 20 + 16
  bus.start(transfer, 0, &write, 1);
  bus.start(second, 0, &read, 1);
  run_until(10 * sim::kMicrosecond);
  EXPECT_EQ(client.done, (std::vector<Time>{608 * kNanosecond, (608 + 96 + 400) * kNanosecond}));
}

BusProfile pci() {
  BusProfile bus;
  bus.kind = BusKind::pci;
  return bus;
}

TEST_F(BusTest, ARegisterAccessOnAnIdlePciBusTakesItsClocks) {
  Bus bus(queue, trace, pci(), memory);
  queue.advance_to(100 * kNanosecond);
  EXPECT_EQ(bus.cross(true), 250 * kNanosecond);
  EXPECT_EQ(bus.cross(false), 370 * kNanosecond);  // behind it
}

TEST_F(BusTest, ARegisterAccessGetsInAfterTheBurstUnderWay) {
  Bus bus(queue, trace, pci(), memory);
  const DmaAccess write = piece(512, true);
  bus.start(transfer, 0, &write, 1);
  queue.advance_to(1949 * kNanosecond);  // a burst holds the bus for 65 clocks at most
  EXPECT_EQ(bus.cross(true), 2100 * kNanosecond);
}

TEST_F(BusTest, ARegisterAccessBetweenTwoBurstsDoesNotWait) {
  Bus bus(queue, trace, pci(), memory);
  const DmaAccess write = piece(512, true);
  bus.start(transfer, 0, &write, 1);
  queue.advance_to(1950 * kNanosecond);
  EXPECT_EQ(bus.cross(true), 2100 * kNanosecond);
}

TEST_F(BusTest, TransfersWaitForTheRegisterAccessesBeforeThem) {
  Bus bus(queue, trace, pci(), memory);
  queue.advance_to(100 * kNanosecond);
  bus.cross(true);
  const DmaAccess write = piece(64, true);  // 22 clocks
  bus.start(transfer, 0, &write, 1);
  run_until(sim::kMicrosecond);
  EXPECT_EQ(client.done, (std::vector<Time>{(250 + 22 * 30) * kNanosecond}));
}

TEST_F(BusTest, RegisterAccessesDoNotContendOnOtherBuses) {
  Bus bus(queue, trace, profile(), memory);
  const DmaAccess write = piece(512, true);
  bus.start(transfer, 0, &write, 1);
  queue.advance_to(100 * kNanosecond);
  EXPECT_EQ(bus.cross(true), 100 * kNanosecond);
}

}  // namespace
}  // namespace ncqlab::host
