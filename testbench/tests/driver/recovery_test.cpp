// Errors, time-outs, pulled disks and controllers: each request is answered once, in bounded time (AHCI 1.3.1, 6.2.2).
#include "testbench/tests/driver/attached_disk.h"

namespace ncqlab::driver {
namespace {

using Recovery = AttachedDisk;

constexpr std::uint32_t kIfs = 1U << 27;
constexpr std::uint32_t kHbfs = 1U << 29;

TEST_F(Recovery, ATaskFileErrorFailsTheCommandAndBringsTheDiskBack) {
  attach();
  TestRequest& request = read_plain();
  platform.fail_task_file(0, 0x51, 0x40);
  settle();
  EXPECT_EQ(request.status, Status::error);
  EXPECT_EQ(request.ata_status, 0x51);
  EXPECT_EQ(request.ata_error, 0x40);
  EXPECT_EQ(request.answers, 1U);
  EXPECT_EQ(ahci->port_state(0), PortState::active);
  EXPECT_EQ(ahci->counters(0)->task_file_errors, 1U);
  EXPECT_EQ(ahci->counters(0)->recoveries, 1U);
  EXPECT_EQ(port().comresets, 2U);
}

TEST_F(Recovery, ACommandIsAtFaultEvenWhenItsCiBitIsClear) {
  attach();
  TestRequest& request = read_plain();
  port().ci = 0;
  platform.ports[0].is |= 1;  // DHRS beside TFES
  platform.fail_task_file(0, 0x51, 0x04);
  settle();
  EXPECT_EQ(request.status, Status::error);
}

TEST_F(Recovery, WritesRegistersInThisOrder) {
  attach();
  read_plain();
  mark();
  platform.fail_task_file(0, 0x51, 0x40);
  settle();
  EXPECT_EQ(writes(), (std::vector<std::string>{
                          "PxIS=40000000",   "IS=00000001",     "PxIE=00000000",   "PxCMD=0000C010",
                          "PxCMD=00004000",  // ST, then FRE
                          "PxCLB=23400000",  "PxCLBU=00000001", "PxFB=23400400",   "PxFBU=00000001",  "PxCMD=00000010",
                          "PxSCTL=00000301", "PxSCTL=00000300", "PxSERR=FFFFFFFF", "PxSERR=FFFFFFFF", "PxIS=FFFFFFFF",
                          "PxIE=7D40005B",   "PxCMD=00004011",  "PxCI=00000001",   "PxIS=00000002",   "IS=00000001"}));
}

TEST_F(Recovery, AnErrorAmongQueuedCommandsFailsAllThatAreLeft) {
  attach();
  TestRequest& good = read();
  TestRequest& first = read();
  TestRequest& second = read();
  port().sact &= ~1U;  // finished together with the error
  platform.fail_task_file(0, 0x41, 0x84);
  settle();
  EXPECT_EQ(good.status, Status::ok);
  EXPECT_EQ(first.status, Status::error);
  EXPECT_EQ(second.status, Status::error);
  EXPECT_EQ(answered.size(), 3U);
}

TEST_F(Recovery, NothingIsAnsweredBeforeTheEngineStands) {
  attach();
  port().stop_delay_ns = 50 * kMs;
  TestRequest& request = read_plain();
  platform.fail_task_file(0, 0x51, 0x40);
  platform.run(49 * kMs);
  EXPECT_EQ(request.status, Status::pending);
  platform.run(3 * kMs);
  EXPECT_EQ(request.status, Status::error);
}

TEST_F(Recovery, WaitingRequestsAreIssuedAfterwards) {
  attach();
  read_plain();
  TestRequest& waiting = read_plain(5);
  platform.fail_task_file(0, 0x51, 0x40);
  settle();
  ASSERT_EQ(commands().size(), 2U);
  complete(1);
  EXPECT_EQ(waiting.status, Status::ok);
}

TEST_F(Recovery, RequestsSubmittedMeanwhileWait) {
  attach();
  read_plain();
  platform.fail_task_file(0, 0x51, 0x40);
  platform.run(3 * kMs);
  ASSERT_EQ(ahci->port_state(0), PortState::recovering);
  TestRequest& meanwhile = read();
  EXPECT_EQ(commands().size(), 1U);
  settle();
  complete(1);
  EXPECT_EQ(meanwhile.status, Status::ok);
}

TEST_F(Recovery, AnInterfaceErrorFailsTheCommandUnderWay) {
  attach();
  TestRequest& request = read_plain();
  platform.raise(0, kIfs);
  settle();
  EXPECT_EQ(request.status, Status::error);
  EXPECT_EQ(request.ata_status, 0);
  EXPECT_EQ(ahci->counters(0)->interface_errors, 1U);
  EXPECT_EQ(ahci->port_state(0), PortState::active);
}

TEST_F(Recovery, AHostBusErrorFailsTheCommandUnderWay) {
  attach();
  TestRequest& request = read_plain();
  platform.raise(0, kHbfs);
  settle();
  EXPECT_EQ(request.status, Status::error);
  EXPECT_EQ(ahci->counters(0)->host_bus_errors, 1U);
}

TEST_F(Recovery, ANonFatalInterfaceErrorIsOnlyCounted) {
  attach();
  TestRequest& request = read_plain();
  platform.raise(0, 1U << 26);
  interrupt();
  EXPECT_EQ(request.status, Status::pending);
  EXPECT_EQ(ahci->counters(0)->non_fatal_interface_errors, 1U);
  EXPECT_EQ(ahci->port_state(0), PortState::active);
}

TEST_F(Recovery, ACommandTimesOutAfter30SecondsAndNotBefore) {
  attach();
  const std::uint64_t begin = platform.now;
  TestRequest& request = read();
  platform.run_deaf(begin + 30'000 * kMs - 1 - platform.now);
  EXPECT_EQ(ahci->port_state(0), PortState::active);
  platform.run_deaf(1);
  EXPECT_EQ(ahci->port_state(0), PortState::recovering);
  settle();
  EXPECT_EQ(request.status, Status::timeout);
  EXPECT_EQ(ahci->counters(0)->timeouts, 1U);
  EXPECT_EQ(ahci->port_state(0), PortState::active);
}

TEST_F(Recovery, TheTimeOutIsAnOption) {
  options.command_timeout_ms = 7;
  attach();
  TestRequest& request = read();
  platform.run(7 * kMs);
  settle();
  EXPECT_EQ(request.status, Status::timeout);
}

TEST_F(Recovery, ALaterCommandHasItsOwnTimeOutThoughTheTimerStandsForAnEarlierOne) {
  attach();
  const std::uint64_t begin = platform.now;
  read();
  complete(1);
  platform.run(10'000 * kMs);
  TestRequest& request = read();
  platform.run(begin + 39'999 * kMs - platform.now);
  EXPECT_EQ(request.status, Status::pending);
  platform.run(2 * kMs);
  settle();
  EXPECT_EQ(request.status, Status::timeout);
}

TEST_F(Recovery, ATimeOutFailsTheLateCommandAndIssuesTheOthersAgainInTheirOrder) {
  attach();
  TestRequest& late = read(1);
  platform.run(10'000 * kMs);
  TestRequest& second = read(2);
  TestRequest& third = read(3);
  complete(0b010);
  TestRequest& fourth = read(4);  // in slot 1, and after the one in slot 2
  platform.run(20'001 * kMs);
  settle();
  EXPECT_EQ(late.status, Status::timeout);
  EXPECT_EQ(second.status, Status::ok);
  ASSERT_EQ(commands().size(), 6U);
  EXPECT_EQ(commands()[4].fis[4], 3);
  EXPECT_EQ(commands()[5].fis[4], 4);
  complete(0b11);
  EXPECT_EQ(third.status, Status::ok);
  EXPECT_EQ(fourth.status, Status::ok);
}

TEST_F(Recovery, ARequestIsIssuedAgainThreeTimesAtMost) {
  attach();
  TestRequest& innocent = read(1);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(innocent.status, Status::pending) << i;
    platform.raise(0, 1U << 22);  // the link has gone and come back
    settle();
    ASSERT_EQ(ahci->port_state(0), PortState::active);
  }
  EXPECT_EQ(innocent.status, Status::error);
  EXPECT_EQ(innocent.answers, 1U);
  EXPECT_EQ(commands().size(), 4U);
}

TEST_F(Recovery, ALostInterruptIsFoundBeforeAResetIsMade) {
  attach();
  TestRequest& request = read();
  platform.complete(0, 1);
  platform.run_deaf(30'001 * kMs);
  EXPECT_EQ(request.status, Status::ok);
  EXPECT_EQ(ahci->counters(0)->lost_interrupts, 1U);
  EXPECT_EQ(ahci->counters(0)->recoveries, 0U);
}

TEST_F(Recovery, APulledDiskAnswersEverythingWithDeviceGone) {
  options.depth = 2;
  attach();
  std::vector<TestRequest*> requests;
  for (unsigned i = 0; i < 4; ++i) requests.push_back(&read(i));
  platform.unplug(0);
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::absent);
  for (const TestRequest* request : requests) {
    EXPECT_EQ(request->status, Status::device_gone);
    EXPECT_EQ(request->answers, 1U);
  }
  TestRequest& late = make(Operation::read, 0, 8);
  EXPECT_FALSE(ahci->submit(0, late));
  EXPECT_EQ(late.status, Status::not_ready);
}

TEST_F(Recovery, AnotherDiskInTheOldOnesPlaceIsNotServed) {
  attach();
  TestRequest& request = read();
  port().identify = identify_data(1000);
  platform.raise(0, 1U << 22);
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::dead);
  EXPECT_EQ(request.status, Status::device_gone);
  EXPECT_EQ(commands().size(), 1U);
}

TEST_F(Recovery, ADiskThatDoesNotComeBackIsGivenUpAfterThreeAttempts) {
  attach();
  TestRequest& request = read_plain(1);
  TestRequest& waiting = read_plain(2);
  port().ready_delay_ns = kStuck;
  platform.fail_task_file(0, 0x51, 0x40);
  const std::uint64_t begin = platform.now;
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::dead);
  EXPECT_EQ(port().comresets, 1U + 3U);
  EXPECT_LT(platform.now - begin, 91'000 * kMs);
  EXPECT_EQ(request.answers, 1U);
  EXPECT_EQ(waiting.status, Status::device_gone);
}

TEST_F(Recovery, AnEngineThatNeverStopsEndsInADeadPortAndAnswers) {
  attach();
  port().stop_delay_ns = kStuck;
  TestRequest& request = read_plain();
  platform.fail_task_file(0, 0x51, 0x40);
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::dead);
  EXPECT_EQ(request.answers, 1U);
  EXPECT_EQ(request.status, Status::device_gone);
}

TEST_F(Recovery, OtherPortsGoOnMeanwhile) {
  add_disk(1);
  attach();
  settle();
  port().ready_delay_ns = 20'000 * kMs;
  read_plain();
  platform.fail_task_file(0, 0x51, 0x40);
  platform.run(100 * kMs);
  ASSERT_EQ(ahci->port_state(0), PortState::recovering);
  TestRequest& other = make(Operation::read, 0, 8);
  ASSERT_TRUE(ahci->submit(1, other));
  platform.complete(1, 1);
  interrupt();
  EXPECT_EQ(other.status, Status::ok);
}

TEST_F(Recovery, APulledControllerIsNoticedByTheInterrupt) {
  attach();
  TestRequest& request = read();
  platform.removed = true;
  interrupt();
  EXPECT_EQ(ahci->state(), ControllerState::failed);
  EXPECT_EQ(ahci->port_state(0), PortState::dead);
  EXPECT_EQ(request.status, Status::device_gone);
  EXPECT_EQ(request.answers, 1U);
  EXPECT_FALSE(platform.deliver());
}

TEST_F(Recovery, APulledControllerIsNoticedByTheTimeOut) {
  attach();
  TestRequest& request = read();
  platform.removed = true;
  platform.run_deaf(30'001 * kMs);
  EXPECT_EQ(ahci->state(), ControllerState::failed);
  EXPECT_EQ(request.status, Status::device_gone);
}

TEST_F(Recovery, All32TagsOutstandingAreNotTakenForAPulledController) {
  attach();
  for (unsigned i = 0; i < 32; ++i) read();
  platform.raise(0, 8);
  interrupt();
  EXPECT_EQ(ahci->state(), ControllerState::running);
  EXPECT_TRUE(answered.empty());
}

TEST_F(Recovery, AControllerPulledAtAnyAccessAnswersEachRequestOnce) {
  for (std::size_t pulled = 0; pulled < 40; ++pulled) {
    Ahci driver;
    MockPlatform machine(driver);
    machine.ports[0].identify = identify_data();
    ASSERT_TRUE(driver.start(machine, {}));
    machine.run(60'000 * kMs, [&driver] { return driver.settled(); });
    const Segment segment{0x1000, 512};
    struct Counted : Request {
      unsigned answers = 0;
    } requests[4];
    machine.removed_after = pulled;
    unsigned accepted = 0;
    for (Counted& request : requests) {
      request.sectors = 1;
      request.segments = &segment;
      request.segment_count = 1;
      request.queueing = &request == &requests[3] ? Queueing::never : Queueing::automatic;
      request.done = [](Request& done) { ++static_cast<Counted&>(done).answers; };
      accepted += driver.submit(0, request);
    }
    if (!machine.removed) machine.complete(0, 0b001);
    if (machine.deliver()) driver.service();
    if (!machine.removed) machine.fail_task_file(0, 0x41, 0x84);
    if (machine.deliver()) driver.service();
    machine.run(200'000 * kMs);
    EXPECT_EQ(accepted, 4U);
    for (const Counted& request : requests) EXPECT_EQ(request.answers, 1U) << pulled;
  }
}

TEST_F(Recovery, ADoneThatSubmitsAgainIntoADeadPortIsRefusedNotLooped) {
  attach();
  static Ahci* driver;
  driver = ahci.get();
  TestRequest& request = make(Operation::read, 0, 8);
  request.done = [](Request& done) {
    ++static_cast<TestRequest&>(done).answers;
    EXPECT_FALSE(driver->submit(0, done));
  };
  ASSERT_TRUE(ahci->submit(0, request));
  platform.removed = true;
  interrupt();
  EXPECT_EQ(request.answers, 1U);
}

}  // namespace
}  // namespace ncqlab::driver
