// Fault programs at the head's passes: media.read, media.write, media.destage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/unit/faults_drive_rig.h"

namespace ncqlab::drive {
namespace {

constexpr std::uint8_t kReadDma = 0x25;
constexpr std::uint8_t kWriteDma = 0x35;
constexpr std::uint8_t kFlush = 0xEA;
constexpr std::uint8_t kSetFeatures = 0xEF;
constexpr std::uint16_t kWriteCacheOff = 0x82;
constexpr char kDone[] = "D2H 50 00 I";

std::string rule(const std::string& hook, const std::string& action, const std::string& condition = "true") {
  return R"({"on": ")" + hook + R"(", "if": ")" + condition + R"(", "do": [)" + action + "]}";
}

// How long a read of 8 sectors takes without a fault.
sim::Time sound_read() {
  return FaultyDrive(program_of(rule("cmd.rx", "{\"fail\": {}}", "cmd.opcode == 0"))).command(kReadDma, 20'000, 8).took;
}

TEST(MediaFaults, AReadFailsAtTheSectorThatTheRuleNames) {
  FaultyDrive faulty(program_of(rule("media.read", R"({"fail": {"lba": "media.lba + 3"}})")));
  EXPECT_EQ(faulty.command(kReadDma, 20'000, 8).line, "D2H 51 40 I");
  EXPECT_EQ(faulty.host.last_status().lba, 20'003U);
  EXPECT_EQ(faulty.host.data(), AtaHost::factory(20'000, 3)) << "the sectors before it are sent";
}

TEST(MediaFaults, OrAtTheFirst) {
  FaultyDrive faulty(program_of(rule("media.read", R"({"fail": {}})")));
  EXPECT_EQ(faulty.command(kReadDma, 20'000, 8).line, "D2H 51 40 I");
  EXPECT_EQ(faulty.host.last_status().lba, 20'000U);
}

TEST(MediaFaults, ASectorBeyondThePassIsTakenIntoIt) {
  FaultyDrive faulty(program_of(rule("media.read", R"({"fail": {"lba": 30000}})")));
  EXPECT_EQ(faulty.command(kReadDma, 20'000, 8).line, "D2H 51 40 I");
  EXPECT_EQ(faulty.host.last_status().lba, 20'007U);
}

TEST(MediaFaults, AFailingQueuedReadHaltsTheQueue) {
  FaultyDrive faulty(program_of(rule("media.read", R"({"fail": {}})", "media.tag == 6")));
  EXPECT_EQ(faulty.read_queued(5, 20'000, 8).line, "SDB 40 00000020 I");
  EXPECT_EQ(faulty.read_queued(6, 30'000, 8).line, "SDB 41 error 40 00000000 I");
}

TEST(MediaFaults, APassComesWholeRevolutionsLater) {
  FaultyDrive faulty(program_of(rule("media.read", R"({"delay": {"time_ms": 21}})")));
  const auto [took, line] = faulty.command(kReadDma, 20'000, 8);
  EXPECT_EQ(took, sound_read() + 3 * kRevolution);
  EXPECT_EQ(line, kDone);
}

TEST(MediaFaults, WhatIsInTheCacheNeedsNoPass) {
  FaultyDrive faulty(program_of(rule("media.read", R"({"delay": {"time_ms": 21}})")));
  faulty.command(kReadDma, 20'000, 8);
  faulty.command(kReadDma, 20'000, 8);
  EXPECT_EQ(faulty.fired(), 1U);
}

TEST(MediaFaults, AWriteThatTheHeadLeavesOutIsDoneAndNotThere) {
  FaultyDrive faulty(program_of(rule("media.write", R"({"skip": {"what": "media"}})", "media.lba == 20000")));
  faulty.command(kSetFeatures, 0, 0, kWriteCacheOff);
  const auto [took, line] = faulty.write(kWriteDma, 20'000, 8);
  EXPECT_EQ(line, kDone);
  EXPECT_GT(took, 1 * kMs) << "the head went there";
  EXPECT_EQ(faulty.stored(20'000, 8), AtaHost::factory(20'000, 8));
  faulty.write(kWriteDma, 20'100, 8);
  EXPECT_EQ(faulty.stored(20'100, 8), AtaHost::filled(8, FaultyDrive::kWritten));
}

TEST(MediaFaults, ADestageThatTheHeadLeavesOutLosesWhatWasCached) {
  FaultyDrive faulty(program_of(rule("media.destage", R"({"skip": {"what": "media"}})")));
  faulty.write(kWriteDma, 20'000, 8);
  EXPECT_EQ(faulty.stored(20'000, 8), AtaHost::filled(8, FaultyDrive::kWritten)) << "still in the cache";
  EXPECT_EQ(faulty.command(kFlush).line, kDone);
  EXPECT_EQ(faulty.dirty(), 0U);
  EXPECT_EQ(faulty.stored(20'000, 8), AtaHost::factory(20'000, 8));
}

TEST(MediaFaults, WhatIsWrittenDuringSuchAPassIsNotLost) {
  FaultyDrive faulty(program_of(R"({"on": "media.destage", "limit": 1, "do": [{"skip": {"what": "media"}}]})"));
  faulty.write(kWriteDma, 20'000, 8);
  faulty.host.run_until(faulty.host.now() + 5200 * kUs);  // the idle drive has begun to destage
  ASSERT_EQ(faulty.fired(), 1U);
  faulty.write(kWriteDma, 20'000, 8);
  EXPECT_EQ(faulty.command(kFlush).line, kDone);
  EXPECT_EQ(faulty.stored(20'000, 8), AtaHost::filled(8, FaultyDrive::kWritten));
}

TEST(MediaFaults, AFlushTellsOfADestageThatFails) {
  FaultyDrive faulty(program_of(rule("media.destage", R"({"fail": {"lba": 20002}})")));
  faulty.write(kWriteDma, 20'000, 8);
  EXPECT_EQ(faulty.command(kFlush).line, "D2H 51 04 I");
  EXPECT_EQ(faulty.host.last_status().lba, 20'002U);
}

TEST(MediaFaults, AWriteThatFailsOnThePlatterEndsWithItsSector) {
  FaultyDrive faulty(program_of(rule("media.write", R"({"fail": {"lba": "media.lba + 2"}})")));
  faulty.command(kSetFeatures, 0, 0, kWriteCacheOff);
  EXPECT_EQ(faulty.write(kWriteDma, 20'000, 8).line, "D2H 51 04 I");
  EXPECT_EQ(faulty.host.last_status().lba, 20'002U);
}

TEST(MediaFaults, DestagingIsForNoCommand) {
  FaultyDrive faulty(program_of(rule("media.destage", R"({"delay": {"time_ms": 1}})", "media.tag == 33") + "," +
                                rule("media.write", R"({"delay": {"time_ms": 1}})", "media.tag == 32")));
  faulty.write(kWriteDma, 20'000, 8);
  faulty.command(kFlush);
  EXPECT_EQ(faulty.fired(0), 1U);
  EXPECT_EQ(faulty.fired(1), 0U);
  faulty.command(kSetFeatures, 0, 0, kWriteCacheOff);
  faulty.write(kWriteDma, 20'000, 8);
  EXPECT_EQ(faulty.fired(1), 1U);
}

TEST(MediaFaults, AFailureThereHasNoStatusOfItsOwn) {
  try {
    program_of(rule("media.read", R"({"fail": {"error": "UNC"}})"));
    FAIL() << "loaded";
  } catch (const config::ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "t.json: /rules/0/do/0/fail/error: found \"error\", expected what a failure at media.read takes: lba");
  }
}

}  // namespace
}  // namespace ncqlab::drive
