// The exact order in which a host's queue gives commands away.
#include <gtest/gtest.h>

#include <vector>

#include "testbench/workload/elevator.h"

namespace ncqlab::workload {
namespace {

Io at(std::uint64_t lba, std::uint32_t sectors = 1, std::uint64_t user = 0) {
  Io io;
  io.lba = lba;
  io.sectors = sectors;
  io.user = user;
  return io;
}

std::vector<std::uint64_t> drain(RequestQueue& queue) {
  std::vector<std::uint64_t> lbas;
  while (const Io* io = queue.pop()) lbas.push_back(io->lba);
  return lbas;
}

TEST(Elevator, FifoKeepsTheOrderOfArrival) {
  RequestQueue queue(Elevator::fifo);
  std::vector<Io> ios{at(50), at(10), at(90), at(10)};
  for (Io& io : ios) queue.push(io);
  EXPECT_EQ(drain(queue), (std::vector<std::uint64_t>{50, 10, 90, 10}));
}

TEST(Elevator, CLookServesInOrderOfLbaFromTheLastPositionAndThenFromTheLowest) {
  RequestQueue queue(Elevator::c_look);
  Io first = at(500);
  queue.push(first);
  queue.pop();
  std::vector<Io> ios{at(100), at(900), at(501), at(700), at(50)};
  for (Io& io : ios) queue.push(io);
  EXPECT_EQ(drain(queue), (std::vector<std::uint64_t>{501, 700, 900, 50, 100}));
}

TEST(Elevator, ACommandAheadOfTheLastPositionJoinsTheCurrentSweep) {
  RequestQueue queue(Elevator::c_look);
  std::vector<Io> ios{at(100), at(300), at(200)};
  queue.push(ios[0]);
  queue.push(ios[1]);
  EXPECT_EQ(queue.pop()->lba, 100U);
  queue.push(ios[2]);
  EXPECT_EQ(drain(queue), (std::vector<std::uint64_t>{200, 300}));
}

TEST(Elevator, ACommandBehindTheLastPositionWaitsForTheNextSweep) {
  RequestQueue queue(Elevator::c_look);
  std::vector<Io> ios{at(200), at(300), at(100)};
  queue.push(ios[0]);
  queue.push(ios[1]);
  EXPECT_EQ(queue.pop()->lba, 200U);
  queue.push(ios[2]);
  EXPECT_EQ(drain(queue), (std::vector<std::uint64_t>{300, 100}));
}

TEST(Elevator, TheSectorBehindTheLastCommandIsAheadAndTheOneBeforeItIsNot) {
  RequestQueue queue(Elevator::c_look);
  std::vector<Io> ios{at(100, 8), at(107), at(108), at(500)};
  queue.push(ios[0]);
  queue.pop();
  for (std::size_t i = 1; i < ios.size(); ++i) queue.push(ios[i]);
  EXPECT_EQ(drain(queue), (std::vector<std::uint64_t>{108, 500, 107}));
}

TEST(Elevator, CommandsOfOneLbaLeaveInTheOrderOfArrival) {
  RequestQueue queue(Elevator::c_look);
  std::vector<Io> ios{at(10, 1, 0), at(10, 1, 1), at(10, 1, 2)};
  for (Io& io : ios) queue.push(io);
  EXPECT_EQ(queue.pop()->user, 0U);
}

TEST(Elevator, AFlushIsNextUnderCLookAndKeepsItsPlaceUnderFifo) {
  for (const Elevator elevator : {Elevator::c_look, Elevator::fifo}) {
    RequestQueue queue(elevator);
    Io read = at(10);
    Io flush;
    flush.kind = IoKind::flush;
    queue.push(read);
    queue.push(flush);
    EXPECT_EQ(queue.pop(), elevator == Elevator::c_look ? &flush : &read);
    EXPECT_EQ(queue.size(), 1U);
  }
}

TEST(Elevator, HasTheNamesOfThePresetFiles) {
  Elevator elevator = Elevator::fifo;
  EXPECT_TRUE(parse_elevator("c-look", elevator));
  EXPECT_EQ(elevator, Elevator::c_look);
  EXPECT_TRUE(parse_elevator("fifo", elevator));
  EXPECT_EQ(elevator, Elevator::fifo);
  EXPECT_FALSE(parse_elevator("deadline", elevator));
}

}  // namespace
}  // namespace ncqlab::workload
