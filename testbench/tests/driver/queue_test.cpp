// Slots, order, the mixing rule, completion.
#include "testbench/tests/driver/attached_disk.h"

namespace ncqlab::driver {
namespace {

class Queue : public AttachedDisk {
 protected:
  // How many of 40 requests are with the device.
  std::size_t depth_reached() {
    for (unsigned i = 0; i < 40; ++i) read();
    EXPECT_EQ(commands().size(), ahci->depth(0));
    return commands().size();
  }
};

TEST_F(Queue, ThirtyTwoCommandsAreOutstandingWhenAllAgreeOn32) {
  attach();
  EXPECT_EQ(depth_reached(), 32U);
}

TEST_F(Queue, DepthIsLimitedByTheOption) {
  options.depth = 5;
  attach();
  EXPECT_EQ(depth_reached(), 5U);
}

TEST_F(Queue, DepthIsLimitedByTheDevice) {
  port().identify = identify_data(1953525168, 31);
  attach();
  EXPECT_EQ(depth_reached(), 31U);
}

TEST_F(Queue, DepthIsLimitedByTheControllersSlots) {
  platform.cap = (platform.cap & ~0x1F00U) | 0x0700;
  attach();
  EXPECT_EQ(depth_reached(), 8U);
}

TEST_F(Queue, OneCommandAtATimeWithoutNcqInTheDevice) {
  set_word(port().identify, 76, 0);
  attach();
  EXPECT_EQ(depth_reached(), 1U);
}

TEST_F(Queue, OneCommandAtATimeWithoutNcqInTheController) {
  platform.cap &= ~(1U << 30);
  attach();
  EXPECT_EQ(depth_reached(), 1U);
}

TEST_F(Queue, OneCommandAtATimeWithoutUseOfNcq) {
  options.use_ncq = false;
  attach();
  EXPECT_EQ(depth_reached(), 1U);
}

TEST_F(Queue, SactIsWrittenBeforeCi) {
  attach();
  read();
  EXPECT_EQ(writes(), (std::vector<std::string>{"PxSACT=00000001", "PxCI=00000001"}));
}

TEST_F(Queue, SactIsNotWrittenForACommandThatIsNotQueued) {
  attach();
  read_plain();
  EXPECT_EQ(writes(), (std::vector<std::string>{"PxCI=00000001"}));
}

TEST_F(Queue, TableAndHeaderAreSyncedAndABarrierPassedBeforeTheDoorbell) {
  attach();
  const std::size_t from = platform.calls.size();
  read();
  std::vector<Call::Kind> kinds;
  for (std::size_t i = from; i < platform.calls.size(); ++i) kinds.push_back(platform.calls[i].kind);
  using Kind = Call::Kind;
  EXPECT_EQ(kinds,
            (std::vector<Kind>{Kind::sync_for_device, Kind::sync_for_device, Kind::barrier, Kind::write, Kind::write}));
}

TEST_F(Queue, OneQueuedIoCostsTheseAccessesAndNoMore) {
  attach();
  read();
  complete(1);
  EXPECT_EQ(accesses(), (std::vector<std::string>{"PxSACT=00000001", "PxCI=00000001",                      // submit
                                                  "read IS", "read PxIS", "PxIS=00000008", "IS=00000001",  // interrupt
                                                  "read PxSACT"}));                                        // service
}

TEST_F(Queue, ManyIosArmTheTimerOnce) {
  attach();
  const std::size_t from = platform.calls.size();
  for (unsigned i = 0; i < 100; ++i) {
    read();
    complete(1);
  }
  unsigned armed = 0;
  for (std::size_t i = from; i < platform.calls.size(); ++i) armed += platform.calls[i].kind == Call::Kind::timer;
  EXPECT_LE(armed, 1U);
}

TEST_F(Queue, AQueuedCommandIsAnsweredWhenItsSactBitIsClear) {
  attach();
  TestRequest& first = read();
  TestRequest& second = read();
  complete(0b10);
  EXPECT_EQ(first.status, Status::pending);
  EXPECT_EQ(second.status, Status::ok);
  EXPECT_EQ(second.answers, 1U);
}

TEST_F(Queue, SeveralBitsAtOnceAreAnsweredInAscendingTagOrder) {
  attach();
  std::vector<TestRequest*> requests;
  for (unsigned i = 0; i < 8; ++i) requests.push_back(&read());
  complete(0b10110100);
  EXPECT_EQ(answered, (std::vector<TestRequest*>{requests[2], requests[4], requests[5], requests[7]}));
}

TEST_F(Queue, All32BitsAtOnceAreAnswered) {
  attach();
  for (unsigned i = 0; i < 32; ++i) read();
  complete(0xFFFFFFFF);
  EXPECT_EQ(answered.size(), 32U);
}

TEST_F(Queue, BitsOfTagsThatWereNeverIssuedMeanNothing) {
  attach();
  TestRequest& request = read();
  port().sact = 0xFFFFFF00;
  platform.raise(0, 8);
  interrupt();
  EXPECT_EQ(request.answers, 1U);
  EXPECT_EQ(answered.size(), 1U);
}

TEST_F(Queue, AnInterruptWithoutACauseAnswersNothing) {
  attach();
  TestRequest& request = read();
  platform.raise(0, 8);
  interrupt();
  EXPECT_EQ(request.status, Status::pending);
}

TEST_F(Queue, RequestsBeyondTheDepthWaitAndGoInOrderOfSubmission) {
  options.depth = 2;
  attach();
  for (unsigned i = 0; i < 5; ++i) read(100 + i);
  EXPECT_EQ(commands().size(), 2U);
  complete(0b01);
  complete(0b11);
  ASSERT_EQ(commands().size(), 5U);
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(commands()[i].fis[4], 100 + i);
}

TEST_F(Queue, WaitingRequestsThatFindSeveralSlotsArePublishedTogether) {
  options.depth = 2;
  attach();
  for (unsigned i = 0; i < 4; ++i) read();
  mark();
  complete(0b11);
  EXPECT_EQ(writes(), (std::vector<std::string>{"PxIS=00000008", "IS=00000001", "PxSACT=00000003", "PxCI=00000003"}));
}

TEST_F(Queue, ARequestMayBeSubmittedAgainFromItsDone) {
  attach();
  static Ahci* driver;
  driver = ahci.get();
  TestRequest& request = make(Operation::read, 0, 8);
  request.done = [](Request& done) {
    auto& self = static_cast<TestRequest&>(done);
    ++self.answers;
    EXPECT_TRUE(self.answers == 3 || driver->submit(0, self));
  };
  ASSERT_TRUE(ahci->submit(0, request));
  for (unsigned i = 0; i < 3; ++i) complete(1);
  EXPECT_EQ(request.answers, 3U);
  EXPECT_EQ(commands().size(), 3U);
}

TEST_F(Queue, ADoneMaySubmitToAnotherPortThatCompletesInTheSameService) {
  add_disk(1);
  attach();
  settle();
  static Ahci* driver;
  static TestRequest* next;
  driver = ahci.get();
  TestRequest& other = make(Operation::read, 0, 8);
  ASSERT_TRUE(ahci->submit(1, other));
  next = &make(Operation::read, 77, 8);
  TestRequest& request = make(Operation::read, 0, 8);
  request.done = [](Request&) { EXPECT_TRUE(driver->submit(1, *next)); };
  ASSERT_TRUE(ahci->submit(0, request));
  platform.complete(0, 1);
  platform.complete(1, 1);
  interrupt();
  EXPECT_EQ(other.answers, 1U);
  EXPECT_EQ(next->status, Status::pending);
  ASSERT_EQ(platform.ports[1].commands.size(), 2U);
  EXPECT_EQ(platform.ports[1].commands[1].fis[4], 77);
}

TEST_F(Queue, SubmitNeverAnswersARequestItself) {
  attach();
  TestRequest& request = make(Operation::read, 0, 0);
  EXPECT_FALSE(ahci->submit(0, request));
  EXPECT_EQ(request.answers, 0U);
}

TEST_F(Queue, APendingRequestIsRefusedAndStaysPending) {
  attach();
  TestRequest& request = read();
  EXPECT_FALSE(ahci->submit(0, request));
  EXPECT_EQ(request.status, Status::pending);
  complete(1);
  EXPECT_EQ(request.answers, 1U);
}

TEST_F(Queue, APortThatIsNotThereRefuses) {
  attach();
  TestRequest& request = make(Operation::read, 0, 8);
  for (const unsigned port : {1U, 31U, 32U, 4000000000U}) {
    EXPECT_FALSE(ahci->submit(port, request));
    EXPECT_EQ(request.status, Status::bad_port);
  }
}

TEST_F(Queue, APortThatIsStillAttachingRefuses) {
  start();
  TestRequest& request = make(Operation::read, 0, 8);
  EXPECT_FALSE(ahci->submit(0, request));
  EXPECT_EQ(request.status, Status::not_ready);
}

TEST_F(Queue, ACommandThatIsNotQueuedWaitsUntilTheQueuedOnesAreDrained) {
  attach();
  read(1);
  read(2);
  submit(Operation::flush, 0, 0);
  complete(0b01);
  EXPECT_EQ(commands().size(), 2U);
  complete(0b10);
  ASSERT_EQ(commands().size(), 3U);
  EXPECT_EQ(commands()[2].fis[2], 0xEA);
}

TEST_F(Queue, AQueuedCommandWaitsUntilTheOtherKindIsDone) {
  attach();
  read_plain(1);
  read(2);
  EXPECT_EQ(commands().size(), 1U);
  complete(1);
  ASSERT_EQ(commands().size(), 2U);
  EXPECT_EQ(commands()[1].fis[2], 0x60);
}

TEST_F(Queue, NoQueuedCommandOvertakesAFlushThatWaits) {
  attach();
  read(1);
  submit(Operation::flush, 0, 0);
  read(2);
  EXPECT_EQ(commands().size(), 1U);
  complete(1);
  complete(1);
  ASSERT_EQ(commands().size(), 3U);
  EXPECT_EQ(commands()[1].fis[2], 0xEA);
  EXPECT_EQ(commands()[2].fis[2], 0x60);
}

TEST_F(Queue, CommandsThatAreNotQueuedGoOneAtATime) {
  attach();
  read_plain(1);
  read_plain(2);
  EXPECT_EQ(commands().size(), 1U);
  complete(1);
  EXPECT_EQ(commands().size(), 2U);
}

}  // namespace
}  // namespace ncqlab::driver
