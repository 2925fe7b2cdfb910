// QMP, and what it does to a machine: handshake, stop and continue, block errors, trays, migration.
#include "testbench/frontend/qtest/monitor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "testbench/tests/qtest/client.h"

namespace ncqlab::qtest {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class QtestMonitor : public testing::Test {
 protected:
  std::string ask(const std::string& object) { return monitor_.execute(object); }
  std::string execute(const std::string& command) { return ask("{\"execute\": \"" + command + "\"}"); }
  void negotiate() { EXPECT_EQ(execute("qmp_capabilities"), "{\"return\":{}}\r\n"); }

  Client client_{Client::one_disk()};
  Monitor monitor_{client_.session()};
};

TEST_F(QtestMonitor, AConnectionBeginsWithAGreeting) {
  EXPECT_TRUE(contains(monitor_.greeting(), "\"QMP\":{\"capabilities\":[]"));
}

TEST_F(QtestMonitor, NothingIsCarriedOutBeforeTheHandshake) {
  EXPECT_TRUE(contains(execute("stop"), "\"class\":\"CommandNotFound\""));
  EXPECT_EQ(client_.session().state(), RunState::running);
  negotiate();
  EXPECT_TRUE(contains(execute("qmp_capabilities"), "\"class\":\"CommandNotFound\""));
}

TEST_F(QtestMonitor, AnIdComesBack) {
  EXPECT_EQ(ask(R"({"execute": "qmp_capabilities", "id": [1, "a"]})"), "{\"id\":[1,\"a\"],\"return\":{}}\r\n");
}

TEST_F(QtestMonitor, WhatIsNoRequestIsAnError) {
  negotiate();
  EXPECT_TRUE(contains(ask("{]}"), "JSON parse error"));
  EXPECT_TRUE(contains(ask("{}"), "GenericError"));
  EXPECT_TRUE(contains(ask(R"({"execute": 5})"), "GenericError"));
  EXPECT_TRUE(contains(ask(R"({"execute": "stop", "arguments": 5})"), "GenericError"));
  EXPECT_TRUE(contains(execute("human-monitor-command"), "CommandNotFound"));
}

TEST_F(QtestMonitor, StopAndContinueAreToldBeforeTheirAnswers) {
  negotiate();
  const std::string stopped = execute("stop");
  EXPECT_LT(stopped.find("\"event\":\"STOP\""), stopped.find("\"return\""));
  EXPECT_TRUE(contains(execute("query-status"), "\"running\":false"));
  EXPECT_TRUE(contains(execute("query-status"), "\"status\":\"paused\""));
  const std::string resumed = execute("cont");
  EXPECT_LT(resumed.find("\"event\":\"RESUME\""), resumed.find("\"return\""));
  EXPECT_TRUE(contains(execute("query-status"), "\"running\":true"));
}

TEST_F(QtestMonitor, EventsCarryTheMachinesTime) {
  negotiate();
  client_.ask("clock_set 3000005000");
  EXPECT_TRUE(contains(execute("stop"), R"("timestamp":{"microseconds":5,"seconds":3})"));
}

TEST_F(QtestMonitor, QuitIsAskedFor) {
  negotiate();
  EXPECT_FALSE(monitor_.quit_requested());
  execute("quit");
  EXPECT_TRUE(monitor_.quit_requested());
}

// ---- block errors

class QtestBlockErrors : public testing::Test {
 protected:
  static std::unique_ptr<Client> make(const char* rules) {
    const auto path = std::filesystem::temp_directory_path() / ("ncqlab_blkdebug_" + std::to_string(getpid()));
    std::ofstream(path) << rules;
    SystemOptions options = Client::one_disk();
    options.disks[0].node.id = "drive0";
    options.disks[0].node.blkdebug = path;
    options.disks[0].node.on_read_error = options.disks[0].node.on_write_error = OnError::stop;
    auto client = std::make_unique<Client>(options);
    std::filesystem::remove(path);
    return client;
  }
};

TEST_F(QtestBlockErrors, AWriteThatFailsStopsTheMachineAndIsTriedAgain) {
  const auto client = make("[inject-error]\nevent = \"write_aio\"\nonce = \"on\"\n");
  client->enable();
  client->issue(0x35, 0, 1, 512, true);
  EXPECT_EQ(client->session().state(), RunState::io_error);
  const std::vector<Event> events = client->session().take_events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].kind, Event::Kind::block_io_error);
  EXPECT_EQ(events[0].error.device, "drive0");
  EXPECT_EQ(events[0].error.error, 5);
  EXPECT_EQ(events[1].kind, Event::Kind::stop);
  EXPECT_EQ(client->readl(Client::kPort + 0x38), 1U);
  client->session().resume();
  EXPECT_EQ(client->session().state(), RunState::running);
  EXPECT_TRUE(client->finish());
}

TEST_F(QtestBlockErrors, AnErrorThatStaysStopsTheMachineAgain) {
  const auto client = make("[inject-error]\nevent = \"flush_to_disk\"\nerrno = \"28\"\n");
  client->enable();
  client->issue(0xEA, 0, 0, 0);
  client->session().take_events();
  client->session().resume();
  const std::vector<Event> events = client->session().take_events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].kind, Event::Kind::resume);
  EXPECT_EQ(events[1].error.error, 28);
  EXPECT_EQ(events[2].kind, Event::Kind::stop);
  EXPECT_EQ(client->session().state(), RunState::io_error);
}

TEST_F(QtestBlockErrors, AnotherEventDoesNotStop) {
  const auto client = make("[inject-error]\nevent = \"write_aio\"\n");
  client->enable();
  EXPECT_TRUE(client->command(0x25, 0, 1, 512));
  EXPECT_EQ(client->session().state(), RunState::running);
}

TEST(QtestBlockErrorOptions, AScriptNeedsTheErrorsToStopTheMachine) {
  SystemOptions options = Client::one_disk();
  options.disks[0].node.blkdebug = "/dev/null";
  EXPECT_THROW(assemble(options), ArgumentError);
}

// ---- trays

class QtestTray : public QtestMonitor {
 protected:
  QtestTray() {
    SystemOptions options;
    DiskDevice cdrom;
    cdrom.kind = DiskDevice::Kind::cdrom;
    cdrom.id = "cd0";
    options.disks.push_back(cdrom);
    cd_ = std::make_unique<Client>(options);
    tray_monitor_ = std::make_unique<Monitor>(cd_->session());
    tray_monitor_->execute(R"({"execute": "qmp_capabilities"})");
    disc_ = std::filesystem::temp_directory_path() / ("ncqlab_disc_" + std::to_string(getpid()));
    std::ofstream(disc_) << std::string(4096, 'd');
  }
  ~QtestTray() override { std::filesystem::remove(disc_); }
  std::string tray(const std::string& command, const std::string& more = "") {
    return tray_monitor_->execute("{\"execute\": \"" + command + "\", \"arguments\": {\"id\": \"cd0\"" + more + "}}");
  }
  std::string add_disc() {
    return tray_monitor_->execute(
        "{\"execute\": \"blockdev-add\", \"arguments\": {\"node-name\": \"n\", \"driver\": \"raw\", \"file\": "
        "{\"driver\": \"file\", \"filename\": \"" +
        disc_.string() + "\"}}}");
  }

  std::unique_ptr<Client> cd_;
  std::unique_ptr<Monitor> tray_monitor_;
  std::filesystem::path disc_;
};

TEST_F(QtestTray, TheTrayOpensAndClosesWithAnEventBeforeTheAnswer) {
  const std::string opened = tray("blockdev-open-tray");
  EXPECT_TRUE(contains(opened, R"("event":"DEVICE_TRAY_MOVED")"));
  EXPECT_TRUE(contains(opened, R"("id":"cd0","tray-open":true)"));
  EXPECT_LT(opened.find("event"), opened.find("return"));
  EXPECT_TRUE(contains(tray("blockdev-close-tray"), R"("tray-open":false)"));
}

TEST_F(QtestTray, AnOpenTrayDoesNotOpenAgain) {
  tray("blockdev-open-tray");
  EXPECT_EQ(tray("blockdev-open-tray"), "{\"return\":{}}\r\n");
}

TEST_F(QtestTray, ADiscGoesInThroughTheOpenTrayOnly) {
  EXPECT_EQ(add_disc(), "{\"return\":{}}\r\n");
  EXPECT_TRUE(contains(tray("blockdev-insert-medium", R"(, "node-name": "n")"), "is not open"));
  tray("blockdev-open-tray");
  EXPECT_EQ(tray("blockdev-insert-medium", R"(, "node-name": "n")"), "{\"return\":{}}\r\n");
  EXPECT_EQ(tray("blockdev-remove-medium"), "{\"return\":{}}\r\n");
}

TEST_F(QtestTray, UnknownDevicesAndNodesAreErrors) {
  EXPECT_TRUE(contains(tray("blockdev-insert-medium", R"(, "node-name": "n")"), "Node not found"));
  EXPECT_TRUE(contains(tray_monitor_->execute(R"({"execute": "blockdev-open-tray", "arguments": {"id": "x"}})"),
                       "Device 'x' not found"));
  EXPECT_TRUE(contains(tray_monitor_->execute(R"({"execute": "blockdev-open-tray"})"), "Parameter 'id' is missing"));
}

}  // namespace
}  // namespace ncqlab::qtest
