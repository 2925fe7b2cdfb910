// The interrupt handler: what it touches, in which order, and where it may land (AHCI 1.3.1, 5.6, 10.7).
#include "testbench/tests/driver/attached_disk.h"

namespace ncqlab::driver {
namespace {

using Interrupt = AttachedDisk;

TEST_F(Interrupt, ClearsPxIsBeforeIs) {
  attach();
  read();
  platform.complete(0, 1);
  mark();
  EXPECT_TRUE(platform.deliver());
  EXPECT_EQ(accesses(), (std::vector<std::string>{"read IS", "read PxIS", "PxIS=00000008", "IS=00000001"}));
}

TEST_F(Interrupt, OnlyLatches) {
  attach();
  TestRequest& request = read();
  platform.complete(0, 1);
  EXPECT_TRUE(platform.deliver());
  EXPECT_EQ(request.status, Status::pending);
  ahci->service();
  EXPECT_EQ(request.status, Status::ok);
}

TEST_F(Interrupt, IsNotOursWhenIsIsZero) {
  attach();
  mark();
  EXPECT_FALSE(platform.deliver());
  EXPECT_EQ(accesses(), (std::vector<std::string>{"read IS"}));
}

TEST_F(Interrupt, TouchesNothingBeforeTheControllerIsUnderControl) {
  start();
  mark();
  EXPECT_FALSE(platform.deliver());
  EXPECT_TRUE(accesses().empty());
}

TEST_F(Interrupt, ClearsAllPxIsAndThenIsOnce) {
  add_disk(3);
  attach();
  settle();
  read();
  ASSERT_TRUE(ahci->submit(3, make(Operation::read, 0, 8)));
  platform.complete(0, 1);
  platform.complete(3, 1);
  mark();
  EXPECT_TRUE(platform.deliver());
  EXPECT_EQ(writes(), (std::vector<std::string>{"PxIS=00000008", "PxIS=00000008", "IS=00000009"}));
}

TEST_F(Interrupt, ClearsBitsOfPortsThatAreNotThere) {
  attach();
  platform.is = 0x10;
  EXPECT_TRUE(platform.deliver());
  EXPECT_EQ(platform.is, 0U);
  EXPECT_EQ(writes(), (std::vector<std::string>{"IS=00000010"}));
}

TEST_F(Interrupt, ClearsPxSerrFirstWhereAPxIsBitHangsOnIt) {
  attach();
  platform.unplug(0);
  mark();
  EXPECT_TRUE(platform.deliver());
  EXPECT_EQ(writes(), (std::vector<std::string>{"PxSERR=00010000", "PxIS=00400000", "IS=00000001"}));
}

TEST_F(Interrupt, TwoInterruptsBeforeOneServiceLoseNothing) {
  attach();
  TestRequest& first = read();
  TestRequest& second = read();
  platform.complete(0, 1);
  EXPECT_TRUE(platform.deliver());
  platform.complete(0, 2);
  EXPECT_TRUE(platform.deliver());
  ahci->service();
  EXPECT_EQ(first.status, Status::ok);
  EXPECT_EQ(second.status, Status::ok);
}

TEST_F(Interrupt, MayLandInsideAnyAccessOfServiceAndSubmit) {
  attach();
  platform.interrupts_inside = true;
  options.depth = 32;
  for (unsigned round = 0; round < 50; ++round) {
    for (unsigned i = 0; i < 4; ++i) read(round);
    // The first completion's service() is interrupted by the second completion.
    platform.complete(0, 0b0011);
    EXPECT_TRUE(platform.deliver());
    platform.complete(0, 0b1100);
    ahci->service();
    platform.run(kMs);
  }
  EXPECT_EQ(answered.size(), 200U);
  for (const TestRequest* request : answered) EXPECT_EQ(request->answers, 1U);
}

TEST_F(Interrupt, MayLandInsideTheDelayOfARecovery) {
  add_disk(1);
  attach();
  settle();
  platform.interrupts_inside = true;
  TestRequest& failing = read_plain();
  TestRequest& other = make(Operation::read, 0, 8);
  ASSERT_TRUE(ahci->submit(1, other));
  platform.fail_task_file(0, 0x51, 0x40);
  platform.complete(1, 1);
  settle();
  EXPECT_EQ(failing.answers, 1U);
  EXPECT_EQ(other.status, Status::ok);
}

TEST_F(Interrupt, ServiceWithoutAnythingToDoTouchesNoRegister) {
  attach();
  mark();
  ahci->service();
  EXPECT_TRUE(accesses().empty());
}

TEST_F(Interrupt, ServiceBeforeStartIsHarmless) {
  ahci->service();
  EXPECT_FALSE(platform.deliver());
  EXPECT_TRUE(platform.calls.empty());
}

}  // namespace
}  // namespace ncqlab::driver
