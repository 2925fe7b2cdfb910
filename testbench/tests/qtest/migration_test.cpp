// A machine migrates as its history: the other side becomes the same machine, or says that it did not.
#include <gtest/gtest.h>

#include "testbench/tests/qtest/client.h"

namespace ncqlab::qtest {
namespace {

class QtestMigration : public testing::Test {
 protected:
  Client from_{Client::one_disk()};
  Client to_{Client::one_disk(), RunState::inmigrate};

  static std::string refusal(Client& client, const std::string& history) {
    try {
      client.session().migrate_here(history);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(QtestMigration, RegistersMemoryAndDiskAreThoseOfTheSource) {
  from_.enable();
  from_.ask("write 0x200000 4 0x01020304");
  ASSERT_TRUE(from_.command(0x35, 5, 1, 512, true));
  to_.session().migrate_here(from_.session().history());
  EXPECT_EQ(to_.machine().fingerprint(), from_.machine().fingerprint());
  EXPECT_EQ(to_.machine().now(), from_.machine().now());
  EXPECT_EQ(to_.readl(Client::kPort), Client::kList);
  to_.ask("memset 0x200000 512 0");
  ASSERT_TRUE(to_.command(0x25, 5, 1, 512));
  EXPECT_EQ(to_.ask("read 0x200000 4"), "OK 0x01020304\n");
}

TEST_F(QtestMigration, ARunningMachineRunsOnAndAStoppedOneStaysStopped) {
  to_.session().migrate_here(from_.session().history());
  EXPECT_EQ(to_.session().state(), RunState::running);
  Client third(Client::one_disk(), RunState::inmigrate);
  from_.session().stop();
  third.session().migrate_here(from_.session().history());
  EXPECT_EQ(third.session().state(), RunState::paused);
}

TEST_F(QtestMigration, ACommandUnderWayIsFinishedByTheOtherSide) {
  from_.enable();
  from_.session().stop();
  from_.issue(0xEC, 0, 0, 512);
  to_.session().migrate_here(from_.session().history());
  EXPECT_EQ(to_.readl(Client::kPort + 0x38), 1U);
  to_.session().resume();
  EXPECT_TRUE(to_.finish());
}

TEST_F(QtestMigration, TheSourceIsLeftStoppedAndWritesNothingBack) {
  from_.session().migrate_away();
  EXPECT_EQ(from_.session().state(), RunState::postmigrate);
  EXPECT_TRUE(from_.machine().stopped());
}

TEST_F(QtestMigration, AMachineMayMigrateOn) {
  from_.enable();
  to_.session().migrate_here(from_.session().history());
  to_.ask("write 0x200000 4 0x01020304");
  Client third(Client::one_disk(), RunState::inmigrate);
  third.session().migrate_here(to_.session().history());
  EXPECT_EQ(third.readl(0x200000), 0x04030201U);
  EXPECT_EQ(third.readl(Client::kPort), Client::kList);
}

TEST_F(QtestMigration, ClockCommandsAreReplayedToTheSameTime) {
  from_.ask("clock_step 12345");
  from_.ask("readb 0");
  to_.session().migrate_here(from_.session().history());
  EXPECT_EQ(to_.machine().now(), 12345 * sim::kNanosecond + kDefaultStep);
}

TEST_F(QtestMigration, AMachineOfAnotherMakeIsNoticed) {
  from_.enable();
  ASSERT_TRUE(from_.command(0xEC, 0, 0, 512));
  Client other(SystemOptions{}, RunState::inmigrate);
  EXPECT_EQ(refusal(other, from_.session().history()), "migration: the machine here is not of the same make");
  EXPECT_EQ(other.session().state(), RunState::inmigrate);
}

TEST_F(QtestMigration, WhatIsNoHistoryIsNoticed) {
  EXPECT_EQ(refusal(to_, ""), "migration: the history ends early");
  EXPECT_EQ(refusal(to_, "hello\n"), "migration: this is no history of a machine");
  const std::string history = from_.session().history();
  EXPECT_EQ(refusal(to_, history.substr(0, history.size() - 1)), "migration: the history ends early");
  EXPECT_EQ(refusal(to_, "ncqlab-qtest-history 1\njump 5\n"), "migration: 'jump' is not known here");
  EXPECT_EQ(refusal(to_, "ncqlab-qtest-history 1\nline x 0 readb 0\n"), "migration: 'x' is no number");
  EXPECT_EQ(refusal(to_, "ncqlab-qtest-history 1\ntray open cd0\n"), "migration: Device 'cd0' not found");
}

TEST_F(QtestMigration, NoMachineComesTwice) {
  to_.session().migrate_here(from_.session().history());
  EXPECT_EQ(refusal(to_, from_.session().history()), "no machine is expected");
}

}  // namespace
}  // namespace ncqlab::qtest
