// Commands that are not queued: fetch, task file, PIO and DMA in both directions, PRD shapes, byte counts
// (AHCI 1.3.1, 5.3.6, 5.3.8 to 5.3.11, 4.2).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

Bytes memory_at(HbaRig& rig, std::uint64_t address, std::uint32_t bytes) {
  const std::uint8_t* at = rig.memory.translate(address, bytes);
  return Bytes(at, at + bytes);
}

TEST(HbaCommand, TheCommandFisIsWhatTheTableHolds) {
  BareRig rig;
  rig.bring_up();
  const sata::RegisterH2D fis = command(0x25, 0x123456789A, 8);
  rig.build_command(5, fis, {{rig.data.address, 4096}});
  rig.issue(5);
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 1U);
  const sata::Frame expected = sata::encode(rig.pool, fis);
  EXPECT_EQ(rig.device.received[0], Bytes(expected.data(), expected.data() + 20));
}

TEST(HbaCommand, TheDeviceIsBusyAndTheSlotIssuedUntilTheStatusComes) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(5, command(0xE7), {});
  rig.issue(5);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 1U << 5);
  EXPECT_NE(rig.port(kPxTFD) & 0x80, 0U);
  EXPECT_EQ(rig.port(kPxCMD) >> 8 & 0x1F, 5U);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxTFD), 0x50U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
}

TEST(HbaCommand, SlotsAreTakenInTurn) {
  BareRig rig;
  rig.bring_up();
  for (unsigned slot = 0; slot < 32; ++slot) rig.build_command(slot, command(0xE7, slot), {});
  rig.device.on_frame = [&](const Bytes&) { rig.device.send_status(0x50, true); };
  rig.issue(3);
  rig.set_port(kPxCI, 1U << 1 | 1U << 4 | 1U << 31);
  rig.run();
  std::vector<int> order;
  for (const Bytes& fis : rig.device.received) order.push_back(fis[4]);
  EXPECT_EQ(order, (std::vector<int>{3, 4, 31, 1}));
}

TEST(HbaCommand, ACommandWithoutDataTakesTheTimeOfItsFetchesFramesAndWrites) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  rig.device.on_frame = [&](const Bytes&) { rig.device.send_status(0x50, true); };
  const sim::Time start = rig.queue().now();
  rig.issue(0);
  const auto ns = [](int n) { return n * sim::kNanosecond; };
  const sim::Time fetches = ns(200) + ns(700 + 32 + 20) + ns(700 + 20 + 20);
  const sim::Time frames = 2 * rig.controller().link(0).frame_time(20, 2);
  const sim::Time post = ns(100) + ns(300 + 20 + 20);
  rig.run_for(fetches + frames + post - 1);
  EXPECT_EQ(rig.port(kPxIS), 0U);
  rig.run_for(1);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
  EXPECT_EQ(rig.queue().now(), start + fetches + frames + post);
}

TEST(HbaCommand, ADmaReadScattersAndCounts) {
  BareRig rig;
  rig.bring_up();
  const std::uint64_t base = rig.data.address;
  rig.build_command(0, command(0x25), {{base + 2, 6}, {base + 0x1000, 4096 - 6 - 1000}, {base + 0x5000, 1000}});
  rig.issue(0);
  rig.run();
  const Bytes sent = pattern(4096);
  rig.device.send_data(sent);
  rig.device.send_status(0x50, true);
  rig.run();
  Bytes got = memory_at(rig, base + 2, 6);
  const Bytes second = memory_at(rig, base + 0x1000, 3090);
  const Bytes third = memory_at(rig, base + 0x5000, 1000);
  got.insert(got.end(), second.begin(), second.end());
  got.insert(got.end(), third.begin(), third.end());
  EXPECT_EQ(got, sent);
  EXPECT_EQ(memory_at(rig, base + 8, 8), Bytes(8, 0));
  EXPECT_EQ(rig.byte_count(0), 4096U);
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

TEST(HbaCommand, AReadOfManyFramesContinuesWhereItWas) {
  BareRig rig;
  rig.bring_up();
  std::vector<Piece> pieces;
  for (std::uint32_t i = 0; i < 48; ++i) pieces.push_back({rig.data.address + 0x1000 * (47 - i), 1366});
  rig.build_command(0, command(0x25), pieces);
  rig.issue(0);
  rig.run();
  const Bytes sent = pattern(48 * 1366);
  for (std::size_t at = 0; at < sent.size(); at += 8192) {
    const std::size_t end = std::min(at + 8192, sent.size());
    rig.device.send_data(Bytes(sent.begin() + static_cast<long>(at), sent.begin() + static_cast<long>(end)));
  }
  rig.device.send_status(0x50, true);
  rig.run();
  for (std::uint32_t i = 0; i < 48; ++i) {
    const auto from = sent.begin() + static_cast<long>(i) * 1366;
    ASSERT_EQ(memory_at(rig, pieces[i].address, 1366), Bytes(from, from + 1366)) << i;
  }
  EXPECT_EQ(rig.byte_count(0), sent.size());
}

TEST(HbaCommand, ATransferOfTheSmallestPieces) {
  BareRig rig;
  rig.bring_up();
  std::vector<Piece> pieces;
  for (std::uint32_t i = 0; i < 256; ++i) pieces.push_back({rig.data.address + 4 * i, 2});
  rig.build_command(0, command(0x25), pieces);
  rig.issue(0);
  rig.run();
  const Bytes sent = pattern(512);
  rig.device.send_data(sent);
  rig.device.send_status(0x50, true);
  rig.run();
  for (std::uint32_t i = 0; i < 256; ++i) {
    ASSERT_EQ(memory_at(rig, rig.data.address + 4 * i, 4), (Bytes{sent[2 * i], sent[2 * i + 1], 0, 0})) << i;
  }
}

TEST(HbaCommand, APieceWithItsInterruptBitSetsDpsWhenItIsUsedUp) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 512, true}, {rig.data.address + 512, 512}});
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(508));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), 0U);
  rig.device.send_data(pattern(4));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DPS);
}

TEST(HbaCommand, ADmaWriteSendsAtMost8KibibytesForEachActivate) {
  BareRig rig;
  rig.bring_up();
  const Bytes content = pattern(12'000);
  std::memcpy(rig.data.cpu, content.data(), content.size());
  rig.build_command(0, command(0x35), {{rig.data.address, 12'000}}, HbaRig::kWrite);
  rig.issue(0);
  rig.run();
  rig.device.received.clear();
  rig.device.send(sata::encode_dma_activate(rig.pool, 0));
  rig.run();
  rig.device.send(sata::encode_dma_activate(rig.pool, 0));
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 2U);
  ASSERT_EQ(rig.device.received[0].size(), 8196U);
  ASSERT_EQ(rig.device.received[1].size(), 12'000U - 8192 + 4);
  Bytes got(rig.device.received[0].begin() + 4, rig.device.received[0].end());
  got.insert(got.end(), rig.device.received[1].begin() + 4, rig.device.received[1].end());
  EXPECT_EQ(got, content);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.byte_count(0), 12'000U);
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

TEST(HbaCommand, ADataFisToTheDeviceIsPaddedToADword) {
  BareRig rig;
  rig.bring_up();
  rig.data.cpu[4] = 0xAA;
  rig.data.cpu[5] = 0xBB;
  rig.data.cpu[6] = 0xCC;
  rig.build_command(0, command(0x35), {{rig.data.address, 6}}, HbaRig::kWrite);
  rig.issue(0);
  rig.run();
  rig.device.send(sata::encode_dma_activate(rig.pool, 0));
  rig.run();
  const Bytes& frame = rig.device.received.back();
  ASSERT_EQ(frame.size(), 12U);
  EXPECT_EQ(Bytes(frame.begin() + 8, frame.end()), (Bytes{0xAA, 0xBB, 0x00, 0x00}));
}

sata::PioSetup pio_block(bool to_host, std::uint16_t bytes, std::uint8_t end_status, bool interrupt) {
  sata::PioSetup fis;
  fis.to_host = to_host;
  fis.transfer_count = bytes;
  fis.status = 0x58;
  fis.end_status = end_status;
  fis.interrupt = interrupt;
  return fis;
}

TEST(HbaCommand, APioReadShowsItsEndStatusAndCompletesWithTheData) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0xEC), {{rig.data.address, 512}});
  rig.issue(0);
  rig.run();
  rig.device.send(pio_block(true, 512, 0x50, true));
  rig.run();
  EXPECT_EQ(rig.port(kPxTFD), 0x58U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
  EXPECT_EQ(rig.received_fis(kReceived_PSFIS, 2), (Bytes{0x5F, 0x60}));
  const Bytes sent = pattern(512);
  rig.device.send_data(sent);
  rig.run();
  EXPECT_EQ(memory_at(rig, rig.data.address, 512), sent);
  EXPECT_EQ(rig.port(kPxTFD), 0x50U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PSS);
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.byte_count(0), 512U);
}

TEST(HbaCommand, APioReadOfTwoBlocksCompletesWithTheSecond) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x20, 0, 2), {{rig.data.address, 1024}});
  rig.issue(0);
  rig.run();
  rig.device.send(pio_block(true, 512, 0xD0, true));
  rig.device.send_data(pattern(512, 1));
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 1U);
  EXPECT_EQ(rig.port(kPxTFD), 0xD0U);
  rig.device.send(pio_block(true, 512, 0x50, true));
  rig.device.send_data(pattern(512, 2));
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(memory_at(rig, rig.data.address + 512, 512), pattern(512, 2));
  EXPECT_EQ(rig.byte_count(0), 1024U);
}

TEST(HbaCommand, APioWriteSendsItsBlockAndWaitsForTheStatus) {
  BareRig rig;
  rig.bring_up();
  const Bytes content = pattern(512);
  std::memcpy(rig.data.cpu, content.data(), content.size());
  rig.build_command(0, command(0x30), {{rig.data.address, 512}}, HbaRig::kWrite);
  rig.issue(0);
  rig.run();
  rig.device.send(pio_block(false, 512, 0xD0, false));
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(Bytes(rig.device.received[1].begin() + 4, rig.device.received[1].end()), content);
  EXPECT_EQ(rig.port(kPxTFD), 0xD0U);
  EXPECT_EQ(rig.port(kPxCI), 1U);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.byte_count(0), 512U);
}

TEST(HbaCommand, APacketIsSentFromItsOwnPlaceInTheTable) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0xA0), {{rig.data.address, 2048}}, 1U << 5);
  for (unsigned i = 0; i < 16; ++i) rig.tables.cpu[0x40 + i] = static_cast<std::uint8_t>(0x10 + i);
  rig.issue(0);
  rig.run();
  rig.device.send(pio_block(false, 12, 0xD0, false));
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.device.received[1].size(), 16U);
  EXPECT_EQ(rig.device.received[1][4], 0x10);
  rig.device.send(pio_block(true, 2048, 0xD0, false));
  rig.device.send_data(pattern(2048));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(memory_at(rig, rig.data.address, 2048), pattern(2048));
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

TEST(HbaCommand, ACommandFisOfUnusualLengthIsSentAsItIs) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  rig.header(0)[0] = 16;
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.device.received[0].size(), 64U);
  EXPECT_FALSE(rig.violated(Violation::command_fis_length));
}

TEST(HbaCommand, ASlowBusHoldsTheDeviceOff) {
  ControllerProfile slow = HbaRig::default_profile();
  slow.bus.bandwidth_bytes_per_second = 20'000'000;
  BareRig rig(slow);
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 64 * 1024}});
  rig.issue(0);
  rig.run();
  for (unsigned i = 0; i < 8; ++i) rig.device.send_data(pattern(8192, i));
  rig.device.send_status(0x50, true);
  rig.run();
  int in_the_controller = 0;
  int most = 0;
  for (const sim::Record& record : rig.records.records) {
    if (record.kind == sim::Kind::fis_to_host && record.a == 0x46) most = std::max(most, ++in_the_controller);
    if (record.kind == sim::Kind::dma_write && record.b == 8192) --in_the_controller;
  }
  EXPECT_EQ(most, 3);  // one on its way to memory, two waiting
  EXPECT_EQ(rig.byte_count(0), 64U * 1024);
  EXPECT_EQ(memory_at(rig, rig.data.address + 7 * 8192, 8192), pattern(8192, 7));
}

TEST(HbaCommand, EveryDmaAndFisIsTraced) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(2, command(0x25), {{rig.data.address, 512}});
  rig.records.records.clear();
  rig.issue(2);
  rig.run();
  rig.device.send_data(pattern(512));
  rig.device.send_status(0x50, true);
  rig.run();
  const auto reads = rig.records.of(sim::Kind::dma_read);
  ASSERT_EQ(reads.size(), 3U);
  EXPECT_EQ(reads[0].a, rig.list.address + 64);
  EXPECT_EQ(reads[0].b, 32U);
  EXPECT_EQ(reads[1].a, rig.table_address(2));
  EXPECT_EQ(reads[1].b, 20U);
  EXPECT_EQ(reads[2].a, rig.table_address(2) + 0x80);
  EXPECT_EQ(reads[2].b, 16U);
  const auto writes = rig.records.of(sim::Kind::dma_write);
  ASSERT_EQ(writes.size(), 3U);
  EXPECT_EQ(writes[0].a, rig.data.address);
  EXPECT_EQ(writes[1].a, rig.received.address + 0x40);
  EXPECT_EQ(writes[2].a, rig.list.address + 64 + 4);
  EXPECT_EQ(rig.records.of(sim::Kind::fis_to_device).size(), 1U);
  EXPECT_EQ(rig.records.of(sim::Kind::fis_to_host).size(), 2U);
}

}  // namespace
}  // namespace ncqlab::test
