// What transfers cost on each kind of bus, counted by hand.
#include "model/host/bus_cost.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "model/host/pci_cost.h"
#include "model/host/pcie_cost.h"

namespace ncqlab::host {
namespace {

using sim::kNanosecond;
using sim::Time;

constexpr std::uint64_t kLow = 0x10'0000;
constexpr std::uint64_t kHigh = 0x1'0000'0000;

DmaAccess read(std::uint64_t address, std::uint32_t bytes) { return {address, nullptr, bytes, false}; }
DmaAccess write(std::uint64_t address, std::uint32_t bytes) { return {address, nullptr, bytes, true}; }

Time data_time(const BusProfile& profile, const DmaAccess& piece) { return BusCost(profile).of(&piece, 1).data; }

BusProfile custom() {
  BusProfile bus;
  bus.bandwidth_bytes_per_second = 1'000'000'000;
  bus.max_burst_bytes = 128;
  bus.burst_overhead_bytes = 20;
  return bus;
}

TEST(CustomBusCost, EveryBurstBegunCostsItsOverhead) {
  EXPECT_EQ(data_time(custom(), read(kLow, 128)), 148 * kNanosecond);
  EXPECT_EQ(data_time(custom(), read(kLow, 129)), 169 * kNanosecond);
  const DmaAccess list[2] = {read(kLow, 2), read(kLow, 2)};
  EXPECT_EQ(BusCost(custom()).of(list, 2).data, 44 * kNanosecond);
}

TEST(CustomBusCost, IsRoundedOnceForTheWholeTransfer) {
  BusProfile bus = custom();
  bus.bandwidth_bytes_per_second = 3'000'000'000;
  bus.burst_overhead_bytes = 0;
  const DmaAccess list[3] = {read(kLow, 1), read(kLow, 1), read(kLow, 1)};
  EXPECT_EQ(BusCost(bus).of(list, 1).data, 333);
  EXPECT_EQ(BusCost(bus).of(list, 3).data, 1000);
}

// ---- PCI Express

BusProfile pcie(unsigned generation, unsigned lanes) {
  BusProfile bus;
  bus.kind = BusKind::pcie;
  bus.pcie.generation = generation;
  bus.pcie.lanes = lanes;
  return bus;
}

PcieBytes pcie_bytes(const DmaAccess& piece, const PcieTiming& link = {}) {
  PcieBytes sum;
  add_pcie_piece(link, piece, sum);
  return sum;
}

TEST(PcieCost, AWriteIsCutAtTheLargestPayload) {
  EXPECT_EQ(pcie_bytes(write(kHigh, 128)).data, 128U + 16 + 8);
  EXPECT_EQ(pcie_bytes(write(kHigh, 132)).data, 132U + 2 * (16 + 8));
  EXPECT_EQ(pcie_bytes(write(kHigh, 4096)).data, 4096U + 32 * (16 + 8));
}

TEST(PcieCost, BelowFourGibibytesAHeaderIsADwordShorter) {
  EXPECT_EQ(pcie_bytes(write(kHigh - 128, 128)).data, 128U + 12 + 8);
  EXPECT_EQ(pcie_bytes(read(kHigh - 128, 128)).requests, 12U + 8);
  EXPECT_EQ(pcie_bytes(read(kHigh, 128)).requests, 16U + 8);
}

TEST(PcieCost, NoRequestCrossesFourKibibytes) {
  EXPECT_EQ(pcie_bytes(write(kLow + 4096 - 64, 128)).data, 128U + 2 * (12 + 8));
  EXPECT_EQ(pcie_bytes(read(kLow + 4096 - 64, 128)).requests, 2U * (12 + 8));
}

TEST(PcieCost, PayloadIsWholeDwords) {
  EXPECT_EQ(pcie_bytes(write(kLow + 2, 2)).data, 4U + 12 + 8);
  EXPECT_EQ(pcie_bytes(write(kLow + 2, 3)).data, 8U + 12 + 8);
}

TEST(PcieCost, AReadIsCutAtTheLargestRequest) {
  EXPECT_EQ(pcie_bytes(read(kLow, 512)).requests, 12U + 8);
  EXPECT_EQ(pcie_bytes(read(kLow, 516)).requests, 2U * (12 + 8));
}

TEST(PcieCost, CompletionsEndAtTheReadCompletionBoundary) {
  PcieTiming link;
  EXPECT_EQ(pcie_bytes(read(kLow, 64), link).data, 16U + 64 + 12 + 8);
  EXPECT_EQ(pcie_bytes(read(kLow + 32, 64), link).data, 16U + 64 + 2 * (12 + 8));
  link.read_completion_boundary_bytes = 128;
  EXPECT_EQ(pcie_bytes(read(kLow + 32, 64), link).data, 16U + 64 + 12 + 8);
}

TEST(PcieCost, EveryPacketIsAnsweredByAnAcknowledgementAndACredit) {
  EXPECT_EQ(pcie_bytes(write(kLow, 4096)).answers, 32U * 16);
  EXPECT_EQ(pcie_bytes(read(kLow, 4096)).answers, 64U * 16);
}

TEST(PcieCost, ALaneCarriesAByteInFourNanosecondsInTwoAndInAFractionMoreThanOne) {
  EXPECT_EQ(pcie_time(pcie(1, 1).pcie, 100), 400 * kNanosecond);
  EXPECT_EQ(pcie_time(pcie(2, 1).pcie, 100), 200 * kNanosecond);
  EXPECT_EQ(pcie_time(pcie(3, 1).pcie, 128), 130 * kNanosecond);  // 128b/130b at 8 GT/s
}

TEST(PcieCost, LanesShareTheBytes) {
  EXPECT_EQ(pcie_time(pcie(1, 2).pcie, 100), 200 * kNanosecond);
  EXPECT_EQ(pcie_time(pcie(1, 4).pcie, 100), 100 * kNanosecond);
}

TEST(PcieCost, AReadOccupiesBothDirections) {
  const DmaAccess piece = read(kHigh, 4096);
  const Occupancy occupied = BusCost(pcie(1, 1)).of(&piece, 1);
  EXPECT_EQ(occupied.request, 8 * 24 * 4 * kNanosecond);
  EXPECT_EQ(occupied.data, (4096 + 64 * 20 + 8 * 16) * 4 * kNanosecond);
  EXPECT_EQ(occupied.answers, 64 * 16 * 4 * kNanosecond);
}

// ---- PCI

BusProfile pci(unsigned clock_mhz, unsigned width_bits) {
  BusProfile bus;
  bus.kind = BusKind::pci;
  bus.pci.clock_mhz = clock_mhz;
  bus.pci.width_bits = width_bits;
  return bus;
}

TEST(PciCost, AWriteIsAddressDecodingDataAndAnIdleClock) {
  EXPECT_EQ(pci_clocks(pci(33, 32).pci, write(kLow, 64)), 1U + 1 + 16 + 1);
}

TEST(PciCost, AReadTurnsTheBusAroundAndWaitsForMemory) {
  EXPECT_EQ(pci_clocks(pci(33, 32).pci, read(kLow, 64)), 1U + 1 + 1 + 8 + 16 + 1);
}

TEST(PciCost, AnAddressAboveFourGibibytesTakesASecondPhase) {
  EXPECT_EQ(pci_clocks(pci(33, 32).pci, write(kHigh, 64)), pci_clocks(pci(33, 32).pci, write(kLow, 64)) + 1);
}

TEST(PciCost, TheLatencyTimerEndsABurst) {
  // 64 clocks from the address phase: 62 words after address and decoding.
  EXPECT_EQ(pci_clocks(pci(33, 32).pci, write(kLow, 62 * 4)), 3U + 62);
  EXPECT_EQ(pci_clocks(pci(33, 32).pci, write(kLow, 63 * 4)), 2U * 3 + 63);
}

TEST(PciCost, ATimerShorterThanTheSetUpStillMovesAWordABurst) {
  BusProfile bus = pci(33, 32);
  bus.pci.latency_timer_clocks = 1;
  EXPECT_EQ(pci_clocks(bus.pci, write(kLow, 16)), 4U * (3 + 1));
}

TEST(PciCost, SixtyFourBitsMoveTwiceAsMuchAClock) {
  EXPECT_EQ(pci_clocks(pci(33, 64).pci, write(kLow, 64)), 3U + 8);
  EXPECT_EQ(pci_clocks(pci(33, 64).pci, write(kLow + 4, 64)), 3U + 9);
}

TEST(PciCost, ClocksLastThirtyFifteenAndSevenAndAHalfNanoseconds) {
  EXPECT_EQ(data_time(pci(33, 32), write(kLow, 64)), (2 + 19) * 30 * kNanosecond);  // two clocks of arbitration
  EXPECT_EQ(data_time(pci(66, 32), write(kLow, 64)), (2 + 19) * 15 * kNanosecond);
  BusProfile pci_x = pci(133, 64);
  pci_x.kind = BusKind::pci_x;
  EXPECT_EQ(data_time(pci_x, write(kLow, 128)), (2 + 21) * 7'500);
}

TEST(PciCost, ARegisterAccessTakesFourClocksAndAReadOneMore) {
  EXPECT_EQ(BusCost(pci(33, 32)).register_access(false), 4 * 30 * kNanosecond);
  EXPECT_EQ(BusCost(pci(33, 32)).register_access(true), 5 * 30 * kNanosecond);
  EXPECT_EQ(BusCost(pcie(1, 1)).register_access(true), 0);
}

// ---- PCI-X

TEST(PciXCost, AWriteHasAnAttributePhase) {
  EXPECT_EQ(pci_x_clocks(pci(133, 64).pci, write(kLow, 128)), 1U + 1 + 2 + 16 + 1);
}

TEST(PciXCost, AnExpiredTimerEndsTheBurstAtTheNextDisconnectBoundary) {
  // 59 clocks of 8 bytes after 5 of overhead: 472 bytes, then on to 512.
  EXPECT_EQ(pci_x_clocks(pci(133, 64).pci, write(kLow, 512)), 5U + 64);
  EXPECT_EQ(pci_x_clocks(pci(133, 64).pci, write(kLow, 520)), 2U * 5 + 65);
  EXPECT_EQ(pci_x_clocks(pci(133, 64).pci, write(kLow + 64, 576)), 5U + 72);
  EXPECT_EQ(pci_x_clocks(pci(133, 64).pci, write(kLow + 64, 584)), 2U * 5 + 73);
}

TEST(PciXCost, FourKibibytesEndEveryBurst) {
  EXPECT_EQ(pci_x_clocks(pci(133, 64).pci, write(kLow + 4096 - 64, 128)), 2U * 5 + 16);
}

TEST(PciXCost, AReadIsSplitIntoRequestAndCompletion) {
  EXPECT_EQ(pci_x_clocks(pci(133, 64).pci, read(kLow, 128)), (1U + 1 + 2 + 1 + 1) + (1 + 1 + 2 + 16 + 1));
}

TEST(PciXCost, AReadIsCutAtTheLargestByteCount) {
  BusProfile bus = pci(133, 64);
  EXPECT_EQ(pci_x_clocks(bus.pci, read(kLow, 4096)), 6U + 8 * 5 + 512);
  bus.pci.max_read_bytes = 512;
  EXPECT_EQ(pci_x_clocks(bus.pci, read(kLow, 4096)), 8U * 6 + 8 * 5 + 512);
}

// ---- what guests and profiles may say

// A transfer that runs over the end of the address space goes on at 0, where headers are shorter.
TEST(BusCost, TheLastAddressesCostHardlyLessThanOthers) {
  constexpr std::uint64_t kTop = 0xFFFF'FFFF'FFFF'0000;
  constexpr std::uint32_t kBytes = 4 << 20;
  BusProfile pci_x = pci(133, 64);
  pci_x.kind = BusKind::pci_x;
  for (const BusProfile& bus : {pcie(1, 1), pci(33, 32), pci_x}) {
    for (const bool to_memory : {false, true}) {
      const Time usual = data_time(bus, {kHigh, nullptr, kBytes, to_memory});
      const Time over_the_end = data_time(bus, {kTop, nullptr, kBytes, to_memory});
      EXPECT_LE(over_the_end, usual);
      EXPECT_GT(over_the_end, usual / 100 * 95);
    }
  }
}

TEST(BusCost, WhatNoSuchBusHasIsRefused) {
  const auto refused = [](auto change, BusKind kind) {
    BusProfile bus;
    bus.kind = kind;
    if (kind == BusKind::pci_x) bus.pci.clock_mhz = 66;
    EXPECT_NO_THROW(BusCost{bus});
    change(bus);
    EXPECT_THROW(BusCost{bus}, std::invalid_argument);
  };
  refused([](BusProfile& b) { b.bandwidth_bytes_per_second = 0; }, BusKind::custom);
  refused([](BusProfile& b) { b.max_burst_bytes = 0; }, BusKind::custom);
  refused([](BusProfile& b) { b.pci.clock_mhz = 133; }, BusKind::pci);
  refused([](BusProfile& b) { b.pci.clock_mhz = 33; }, BusKind::pci_x);
  refused([](BusProfile& b) { b.pci.width_bits = 16; }, BusKind::pci);
  refused([](BusProfile& b) { b.pci.latency_timer_clocks = 0; }, BusKind::pci);
  refused([](BusProfile& b) { b.pci.max_read_bytes = 256; }, BusKind::pci_x);
  refused([](BusProfile& b) { b.pcie.generation = 4; }, BusKind::pcie);
  refused([](BusProfile& b) { b.pcie.lanes = 3; }, BusKind::pcie);
  refused([](BusProfile& b) { b.pcie.max_payload_bytes = 64; }, BusKind::pcie);
  refused([](BusProfile& b) { b.pcie.max_read_request_bytes = 8192; }, BusKind::pcie);
  refused([](BusProfile& b) { b.pcie.read_completion_boundary_bytes = 32; }, BusKind::pcie);
}

}  // namespace
}  // namespace ncqlab::host
