// Fault programs in a drive: the shipped ones, then each hook and each action on the frames that a host sees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/config/files.h"
#include "testbench/tests/unit/faults_drive_rig.h"

namespace ncqlab::drive {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint8_t kReadDma = 0x25;
constexpr std::uint8_t kWriteDma = 0x35;
constexpr std::uint8_t kWriteDmaFua = 0x3D;
constexpr std::uint8_t kVerify = 0x42;
constexpr std::uint8_t kFlush = 0xEA;
constexpr std::uint8_t kSetFeatures = 0xEF;
constexpr std::uint16_t kWriteCacheOff = 0x82;
constexpr std::uint16_t kReadAheadOff = 0x55;
constexpr std::uint8_t kForced = 0xC0;
constexpr sim::Time kInCache = 1 * kMs;  // no write to the platter is so fast: the arm alone takes longer

constexpr char kDone[] = "D2H 50 00 I";

std::uint16_t identify_word(FaultyDrive& faulty, std::size_t word) {
  faulty.host.sent.clear();
  faulty.host.command(0xEC);
  faulty.host.run_until(faulty.host.now() + 100 * kUs);
  const AtaHost::Bytes data = faulty.host.data();
  return static_cast<std::uint16_t>(data.at(2 * word) | data.at(2 * word + 1) << 8);
}

// ---- the shipped programs

TEST(ShippedFaults, EveryOneLoadsUnderItsName) {
  const auto names = config::file_names(config::kFaultFiles);
  EXPECT_THAT(names, testing::IsSupersetOf({"ignores-flush", "ignores-fua", "ignores-write-cache-off"}));
  for (const auto& name : names) EXPECT_EQ(config::load_fault_program(name).id(), name);
}

TEST(ShippedFaults, AFlushThatIsObeyedTakesItsTimeAndLeavesNothingDirty) {
  AtaHost host(queued_profile());
  host.start();
  host.outgoing = AtaHost::filled(8, 1);
  host.command(kWriteDma, 20'000, 8);
  host.run_until(host.now() + kInCache);
  const sim::Time asked = host.now();
  host.sent.clear();
  host.command(kFlush);
  host.run_until(asked + kInCache);
  EXPECT_TRUE(host.sent.empty()) << "still under way";
  host.run();
  EXPECT_TRUE(host.drive.disk().dirty_extents().empty());
}

TEST(ShippedFaults, IgnoresFlushAnswersAtOnceAndLeavesTheDirtyDataDirty) {
  for (const std::uint8_t flush : {0xE7, 0xEA}) {
    FaultyDrive faulty(config::load_fault_program("ignores-flush"));
    faulty.write(kWriteDma, 20'000, 8);
    const auto [took, line] = faulty.command(flush);
    EXPECT_EQ(took, 0);
    EXPECT_EQ(line, kDone);
    ASSERT_EQ(faulty.host.drive.disk().dirty_extents().size(), 1U);
    EXPECT_EQ(faulty.host.drive.disk().dirty_extents()[0].first, 20'000U);
    EXPECT_EQ(faulty.dirty(), 8U);
    EXPECT_EQ(faulty.fired(), 1U);
  }
}

TEST(ShippedFaults, IgnoresFlushLeavesTheFlushOfOtherCommandsAlone) {
  FaultyDrive faulty(config::load_fault_program("ignores-flush"));
  faulty.write(kWriteDma, 20'000, 8);
  EXPECT_GT(faulty.command(kSetFeatures, 0, 0, kWriteCacheOff).took, kInCache);
  EXPECT_EQ(faulty.dirty(), 0U);
  EXPECT_EQ(faulty.fired(), 0U);
}

TEST(ShippedFaults, IgnoresFuaEndsForcedWritesInTheCache) {
  FaultyDrive faulty(config::load_fault_program("ignores-fua"));
  EXPECT_LT(faulty.write(kWriteDmaFua, 20'000, 8).took, kInCache);
  EXPECT_EQ(faulty.dirty(), 8U);
  EXPECT_LT(faulty.write_queued(3, 30'000, 8, kForced).took, kInCache);
  EXPECT_EQ(faulty.dirty(), 16U);
  EXPECT_EQ(faulty.fired(), 2U);
}

TEST(ShippedFaults, WithoutItTheyEndOnThePlatter) {
  FaultyDrive sound(program_of(R"({"on": "cmd.exec", "if": "cmd.opcode == 0", "do": [{"fail": {}}]})"));
  EXPECT_GT(sound.write(kWriteDmaFua, 20'000, 8).took, kInCache);
  EXPECT_GT(sound.write_queued(3, 30'000, 8, kForced).took, kInCache);
  EXPECT_EQ(sound.dirty(), 0U);
}

TEST(ShippedFaults, IgnoresFuaObeysWithTheCacheOff) {
  FaultyDrive faulty(config::load_fault_program("ignores-fua"));
  faulty.command(kSetFeatures, 0, 0, kWriteCacheOff);
  EXPECT_GT(faulty.write(kWriteDmaFua, 20'000, 8).took, kInCache);
}

TEST(ShippedFaults, IgnoresWriteCacheOffReportsItOffAndGoesOnCaching) {
  FaultyDrive faulty(config::load_fault_program("ignores-write-cache-off"));
  EXPECT_EQ(identify_word(faulty, 85) & 0x20, 0x20);
  EXPECT_EQ(faulty.command(kSetFeatures, 0, 0, kWriteCacheOff).line, kDone);
  EXPECT_EQ(identify_word(faulty, 85) & 0x20, 0);
  EXPECT_LT(faulty.write(kWriteDma, 20'000, 8).took, kInCache);
  EXPECT_LT(faulty.write_queued(3, 30'000, 8).took, kInCache);
  EXPECT_EQ(faulty.dirty(), 16U);
  EXPECT_EQ(identify_word(faulty, 85) & 0x20, 0);
}

// ---- skip

TEST(DriveFaults, ASkippedFeatureLeavesTheSettingAsItWas) {
  FaultyDrive faulty(program_of(R"({"on": "cmd.exec", "if": "cmd.opcode == 0xEF and cmd.feature == 0x82",
                                    "do": [{"skip": {"what": "feature"}}]})"));
  EXPECT_EQ(faulty.command(kSetFeatures, 0, 0, kWriteCacheOff).line, kDone);
  EXPECT_EQ(faulty.command(kSetFeatures, 0, 0, kReadAheadOff).line, kDone);
  EXPECT_EQ(identify_word(faulty, 85) & 0x60, 0x20) << "the cache is still on, look-ahead is off";
}

TEST(DriveFaults, ASkippedWriteTakesItsDataAndForgetsThem) {
  FaultyDrive faulty(program_of(R"({"on": "cmd.exec", "if": "cmd.class == write and cmd.lba == 100",
                                    "do": [{"skip": {"what": "media"}}]})"));
  for (const bool queued : {false, true}) {
    const auto end = queued ? faulty.write_queued(5, 100, 8) : faulty.write(kWriteDma, 100, 8);
    EXPECT_EQ(end.line, queued ? "SDB 40 00000020 I" : kDone);
    EXPECT_EQ(faulty.stored(100, 8), AtaHost::factory(100, 8));
    EXPECT_EQ(faulty.dirty(), 0U);
  }
  faulty.write(kWriteDma, 101, 8);
  EXPECT_EQ(faulty.stored(101, 8), AtaHost::filled(8, FaultyDrive::kWritten));
}

TEST(DriveFaults, ASkippedReadIsAnsweredWithoutTheHead) {
  FaultyDrive faulty(
      program_of(R"({"on": "cmd.exec", "if": "cmd.class == read", "do": [{"skip": {"what": "media"}}]})"));
  EXPECT_LT(faulty.command(kReadDma, 20'000, 8).took, kInCache);
  EXPECT_EQ(faulty.host.data(), AtaHost::factory(20'000, 8));
  EXPECT_EQ(faulty.host.drive.disk().statistics().reads, 0U);
}

TEST(DriveFaults, ASkippedVerifyFindsEverySectorGood) {
  FaultyDrive faulty(program_of(R"({"on": "cmd.exec", "do": [{"skip": {"what": "media"}}]})"));
  faulty.host.drive.mark_unreadable(500);
  const auto [took, line] = faulty.command(kVerify, 500, 1);
  EXPECT_EQ(took, 0);
  EXPECT_EQ(line, kDone);
}

TEST(DriveFaults, ASkipDoesNotMakeABadAddressGood) {
  FaultyDrive faulty(program_of(R"({"on": "cmd.exec", "do": [{"skip": {"what": "media"}}]})"));
  EXPECT_EQ(faulty.command(kVerify, 40'000, 1).line, "D2H 51 10 I");
}

// ---- fail

TEST(DriveFaults, AFailureWithoutArgumentsIsAnAbort) {
  for (const std::string hook : {"cmd.rx", "cmd.exec", "cmd.done"}) {
    FaultyDrive faulty(program_of(R"({"on": ")" + hook + R"(", "if": "cmd.opcode == 0xEA", "do": [{"fail": {}}]})"));
    EXPECT_EQ(faulty.command(kFlush).line, "D2H 51 04 I") << hook;
    EXPECT_EQ(faulty.command(kSetFeatures, 0, 0, kReadAheadOff).line, kDone) << hook;
  }
}

TEST(DriveFaults, StatusErrorAndAddressOfAFailureCanBeChosen) {
  FaultyDrive faulty(program_of(R"({"on": "cmd.exec", "if": "cmd.class == read", "do": [
      {"fail": {"status": "DRDY | DF | ERR", "error": "UNC | IDNF", "lba": "cmd.lba + 3"}}]})"));
  EXPECT_EQ(faulty.command(kReadDma, 500, 8).line, "D2H 61 50 I");
  EXPECT_EQ(faulty.host.last_status().lba, 503U);
}

TEST(DriveFaults, AFailingQueuedCommandHaltsTheQueue) {
  FaultyDrive faulty(program_of(R"({"on": "cmd.exec", "if": "cmd.tag == 4", "do": [{"fail": {"error": "UNC"}}]})"));
  EXPECT_EQ(faulty.read_queued(4, 500, 8).line, "SDB 41 error 40 00000000 I");
  EXPECT_EQ(faulty.read_queued(5, 500, 8).line, "D2H 51 04 I");
}

TEST(DriveFaults, WithoutAbortAllOnlyItsTagEnds) {
  FaultyDrive faulty(program_of(
      R"({"on": "cmd.exec", "if": "cmd.tag == 4", "do": [{"fail": {"error": "UNC", "abort_all": false}}]})"));
  faulty.host.queued(0x60, 2, 20'000, 8);
  faulty.host.run_until(faulty.host.now() + 10 * kUs);
  EXPECT_EQ(faulty.read_queued(4, 500, 8).line, "SDB 41 error 40 00000010 I");
  EXPECT_EQ(faulty.end_after([] {}).line, "SDB 40 00000004 I") << "the other one ends as it would have";
  EXPECT_EQ(faulty.read_queued(4, 600, 8).line, "SDB 41 error 40 00000010 I") << "its tag is free again";
}

TEST(DriveFaults, AWriteThatFailsWhenItIsDoneHasBeenWritten) {
  FaultyDrive faulty(
      program_of(R"({"on": "cmd.done", "if": "cmd.class == write", "do": [{"fail": {"error": "ICRC"}}]})"));
  EXPECT_EQ(faulty.write(kWriteDma, 100, 8).line, "D2H 51 80 I");
  EXPECT_EQ(faulty.stored(100, 8), AtaHost::filled(8, FaultyDrive::kWritten));
  EXPECT_EQ(faulty.write_queued(7, 200, 8).line, "SDB 41 error 80 00000000 I");
  EXPECT_EQ(faulty.stored(200, 8), AtaHost::filled(8, FaultyDrive::kWritten));
}

// ---- delay

TEST(DriveFaults, ADelayHoldsACommandBackByJustThatTime) {
  for (const std::string hook : {"cmd.rx", "cmd.exec", "cmd.done"}) {
    const sim::Time without =
        FaultyDrive(program_of(R"({"on": "cmd.rx", "if": "cmd.opcode == 0", "do": [{"fail": {}}]})"))
            .command(kSetFeatures, 0, 0, kReadAheadOff)
            .took;
    FaultyDrive faulty(program_of(R"({"on": ")" + hook + R"(", "do": [{"delay": {"time_ms": 40000}}]})"));
    const auto [took, line] = faulty.command(kSetFeatures, 0, 0, kReadAheadOff);
    EXPECT_EQ(took, without + 40'000 * kMs) << hook;
    EXPECT_EQ(line, kDone) << hook;
  }
}

TEST(DriveFaults, DelaysOfSeveralRulesAddUp) {
  FaultyDrive faulty(program_of(R"({"on": "cmd.exec", "do": [{"delay": {"time_ms": 3}}, {"delay": {"time_us": 500}}]},
                                   {"on": "cmd.exec", "do": [{"delay": {"time_s": 1}}]})"));
  EXPECT_EQ(faulty.command(kSetFeatures, 0, 0, kReadAheadOff).took, 1003 * kMs + 500 * kUs);
}

TEST(DriveFaults, ATagThatIsHeldBackIsOvertaken) {
  for (const std::string hook : {"cmd.exec", "cmd.done"}) {
    FaultyDrive faulty(
        program_of(R"({"on": ")" + hook + R"(", "if": "cmd.tag == 1", "do": [{"delay": {"time_s": 30}}]})"));
    faulty.host.queued(0x60, 1, 500, 8);
    faulty.host.run_until(faulty.host.now() + 100 * kUs);
    EXPECT_EQ(faulty.read_queued(2, 20'000, 8).line, "SDB 40 00000004 I") << hook;
    EXPECT_EQ(faulty.end_after([] {}).line, "SDB 40 00000002 I") << hook;
    EXPECT_GE(faulty.host.now(), 30 * sim::kSecond) << hook;
  }
}

TEST(DriveFaults, AResetForgetsWhatIsHeldBack) {
  for (const std::string hook : {"cmd.rx", "cmd.exec", "cmd.done"}) {
    FaultyDrive faulty(
        program_of(R"({"on": ")" + hook + R"(", "if": "cmd.opcode == 0xEF", "do": [{"delay": {"time_s": 30}}]})"));
    faulty.host.command(kSetFeatures, 0, 0, kReadAheadOff);
    faulty.host.run_until(faulty.host.now() + 1 * sim::kSecond);
    faulty.host.start();
    faulty.host.run_until(faulty.host.now() + 60 * sim::kSecond);
    EXPECT_TRUE(faulty.host.sent.empty()) << hook;
    EXPECT_EQ(faulty.command(kFlush).line, kDone) << hook;
  }
}

// ---- set

TEST(DriveFaults, AnotherCommandCanBeMadeOfTheOneReceived) {
  FaultyDrive faulty(program_of(R"({"on": "cmd.rx", "if": "cmd.opcode == 0xEF and cmd.feature == 0x55",
      "do": [{"set": {"path": "cmd.feature", "op": "xor", "v": "0x55 ^ 0x82"}}]})"));
  faulty.command(kSetFeatures, 0, 0, kReadAheadOff);
  EXPECT_EQ(identify_word(faulty, 85) & 0x60, 0x40) << "the write cache is off, look-ahead is on";
}

TEST(DriveFaults, AWriteCanBeLedToAnotherPlace) {
  FaultyDrive faulty(program_of(
      R"({"on": "cmd.exec", "if": "cmd.class == write", "do": [{"set": {"path": "cmd.lba", "op": "add", "v": 64}}]})"));
  EXPECT_EQ(faulty.write(kWriteDma, 100, 8).line, kDone);
  EXPECT_EQ(faulty.stored(100, 8), AtaHost::factory(100, 8));
  EXPECT_EQ(faulty.stored(164, 8), AtaHost::filled(8, FaultyDrive::kWritten));
  EXPECT_EQ(faulty.write(kWriteDma, 39'990, 8).line, "D2H 51 10 I") << "behind the last sector";
}

TEST(DriveFaults, AVariableRemembersWhatCameBefore) {
  FaultyDrive faulty(program_of(R"(
      {"on": "cmd.exec", "if": "cmd.class == write", "do": [{"set": {"path": "var.writes", "op": "add", "v": 1}}]},
      {"on": "cmd.exec", "if": "cmd.opcode == 0xEA and var.writes >= 2", "do": [{"fail": {}}]})",
                                R"({"writes": 0})"));
  faulty.write(kWriteDma, 100, 8);
  EXPECT_EQ(faulty.command(kFlush).line, kDone);
  faulty.write(kWriteDma, 200, 8);
  EXPECT_EQ(faulty.command(kFlush).line, "D2H 51 04 I");
}

// ---- triggers

// Which of 12 commands fail.
std::vector<int> failing(const std::string& trigger, std::uint64_t seed = 1) {
  FaultyDrive faulty(program_of(R"({"id": "r", "on": "cmd.exec", "if": "cmd.opcode == 0xEA", )" + trigger +
                                R"("do": [{"fail": {}}]})"),
                     seed);
  std::vector<int> numbers;
  for (int number = 1; number <= 12; ++number) {
    if (faulty.command(kFlush).line != kDone) numbers.push_back(number);
    faulty.command(kSetFeatures, 0, 0, kReadAheadOff);  // does not meet the condition and does not count
  }
  EXPECT_EQ(faulty.fired(), numbers.size());
  EXPECT_EQ(faulty.faults.firings()[0].met, 12U);
  return numbers;
}

TEST(FaultTriggers, NthIsOneEventOnly) { EXPECT_THAT(failing(R"("nth": 3, )"), ElementsAre(3)); }
TEST(FaultTriggers, EveryIsEachSoManieth) { EXPECT_THAT(failing(R"("every": 4, )"), ElementsAre(4, 8, 12)); }
TEST(FaultTriggers, LimitEndsIt) { EXPECT_THAT(failing(R"("limit": 2, )"), ElementsAre(1, 2)); }
TEST(FaultTriggers, EveryAndLimitTogether) { EXPECT_THAT(failing(R"("every": 5, "limit": 1, )"), ElementsAre(5)); }

TEST(FaultTriggers, AProbabilityHangsOnSeedAndRuleOnly) {
  const auto some = failing(R"("p": 0.5, )");
  EXPECT_GT(some.size(), 1U);
  EXPECT_LT(some.size(), 11U);
  EXPECT_EQ(some, failing(R"("p": 0.5, )"));
  EXPECT_NE(some, failing(R"("p": 0.5, )", 2));
}

TEST(FaultTriggers, ARuleMoreShiftsNoOthersChances) {
  const std::string rule =
      R"({"id": "r", "on": "cmd.exec", "if": "cmd.opcode == 0xEA", "p": 0.5, "do": [{"fail": {}}]})";
  const std::string other = R"({"id": "other", "on": "cmd.exec", "p": 0.5, "do": [{"delay": {"time_us": 1}}]})";
  std::vector<std::string> lines[2];
  for (const bool more : {false, true}) {
    FaultyDrive faulty(program_of(more ? other + "," + rule : rule));
    for (int i = 0; i < 20; ++i) lines[more ? 1 : 0].push_back(faulty.command(kFlush).line);
  }
  EXPECT_EQ(lines[0], lines[1]);
}

// ---- without rules

TEST(DriveFaults, ADriveWhoseProgramHasNoRuleForItHasNoHooks) {
  AtaHost host(queued_profile());
  faults::DriveFaults none({}, 1);
  none.attach(host.drive);
  host.start();
  host.command(kFlush);
  host.run();
  EXPECT_EQ(host.lines().back(), kDone);
  EXPECT_TRUE(none.firings().empty());
}

}  // namespace
}  // namespace ncqlab::drive
