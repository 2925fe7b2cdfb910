// Errors: task file, host bus, interface, overflow; and that nothing goes on before software has restarted the list
// (AHCI 1.3.1, 5.3.16 and 6).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

void stop_and_start(HbaRig& rig) {
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.run();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST);
}

TEST(HbaError, AStatusWithTheErrorBitStopsTheList) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 512}});
  rig.build_command(1, command(0xE7), {});
  rig.issue(0);
  rig.issue(1);
  rig.run();
  rig.device.send_status(0x51, true, 0x40);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_TFES);
  EXPECT_EQ(rig.port(kPxTFD), 0x4051U);
  EXPECT_EQ(rig.port(kPxCI), 3U);
  EXPECT_EQ(rig.port(kPxCMD) >> 8 & 0x1F, 0U);
  EXPECT_EQ(rig.device.received.size(), 1U);
  EXPECT_NE(rig.port(kPxCMD) & kPxCMD_CR, 0U);
}

TEST(HbaError, AfterStopAndStartTheListGoesOn) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 512}});
  rig.issue(0);
  rig.run();
  rig.device.send_status(0x51, true, 0x40);
  rig.run();
  stop_and_start(rig);
  EXPECT_EQ(rig.port(kPxCI), 0U);
  rig.set_port(kPxIS, 0xFFFFFFFF);
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 2U);
  rig.device.send_data(pattern(512));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

TEST(HbaError, AQueuedErrorKeepsTheTagsForSoftwareToSee) {
  BareRig rig;
  rig.bring_up();
  rig.device.on_frame = [&](const Bytes&) { rig.device.send_status(0x40, false); };
  for (const unsigned tag : {0U, 1U, 2U}) {
    rig.build_command(tag, queued_command(0x60, tag), {{rig.data.address, 4096}});
    rig.issue_queued(tag);
  }
  rig.run();
  rig.device.complete_tags(1U << 1, 0x41, 0x40);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_TFES);
  EXPECT_EQ(rig.port(kPxSACT), 5U);
  EXPECT_EQ(rig.port(kPxTFD), 0x4041U);
}

TEST(HbaError, FramesThatComeAfterAnErrorAreNotPosted) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  rig.device.send_status(0x51, true, 0x04);
  rig.run();
  rig.device.complete_tags(0x1);
  rig.run();
  EXPECT_EQ(rig.received_fis(kReceived_SDBFIS, 1)[0], 0x00);
}

TEST(HbaError, AStatusWhileTheDeviceIsNotBusyIsDropped) {
  BareRig rig;
  rig.bring_up();
  rig.run();
  rig.device.send_status(0x51, true, 0x04);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), 0U);
  EXPECT_EQ(rig.port(kPxTFD), 0x0150U);
}

TEST(HbaError, ACommandListOutsideOfMemoryIsAHostBusFatalError) {
  BareRig rig;
  rig.bring_up();
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.set_port(kPxCLB, 0);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST);
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_HBFS);
  EXPECT_TRUE(rig.device.received.empty());
}

TEST(HbaError, ACommandTableOutsideOfMemoryIsAHostBusFatalError) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  store32(rig.header(0) + 12, 0xDEAD);
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_HBFS);
}

TEST(HbaError, ABufferOutsideOfMemoryIsAHostBusFatalError) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 256}, {0x10, 256}});
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(512));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_HBFS);
  EXPECT_EQ(rig.port(kPxCI), 1U);
  stop_and_start(rig);
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

// 3.3.5, HBDS: the bus answered, but with data that it knows to be bad.
TEST(HbaError, BadDataOnTheBusAreAHostBusDataError) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x35), {{rig.data.address, 512}}, HbaRig::kWrite);
  rig.poisoned.bad_address = rig.data.address + 100;
  rig.issue(0);
  rig.run();
  rig.device.send(sata::encode_dma_activate(rig.pool, 0));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_HBDS);
  EXPECT_EQ(rig.port(kPxCI), 1U);
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaError, ABadCommandListIsAHostBusDataError) {
  BareRig rig;
  rig.bring_up();
  rig.poisoned.bad_address = rig.list.address;
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_HBDS);
}

TEST(HbaError, MoreDataThanThePrdTableHoldsIsDroppedAndShown) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 500}});
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(512));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_OFS | kPxIS_DHRS);
  EXPECT_EQ(rig.byte_count(0), 500U);
  EXPECT_EQ(rig.data.cpu[499], pattern(512)[499]);
  EXPECT_EQ(rig.data.cpu[500], 0);
  EXPECT_TRUE(rig.violated(Violation::data_beyond_prd_table));
}

TEST(HbaError, LessDataThanThePrdTableHoldsIsNoError) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 4096}});
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(512));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
  EXPECT_EQ(rig.byte_count(0), 512U);
}

TEST(HbaError, DataWithoutAPrdTableAreDropped) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {});
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(512));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_OFS | kPxIS_DHRS);
}

TEST(HbaError, DataForNoCommandIsAnInterfaceFatalError) {
  BareRig rig;
  rig.bring_up();
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
}

TEST(HbaError, ADmaSetupForATagThatIsNotActiveIsAnInterfaceFatalError) {
  BareRig rig;
  rig.bring_up();
  rig.device.set_up_dma(9, true, 4096);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  EXPECT_TRUE(rig.violated(Violation::tag_without_command));
}

TEST(HbaError, AnUnknownFisIsPostedAndShown) {
  BareRig rig;
  rig.bring_up();
  sata::Frame frame = rig.pool.make(64);
  for (std::uint32_t i = 0; i < 64; ++i) frame.data()[i] = static_cast<std::uint8_t>(0xC0 + i);
  rig.device.send(std::move(frame));
  rig.run();
  EXPECT_EQ(rig.received_fis(kReceived_UFIS, 2), (Bytes{0xC0, 0xC1}));
  EXPECT_EQ(rig.port(kPxIS), kPxIS_UFS);
  rig.set_port(kPxSERR, kSERR_DIAG_F);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaError, AnUnknownFisOfMoreThan64BytesIsAnInterfaceFatalError) {
  BareRig rig;
  rig.bring_up();
  sata::Frame frame = rig.pool.make(68);
  for (std::uint32_t i = 0; i < 68; ++i) frame.data()[i] = 0xC0;
  rig.device.send(std::move(frame));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  EXPECT_EQ(rig.received_fis(kReceived_UFIS, 1)[0], 0x00);
}

TEST(HbaError, AKnownFisOfWrongLengthIsAnInterfaceFatalError) {
  BareRig rig;
  rig.bring_up();
  sata::Frame frame = rig.pool.make(16);
  for (std::uint32_t i = 0; i < 16; ++i) frame.data()[i] = 0;
  frame.data()[0] = 0xA1;
  rig.device.send(std::move(frame));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  EXPECT_TRUE(rig.violated(Violation::malformed_fis));
}

TEST(HbaError, AnEvenByteCountFieldIsTakenForTheNextOddOne) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 512}});
  store32(rig.tables.cpu + 0x80 + 12, 510);  // bit 0 must be 1
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(512));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.byte_count(0), 512U);
  EXPECT_TRUE(rig.violated(Violation::prd_byte_count_odd));
}

TEST(HbaError, StoppingInTheMiddleOfATransferLosesItAndTheNextCommandRuns) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 4096}});
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(4096));
  rig.run_for(rig.controller().link(0).frame_time(4100, 2));
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  EXPECT_NE(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  rig.run();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxTFD), 0x50U);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST);
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 2U);
}

TEST(HbaError, AStatusThatIsBeingPostedWhenTheListStopsStillUpdatesTheTaskFile) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  rig.device.send_status(0x50, true);
  rig.run_for(rig.controller().link(0).frame_time(20, 2));
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.run();
  EXPECT_EQ(rig.port(kPxTFD), 0x50U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

}  // namespace
}  // namespace ncqlab::test
