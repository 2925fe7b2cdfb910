// Native command queueing: tags, DMA Setup, Set Device Bits (AHCI 1.3.1, 5.3.12, 5.3.13, 5.6.4; SATA 3.x, 13.6).
#include <gtest/gtest.h>

#include <cstring>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

Bytes memory_at(HbaRig& rig, std::uint64_t address, std::uint32_t bytes) {
  const std::uint8_t* at = rig.memory.translate(address, bytes);
  return Bytes(at, at + bytes);
}

// Accepts every queued command at once, without an interrupt.
void accept_commands(HbaRig& rig) {
  rig.device.on_frame = [&rig](const Bytes& fis) {
    if (fis[0] == 0x27) rig.device.send_status(0x40, false);
  };
}

std::uint64_t buffer_of(const HbaRig& rig, unsigned tag) { return rig.data.address + 0x4000 * tag; }

void issue_read(HbaRig& rig, unsigned tag, std::uint32_t bytes = 4096) {
  rig.build_command(tag, queued_command(0x60, tag), {{buffer_of(rig, tag), bytes}});
  rig.issue_queued(tag);
}

TEST(HbaQueued, AcceptanceClearsTheIssueBitAndLeavesTheTagActive) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  issue_read(rig, 7);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxSACT), 1U << 7);
  EXPECT_EQ(rig.port(kPxTFD) & 0x88, 0U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaQueued, ReadsCompleteOutOfOrderIntoTheirOwnBuffers) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  for (const unsigned tag : {0U, 5U, 31U}) issue_read(rig, tag);
  rig.run();
  for (const unsigned tag : {31U, 0U, 5U}) {
    rig.device.set_up_dma(tag, true, 4096);
    rig.device.send_data(pattern(4096, tag));
    rig.device.complete_tags(1U << tag);
    rig.run();
    EXPECT_EQ(memory_at(rig, buffer_of(rig, tag), 4096), pattern(4096, tag));
    EXPECT_EQ(rig.port(kPxSACT) >> tag & 1, 0U);
    EXPECT_EQ(rig.port(kPxIS), kPxIS_SDBS);
    rig.set_port(kPxIS, kPxIS_SDBS);
  }
  EXPECT_EQ(rig.port(kPxSACT), 0U);
}

TEST(HbaQueued, OneSetDeviceBitsMayCompleteSeveralTags) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  for (const unsigned tag : {1U, 2U, 30U}) issue_read(rig, tag);
  rig.run();
  rig.device.complete_tags(1U << 1 | 1U << 30);
  rig.run();
  EXPECT_EQ(rig.port(kPxSACT), 1U << 2);
  EXPECT_EQ(rig.received_fis(kReceived_SDBFIS, 8), (Bytes{0xA1, 0x40, 0x40, 0x00, 0x02, 0x00, 0x00, 0x40}));
}

TEST(HbaQueued, SetDeviceBitsLeavesBusyAndDataRequestAlone) {
  BareRig rig;
  rig.bring_up();
  issue_read(rig, 0);
  rig.run();  // BSY: not accepted yet
  rig.device.complete_tags(0, 0x50, 0x02);
  rig.run();
  EXPECT_EQ(rig.port(kPxTFD) & 0x88, 0x80U);
  EXPECT_EQ(rig.port(kPxTFD) & 0x77, 0x50U);
  EXPECT_EQ(rig.port(kPxTFD) >> 8 & 0xFF, 0x02U);
}

TEST(HbaQueued, TheFisAreInTheReceivedFisStructure) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  issue_read(rig, 3);
  rig.run();
  rig.device.set_up_dma(3, true, 4096);
  rig.device.send_data(pattern(4096));
  rig.run();
  EXPECT_EQ(rig.received_fis(kReceived_RFIS, 3), (Bytes{0x34, 0x00, 0x40}));
  EXPECT_EQ(rig.received_fis(kReceived_DSFIS, 5), (Bytes{0x41, 0x20, 0x00, 0x00, 0x03}));
}

TEST(HbaQueued, TheByteCountOfAQueuedCommandIsLeftAlone) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  issue_read(rig, 3);
  rig.run();
  rig.device.set_up_dma(3, true, 4096);
  rig.device.send_data(pattern(4096));
  rig.device.complete_tags(1U << 3);
  rig.run();
  EXPECT_EQ(rig.byte_count(3), 0U);
}

TEST(HbaQueued, ABufferOffsetStartsThereInTheScatterList) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  const std::uint64_t base = rig.data.address;
  std::vector<Piece> pieces;
  for (std::uint32_t i = 0; i < 20; ++i) pieces.push_back({base + 0x1000 * i, 1000});
  rig.build_command(4, queued_command(0x60, 4, 40), pieces);
  rig.issue_queued(4);
  rig.run();
  const Bytes whole = pattern(20'000);
  const auto part = [&](std::uint32_t from, std::uint32_t to) {
    return Bytes(whole.begin() + static_cast<long>(from), whole.begin() + static_cast<long>(to));
  };
  // The tail first, then the head: the second lies before the first.
  rig.device.set_up_dma(4, true, 7'900, 12'100);
  rig.device.send_data(part(12'100, 20'000));
  rig.device.set_up_dma(4, true, 12'100, 0);
  rig.device.send_data(part(0, 8'192));
  rig.device.send_data(part(8'192, 12'100));
  rig.device.complete_tags(1U << 4);
  rig.run();
  for (std::uint32_t i = 0; i < 20; ++i) {
    ASSERT_EQ(memory_at(rig, base + 0x1000 * i, 1000), part(i * 1000, i * 1000 + 1000)) << i;
  }
}

TEST(HbaQueued, TagsMayTakeTurnsInPieces) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  issue_read(rig, 0, 8192);
  issue_read(rig, 1, 8192);
  rig.run();
  for (const std::uint32_t offset : {0U, 4096U}) {
    for (const unsigned tag : {0U, 1U}) {
      rig.device.set_up_dma(tag, true, 4096, offset);
      rig.device.send_data(pattern(4096, 10 + tag + offset));
    }
  }
  rig.run();
  for (const unsigned tag : {0U, 1U}) {
    EXPECT_EQ(memory_at(rig, buffer_of(rig, tag), 4096), pattern(4096, 10 + tag));
    EXPECT_EQ(memory_at(rig, buffer_of(rig, tag) + 4096, 4096), pattern(4096, 10 + tag + 4096));
  }
}

void issue_write(HbaRig& rig, unsigned tag, const Bytes& content) {
  std::memcpy(rig.memory.translate(buffer_of(rig, tag), content.size()), content.data(), content.size());
  rig.build_command(tag, queued_command(0x61, tag), {{buffer_of(rig, tag), static_cast<std::uint32_t>(content.size())}},
                    HbaRig::kWrite);
  rig.issue_queued(tag);
}

TEST(HbaQueued, AWriteWaitsForItsActivate) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  issue_write(rig, 2, pattern(4096));
  rig.run();
  rig.device.received.clear();
  rig.device.set_up_dma(2, false, 4096);
  rig.run();
  EXPECT_TRUE(rig.device.received.empty());
  rig.device.send(sata::encode_dma_activate(rig.pool, 0));
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 1U);
  EXPECT_EQ(Bytes(rig.device.received[0].begin() + 4, rig.device.received[0].end()), pattern(4096));
}

TEST(HbaQueued, AWriteWithAutoActivateSendsItsFirstFrameAtOnce) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  const Bytes content = pattern(12'288);
  issue_write(rig, 2, content);
  rig.run();
  rig.device.received.clear();
  rig.device.set_up_dma(2, false, 12'288, 0, true);
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 1U);
  EXPECT_EQ(rig.device.received[0].size(), 8196U);
  rig.device.send(sata::encode_dma_activate(rig.pool, 0));
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(Bytes(rig.device.received[1].begin() + 4, rig.device.received[1].end()),
            Bytes(content.begin() + 8192, content.end()));
}

TEST(HbaQueued, NoCommandIsSentBetweenDmaSetupAndTheEndOfItsData) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  issue_read(rig, 0, 8192);
  rig.run();
  rig.device.set_up_dma(0, true, 8192);
  rig.run();
  issue_read(rig, 1);
  rig.device.send_data(pattern(4096));
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 1U);
  rig.device.send_data(pattern(4096));
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 2U);
}

TEST(HbaQueued, ACommandThatCollidesWithADmaSetupIsSentAfterTheData) {
  BareRig rig;
  rig.bring_up();
  accept_commands(rig);
  issue_read(rig, 0);
  rig.run();
  issue_read(rig, 1);
  // The device wants the link in the same picosecond in which the command would go out.
  while (rig.records.of(sim::Kind::dma_read).back().a != rig.table_address(1) + 0x80) rig.queue().run_one();
  rig.device.set_up_dma(0, true, 4096);
  rig.device.send_data(pattern(4096));
  rig.run();
  const auto to_device = rig.records.of(sim::Kind::fis_to_device);
  const auto to_host = rig.records.of(sim::Kind::fis_to_host);
  ASSERT_EQ(to_device.size(), 2U);
  EXPECT_EQ(rig.port(kPxSACT), 3U);
  EXPECT_EQ(rig.port(kPxCI), 0U);
  // Signature, acceptance of tag 0, DMA Setup, Data, then the acceptance of tag 1.
  ASSERT_EQ(to_host.size(), 5U);
  EXPECT_GT(to_device[1].time, to_host[3].time);
}

TEST(HbaQueued, AFourKibibyteReadTakesElevenEvents) {
  BareRig rig;
  rig.bring_up();
  rig.run();
  accept_commands(rig);
  issue_read(rig, 0);
  const std::uint64_t before = rig.queue().executed();
  rig.run();
  rig.device.set_up_dma(0, true, 4096);
  rig.device.send_data(pattern(4096));
  rig.device.complete_tags(1);
  rig.run();
  EXPECT_EQ(rig.queue().executed() - before, 11U);
}

}  // namespace
}  // namespace ncqlab::test
