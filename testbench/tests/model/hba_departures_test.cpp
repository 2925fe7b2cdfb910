// Each departure of a controller profile against what the specification says: the same stimulus, with and without.
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

ControllerProfile with(bool Departures::*departure, bool wanted = true) {
  ControllerProfile profile = HbaRig::default_profile();
  profile.departures.*departure = wanted;
  return profile;
}

// Runs `scenario` on both and gives what it returns: by the specification, and with the departure.
template <class Scenario>
std::pair<std::uint32_t, std::uint32_t> both(bool Departures::*departure, Scenario scenario) {
  BareRig plain(with(departure, false));
  BareRig departing(with(departure));
  const std::uint32_t by_the_book = scenario(plain);
  return {by_the_book, scenario(departing)};
}

using Pair = std::pair<std::uint32_t, std::uint32_t>;

TEST(HbaDepartures, TfesWithFisBit) {
  const auto status = [](BareRig& rig) {
    rig.bring_up();
    rig.build_command(0, command(0x25), {{rig.data.address, 512}});
    rig.issue(0);
    rig.run();
    rig.device.send_status(0x51, true, 0x04);
    rig.run();
    return rig.port(kPxIS);
  };
  EXPECT_EQ(both(&Departures::tfes_with_fis_bit, status), Pair(kPxIS_TFES, kPxIS_TFES | kPxIS_DHRS));
}

TEST(HbaDepartures, TfesWithFisBitOfAQueuedError) {
  const auto status = [](BareRig& rig) {
    rig.bring_up();
    rig.build_command(3, queued_command(0x60, 3), {{rig.data.address, 512}});
    rig.issue_queued(3);
    rig.run();
    rig.device.send_status(0x40, false);
    rig.run();
    rig.device.complete_tags(0, 0x41, 0x40);
    rig.run();
    return rig.port(kPxIS);
  };
  EXPECT_EQ(both(&Departures::tfes_with_fis_bit, status), Pair(kPxIS_TFES, kPxIS_TFES | kPxIS_SDBS));
}

TEST(HbaDepartures, EnginesAtOnce) {
  const auto running = [](BareRig& rig) {
    rig.set_port(kPxCMD, kPxCMD_FRE);
    rig.set_port(kPxCMD, kPxCMD_FRE | kPxCMD_ST);  // the device is not ready yet
    return rig.port(kPxCMD) & kPxCMD_CR;
  };
  EXPECT_EQ(both(&Departures::engines_at_once, running), Pair(0, kPxCMD_CR));
}

TEST(HbaDepartures, SilentComresetShowsNothingInSerialError) {
  const auto errors = [](BareRig& rig) {
    rig.run();
    return rig.port(kPxSERR);
  };
  EXPECT_EQ(both(&Departures::silent_comreset, errors), Pair(kSERR_DIAG_X | kSERR_DIAG_N, 0));
}

TEST(HbaDepartures, SilentComresetLeavesSerialStatus) {
  const auto status = [](BareRig& rig) {
    rig.run();
    rig.set_port(kPxSCTL, kDET_comreset);
    return rig.port(kPxSSTS) & kDET_mask;
  };
  EXPECT_EQ(both(&Departures::silent_comreset, status), Pair(0, kDET_established));
}

TEST(HbaDepartures, IgnoresClearBusyWithACommand) {
  const auto issued = [](BareRig& rig) {
    rig.bring_up();
    rig.build_command(0, command(0xE7), {}, HbaRig::kClearBusy);
    rig.issue(0);
    rig.run();
    return rig.port(kPxCI);
  };
  EXPECT_EQ(both(&Departures::ignores_clear_busy, issued), Pair(0, 1));
}

TEST(HbaDepartures, IgnoresClearBusyLeavesItToAControlFis) {
  const auto issued = [](BareRig& rig) {
    rig.bring_up();
    sata::RegisterH2D control;
    control.control = 0x04;
    rig.build_command(0, control, {}, HbaRig::kReset | HbaRig::kClearBusy);
    rig.issue(0);
    rig.run();
    return rig.port(kPxCI);
  };
  EXPECT_EQ(both(&Departures::ignores_clear_busy, issued), Pair(0, 0));
}

TEST(HbaDepartures, IgnoresPrdInterrupt) {
  const auto status = [](BareRig& rig) {
    rig.bring_up();
    rig.build_command(0, command(0x25), {{rig.data.address, 512, true}});
    rig.issue(0);
    rig.run();
    rig.device.send_data(pattern(512));
    rig.run();
    return rig.port(kPxIS);
  };
  EXPECT_EQ(both(&Departures::ignores_prd_interrupt, status), Pair(kPxIS_DPS, 0));
}

TEST(HbaDepartures, AllInterruptsEnableable) {
  const auto enables = [](BareRig& rig) {
    rig.set_port(kPxIE, 0xFFFFFFFF);
    return rig.port(kPxIE);
  };
  EXPECT_EQ(both(&Departures::all_interrupts_enableable, enables), Pair(0x7DC0007F, 0xFDC000FF));
}

TEST(HbaDepartures, TaskFileWaitsForFisReceive) {
  const auto before = [](BareRig& rig) {
    rig.run();
    return rig.port(kPxTFD);
  };
  const auto after = [](BareRig& rig) {
    rig.set_port(kPxSERR, 0xFFFFFFFF);
    rig.set_port(kPxFB, static_cast<std::uint32_t>(rig.received.address));
    rig.set_port(kPxFBU, static_cast<std::uint32_t>(rig.received.address >> 32));
    rig.set_port(kPxCMD, kPxCMD_FRE);
    rig.run();
    return rig.port(kPxTFD);
  };
  EXPECT_EQ(both(&Departures::task_file_waits_for_fis_receive, before), Pair(0x150, 0x7F));
  EXPECT_EQ(both(&Departures::task_file_waits_for_fis_receive, after).second, 0x150U);
}

// A list that was started although FRE = 0; the signature waits.
void start_without_fis_receive(BareRig& rig) {
  rig.run();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.set_port(kPxCLB, static_cast<std::uint32_t>(rig.list.address));
  rig.set_port(kPxCLBU, static_cast<std::uint32_t>(rig.list.address >> 32));
  rig.set_port(kPxFB, static_cast<std::uint32_t>(rig.received.address));
  rig.set_port(kPxFBU, static_cast<std::uint32_t>(rig.received.address >> 32));
  rig.build_command(0, command(0xE7), {});
  rig.set_port(kPxCMD, kPxCMD_CLO);
  rig.set_port(kPxCMD, kPxCMD_ST);
}

TEST(HbaDepartures, TheSignatureThatWaitedForFisReceiveCompletesNoCommandThatIsBeingFetched) {
  BareRig rig(with(&Departures::task_file_waits_for_fis_receive));
  start_without_fis_receive(rig);
  ASSERT_NE(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  rig.set_port(kPxCMD, kPxCMD_ST | kPxCMD_FRE);  // the signature's way to memory begins, and then the command's
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 1U);
  EXPECT_EQ(rig.port(kPxCI), 1U);
}

TEST(HbaDepartures, TheSignatureThatWaitedForFisReceiveCompletesNoCommandThatWasSent) {
  BareRig rig(with(&Departures::task_file_waits_for_fis_receive));
  start_without_fis_receive(rig);
  rig.issue(0);
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 1U);
  rig.set_port(kPxCMD, kPxCMD_ST | kPxCMD_FRE);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 1U);
}

// A read of two sectors with room for one.
std::uint32_t read_into_a_short_table(BareRig& rig) {
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 512}});
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(1024));
  rig.device.send_status(0x50, true);
  rig.run();
  return rig.port(kPxIS);
}

TEST(HbaDepartures, ShortTableOfACommandThatIsNotQueued) {
  EXPECT_EQ(both(&Departures::short_table_fails_queued_only, read_into_a_short_table),
            Pair(kPxIS_OFS | kPxIS_DHRS, kPxIS_DHRS));
  const auto count = [](BareRig& rig) {
    read_into_a_short_table(rig);
    return rig.byte_count(0);
  };
  EXPECT_EQ(both(&Departures::short_table_fails_queued_only, count), Pair(512, 0));
}

TEST(HbaDepartures, ShortTableOfAQueuedCommand) {
  const auto status = [](BareRig& rig) {
    rig.bring_up();
    rig.build_command(3, queued_command(0x60, 3, 2), {{rig.data.address, 512}});
    rig.issue_queued(3);
    rig.run();
    rig.device.send_status(0x40, false);
    rig.device.set_up_dma(3, true, 1024);
    rig.device.send_data(pattern(1024));
    rig.run();
    return rig.port(kPxIS);
  };
  EXPECT_EQ(both(&Departures::short_table_fails_queued_only, status), Pair(kPxIS_OFS, kPxIS_OFS | kPxIS_TFES));
}

TEST(HbaDepartures, IgnoresMultiplierPorts) {
  const auto sent = [](BareRig& rig) {
    rig.bring_up();
    sata::RegisterH2D fis = command(0xE7);
    fis.pm_port = 3;
    rig.build_command(0, fis, {});
    rig.build_command(1, command(0xE7), {});
    rig.set_port(kPxCI, 3);
    rig.run();
    if (rig.port(kPxTFD) & kSTS_BSY) rig.device.send_status(0x50, true);
    rig.run();
    return static_cast<std::uint32_t>(rig.device.received.size()) << 8 | rig.port(kPxCI);
  };
  EXPECT_EQ(both(&Departures::ignores_multiplier_ports, sent), Pair(0x201, 0x101));
}

TEST(HbaDepartures, OverrideReadsBack) {
  const auto shown = [](BareRig& rig) {
    rig.set_port(kPxCMD, kPxCMD_CLO);
    return rig.port(kPxCMD) & kPxCMD_CLO;
  };
  EXPECT_EQ(both(&Departures::override_reads_back, shown), Pair(0, kPxCMD_CLO));
}

}  // namespace
}  // namespace ncqlab::test
