// The drive's life on its link: resets, signature, and what is ignored meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kSignature = "D2H 50 01";

class DriveAtaLife : public testing::Test {
 protected:
  AtaHost host;
};

TEST_F(DriveAtaLife, BeforeTheReadyTimeThereIsNoSignature) {
  host.comreset();
  host.run_until(1 * kMs - 1);
  EXPECT_THAT(host.lines(), IsEmpty());
}

TEST_F(DriveAtaLife, AtTheReadyTimeTheSignatureIsSent) {
  host.comreset();
  host.run();
  ASSERT_THAT(host.lines(), ElementsAre(kSignature));
  EXPECT_EQ(host.sent[0].time, 1 * kMs);
}

// ACS-3, 9.2: an ATA device.
TEST_F(DriveAtaLife, TheSignatureIsThatOfAnAtaDevice) {
  host.comreset();
  host.run();
  EXPECT_EQ(host.sent.at(0).bytes,
            (AtaHost::Bytes{0x34, 0x00, 0x50, 0x01, 0x01, 0, 0, 0, 0, 0, 0, 0, 0x01, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(DriveAtaLife, AnotherComresetStartsTheReadyTimeAnew) {
  host.comreset();
  host.run_until(600 * kUs);
  host.comreset();
  host.run();
  ASSERT_THAT(host.lines(), ElementsAre(kSignature));
  EXPECT_EQ(host.sent[0].time, 1600 * kUs);
}

TEST_F(DriveAtaLife, ADriveWhosePhyIsLostSendsNothing) {
  host.comreset();
  host.run_until(600 * kUs);
  host.drive.phy_lost();
  host.run();
  EXPECT_THAT(host.lines(), IsEmpty());
}

TEST_F(DriveAtaLife, ACommandBeforeTheSignatureIsIgnored) {
  host.comreset();
  host.command(0xEC);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kSignature));
}

TEST_F(DriveAtaLife, ACommandBesideANonQueuedOneIsIgnored) {
  host.start();
  host.command(0x25, 50, 1);
  host.command(0xEC);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 512", "D2H 50 00 I"));
}

TEST_F(DriveAtaLife, AFrameOfAnUnknownTypeIsIgnored) {
  host.start();
  sata::FramePool pool;
  sata::Frame frame = pool.make(20);
  std::memset(frame.data(), 0x5A, 20);
  host.drive.frame_received(frame);
  host.run();
  EXPECT_THAT(host.lines(), IsEmpty());
}

TEST_F(DriveAtaLife, DataThatNobodyAskedForAreIgnored) {
  host.start();
  host.send_data(AtaHost::filled(1, 0xAA));
  host.run();
  EXPECT_THAT(host.lines(), IsEmpty());
}

// ---- software reset

TEST_F(DriveAtaLife, SoftwareResetGivesTheSignatureWhenItIsCleared) {
  host.start();
  host.control(0x04);
  host.run_until(host.now() + 1 * kMs);
  EXPECT_THAT(host.lines(), IsEmpty());
  host.control(0x00);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kSignature));
}

TEST_F(DriveAtaLife, DuringSoftwareResetCommandsAreIgnored) {
  host.start();
  host.control(0x04);
  host.command(0xEC);
  host.run();
  EXPECT_THAT(host.lines(), IsEmpty());
}

TEST_F(DriveAtaLife, AControlFisWithoutAResetChangesNothing) {
  host.start();
  host.control(0x02);
  host.run();
  EXPECT_THAT(host.lines(), IsEmpty());
}

TEST_F(DriveAtaLife, SoftwareResetForgetsQueuedCommands) {
  host.start();
  host.queued(0x60, 0, 50, 1);
  host.queued(0x60, 1, 30'000, 1);
  host.run_until(host.now() + 1 * kMs);
  host.sent.clear();
  host.control(0x04);
  host.control(0x00);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kSignature));
}

TEST_F(DriveAtaLife, ComresetForgetsTheCommandUnderWay) {
  host.start();
  host.command(0x25, 50, 1);
  host.run_until(host.now() + 1 * kMs);
  host.comreset();
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kSignature));
}

TEST_F(DriveAtaLife, AfterAResetATagMayBeUsedAgain) {
  host.start();
  host.queued(0x60, 0, 30'000, 1);
  host.run_until(host.now() + 1 * kMs);
  host.start();
  host.queued(0x60, 0, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("D2H 40 00", "Setup in tag 0, 512 bytes", "Data 512", "SDB 40 00000001 I"));
  EXPECT_EQ(host.data(), AtaHost::factory(50, 1));
}

TEST_F(DriveAtaLife, AfterAResetDataThatNeverCameAreNotWaitedFor) {
  host.start();
  host.queued(0x61, 0, 50, 1);  // activated, and the host sends nothing
  host.run_until(host.now() + 1 * kMs);
  host.start();
  host.queued(0x60, 0, 50, 1);
  host.run();
  EXPECT_EQ(host.sent.back().line, "SDB 40 00000001 I");
}

TEST_F(DriveAtaLife, AResetKeepsWhatTheWriteCacheHolds) {
  host.start();
  host.outgoing = AtaHost::filled(1, 0x5A);
  host.command(0x35, 50, 1);
  host.run_until(host.now() + 1 * kMs);
  EXPECT_EQ(host.drive.disk().dirty_sectors(), 1U);
  host.comreset();
  EXPECT_EQ(host.drive.disk().dirty_sectors(), 1U);
  host.run();
  host.sent.clear();
  host.command(0x25, 50, 1);
  host.run();
  EXPECT_EQ(host.data(), AtaHost::filled(1, 0x5A));
}

}  // namespace
}  // namespace ncqlab::drive
