// From start() to an identified disk: order, times, limits (AHCI 1.3.1, 10.1.2, 10.4, 10.6.3).
#include "testbench/tests/driver/attached_disk.h"

namespace ncqlab::driver {
namespace {

using Attach = AttachedDisk;
using Kind = Call::Kind;

// The time of the n-th write of `value` to `offset`, counted from 0.
std::uint64_t write_time(const MockPlatform& platform, std::uint32_t offset, std::uint64_t value, unsigned n = 0) {
  for (const Call& call : platform.calls) {
    if (call.kind == Kind::write && call.offset == offset && call.value == value && n-- == 0) return call.time_ns;
  }
  ADD_FAILURE() << "no such write";
  return 0;
}

TEST_F(Attach, WritesRegistersInThisOrder) {
  attach();
  EXPECT_EQ(platform.writes(), (std::vector<std::string>{
                                   "GHC=80000000",    "GHC=80000001",    "GHC=80000000",  // AE, HBA reset, AE
                                   "PxIE=00000000",   "PxCLB=23400000",  "PxCLBU=00000001", "PxFB=23400400",
                                   "PxFBU=00000001",  "PxCMD=00000010",  "PxSCTL=00000301",  // FRE, COMRESET
                                   "IS=FFFFFFFF",     "GHC=80000002",                        // IE
                                   "PxSCTL=00000300", "PxSERR=FFFFFFFF",                     // end of COMRESET, link up
                                   "PxSERR=FFFFFFFF", "PxIS=FFFFFFFF",   "PxIE=7D40005B",   "PxCMD=00004011" /* ST */,
                                   "PxCI=00000001",  // IDENTIFY
                                   "PxIS=00000002",   "IS=00000001"}));
}

TEST_F(Attach, ReadsNothingOfAPortThatPiDoesNotName) {
  // NP says 6; the mock fails the test at any access to a port beyond these two.
  platform.ports.clear();
  add_disk(1);
  add_disk(4);
  start();
  settle();
  EXPECT_EQ(ahci->implemented_ports(), 0x12U);
  EXPECT_EQ(ahci->port_state(0), PortState::not_implemented);
  EXPECT_EQ(ahci->port_state(1), PortState::active);
  EXPECT_EQ(ahci->port_state(4), PortState::active);
}

TEST_F(Attach, DrivesPort31) {
  platform.ports.clear();
  add_disk(31);
  start();
  settle();
  EXPECT_EQ(ahci->port_state(31), PortState::active);
}

TEST_F(Attach, IsDoneWithAControllerThatHasNoPorts) {
  platform.ports.clear();
  start();
  settle();
  EXPECT_EQ(ahci->state(), ControllerState::running);
}

TEST_F(Attach, HoldsComresetForAtLeastAMillisecond) {
  attach();
  const std::uint64_t held = write_time(platform, 0x12C, 0x300) - write_time(platform, 0x12C, 0x301);
  EXPECT_GE(held, kMs);
  EXPECT_LT(held, 2 * kMs);
}

TEST_F(Attach, SetsSpinUpOnlyWithStaggeredSpinUp) {
  platform.cap |= 1U << 27;
  attach();
  EXPECT_EQ(port().cmd & 0x2U, 0x2U);
}

TEST_F(Attach, PowersOnADeviceBehindColdPresenceDetection) {
  port().cmd = 1U << 20;
  attach();
  EXPECT_EQ(port().cmd & 0x4U, 0x4U);
}

TEST_F(Attach, StopsAnEngineThatTheFirmwareLeftRunning) {
  port().cmd = 0xC011;
  port().stop_delay_ns = 100 * kMs;
  attach();
  EXPECT_LT(write_time(platform, 0x118, 0xC010), write_time(platform, 0x118, 0x4000));  // ST first, then FRE
  EXPECT_EQ(port().comresets, 1U);
}

TEST_F(Attach, GivesUpAnEngineThatNeverStops) {
  port().cmd = 0xC011;
  port().stop_delay_ns = kStuck;
  const std::uint64_t begin = platform.now;
  start();
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::dead);
  EXPECT_EQ(ahci->counters(0)->failed_attempts, 3U);
  EXPECT_LT(platform.now - begin, 3 * 502 * kMs + 10 * kMs);
  EXPECT_EQ(port().comresets, 0U);
}

TEST_F(Attach, FindsNoDeviceInAnEmptyPort) {
  port().device = false;
  const std::uint64_t begin = platform.now;
  start();
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::absent);
  EXPECT_EQ(ahci->device(0), nullptr);
  EXPECT_LT(platform.now - begin, 300 * kMs);
}

TEST_F(Attach, WaitsForADiskThatSpinsUpIn25Seconds) {
  port().ready_delay_ns = 25'000 * kMs;
  attach();
  EXPECT_EQ(port().comresets, 1U);
}

TEST_F(Attach, GivesUpADiskThatStaysBusyForThreeTimesTheSpinUpTime) {
  port().ready_delay_ns = 30'100 * kMs;
  const std::uint64_t begin = platform.now;
  start();
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::dead);
  EXPECT_EQ(port().comresets, 3U);
  EXPECT_LT(platform.now - begin, 91'000 * kMs);
}

TEST_F(Attach, ASlowPortDelaysNoOther) {
  add_disk(1);
  port().ready_delay_ns = 20'000 * kMs;
  start();
  platform.run(100 * kMs);
  EXPECT_EQ(ahci->port_state(0), PortState::attaching);
  EXPECT_EQ(ahci->port_state(1), PortState::active);
}

TEST_F(Attach, DoesNotStartAnythingButAnAtaSignature) {
  for (const std::uint32_t signature : {0xEB140101U, 0x96690101U, 0xC33C0101U, 0xFFFFFFFFU}) {
    Ahci other;
    MockPlatform machine(other);
    machine.ports[0].identify = identify_data();
    machine.ports[0].signature = signature;
    ASSERT_TRUE(other.start(machine, {}));
    machine.run(60'000 * kMs, [&other] { return other.settled(); });
    EXPECT_EQ(other.port_state(0), PortState::unsupported);
    EXPECT_EQ(machine.ports[0].cmd & 1U, 0U);
  }
}

TEST_F(Attach, GivesUpADiskThatFailsIdentifyThreeTimes) {
  port().identify_fails = true;
  start();
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::dead);
  EXPECT_EQ(port().identifies, 3U);
}

TEST_F(Attach, GivesUpADiskThatNeverAnswersIdentify) {
  port().answers_identify = false;
  const std::uint64_t begin = platform.now;
  start();
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::dead);
  EXPECT_LT(platform.now - begin, 91'000 * kMs);
}

TEST_F(Attach, LeavesADiskWithImpossibleIdentifyDataAlone) {
  port().identify = identify_data(0);
  start();
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::unsupported);
}

TEST_F(Attach, FailsWhenHbaResetTakesMoreThanASecond) {
  platform.hba_reset_ns = kStuck;
  const std::uint64_t begin = platform.now;
  start();
  settle();
  EXPECT_EQ(ahci->state(), ControllerState::failed);
  EXPECT_EQ(ahci->port_state(0), PortState::dead);
  EXPECT_GE(platform.now - begin, 1000 * kMs);
  EXPECT_LT(platform.now - begin, 1003 * kMs);
}

TEST_F(Attach, WaitsForAnHbaResetOfJustUnderASecond) {
  platform.hba_reset_ns = 998 * kMs;
  attach();
}

TEST_F(Attach, AsksTheFirmwareForTheControllerBeforeItResetsIt) {
  platform.cap2 = 1;
  platform.bohc = 1;
  platform.firmware_lets_go_ns = 10 * kMs;
  attach();
  const std::uint64_t asked = write_time(platform, 0x28, 0x3);
  const std::uint64_t reset = write_time(platform, 0x04, 0x80000001);
  EXPECT_GE(reset - asked, 10 * kMs);
  EXPECT_LT(reset - asked, 12 * kMs);
}

TEST_F(Attach, TakesTheControllerAfter25MillisecondsFromAFirmwareThatIsNotBusy) {
  platform.cap2 = 1;
  platform.bohc = 1;
  platform.firmware_lets_go_ns = kStuck;
  attach();
  const std::uint64_t waited = write_time(platform, 0x04, 0x80000001) - write_time(platform, 0x28, 0x3);
  EXPECT_GE(waited, 25 * kMs - kMs);
  EXPECT_LT(waited, 27 * kMs);
}

TEST_F(Attach, WaitsTwoSecondsForAFirmwareThatIsBusy) {
  platform.cap2 = 1;
  platform.bohc = 1;
  platform.firmware_busy = true;
  platform.firmware_lets_go_ns = kStuck;
  attach();
  const std::uint64_t waited = write_time(platform, 0x04, 0x80000001) - write_time(platform, 0x28, 0x3);
  EXPECT_GE(waited, 1999 * kMs);
  EXPECT_LT(waited, 2003 * kMs);
}

TEST_F(Attach, LeavesBohcAloneWithoutHandOff) {
  attach();
  for (const Call& call : platform.calls) EXPECT_NE(call.offset, 0x28U);
}

TEST_F(Attach, RefusesOptionsOutOfRange) {
  for (const unsigned depth : {0U, 33U}) {
    options.depth = depth;
    EXPECT_FALSE(ahci->start(platform, options));
  }
  options.depth = 32;
  for (const unsigned prds : {0U, 65536U}) {
    options.max_prds = prds;
    EXPECT_FALSE(ahci->start(platform, options));
  }
  options.max_prds = 1;
  options.command_timeout_ms = 0;
  EXPECT_FALSE(ahci->start(platform, options));
  EXPECT_TRUE(platform.calls.empty());
}

TEST_F(Attach, RefusesAControllerThatIsNotThere) {
  platform.removed = true;
  EXPECT_FALSE(ahci->start(platform, options));
}

TEST_F(Attach, FailsWithoutMemory) {
  platform.allocations_left = 3;
  EXPECT_FALSE(ahci->start(platform, options));
  EXPECT_EQ(ahci->state(), ControllerState::failed);
}

TEST_F(Attach, RefusesMemoryThatA32BitControllerCannotReach) {
  platform.cap &= 0x7FFFFFFF;
  EXPECT_FALSE(ahci->start(platform, options));
}

TEST_F(Attach, UsesMemoryBelow4GiBWithA32BitController) {
  platform.cap &= 0x7FFFFFFF;
  platform.next_bus_address = 0xF000'0000;
  attach();
  EXPECT_EQ(port().clbu, 0U);
}

TEST_F(Attach, AllocatesOnlyInsideStart) {
  start();
  platform.allocations_left = 0;
  settle();
  EXPECT_EQ(ahci->port_state(0), PortState::active);
}

TEST_F(Attach, LooksAtTheIdentifyBufferOnlyAfterItsSync) {
  attach();
  unsigned syncs = 0;
  for (const Call& call : platform.calls) syncs += call.kind == Kind::sync_for_cpu;
  EXPECT_EQ(syncs, 1U);
}

TEST_F(Attach, SurvivesAControllerPulledAtAnyAccess) {
  attach();
  const std::size_t accesses = platform.accesses().size();
  for (std::size_t pulled = 1; pulled < accesses; ++pulled) {
    Ahci other;
    MockPlatform machine(other);
    machine.ports[0].identify = identify_data();
    machine.removed_after = pulled;
    if (!other.start(machine, {})) continue;
    machine.run(200'000 * kMs, [&other] { return other.settled(); });
    EXPECT_TRUE(other.settled()) << pulled;
    EXPECT_NE(other.port_state(0), PortState::attaching) << pulled;
  }
}

}  // namespace
}  // namespace ncqlab::driver
