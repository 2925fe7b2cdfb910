// Sparse sectors: what is stored, moved and erased, as bytes and as keys of a pattern.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <vector>

#include "model/drive/media/durable_times.h"
#include "model/drive/media/sector_store.h"
#include "model/sim/random.h"

namespace ncqlab::drive {
namespace {

using Bytes = std::vector<std::uint8_t>;

// All 512 bytes are the sum of LBA and key, and the key stands in front.
class SumPattern final : public SectorPattern {
 public:
  bool recognise(std::uint64_t lba, const std::uint8_t* sector, std::uint64_t& key) const override {
    std::memcpy(&key, sector, 8);
    Bytes expected(kSector_bytes);
    fill(lba, key, expected.data());
    return std::memcmp(expected.data(), sector, kSector_bytes) == 0;
  }
  void fill(std::uint64_t lba, std::uint64_t key, std::uint8_t* sector) const override {
    std::memset(sector, static_cast<int>((lba + key) & 0xFF), kSector_bytes);
    std::memcpy(sector, &key, 8);
  }
};

const SumPattern kPattern;

Bytes patterned(std::uint64_t lba, std::uint32_t sectors, std::uint64_t key) {
  Bytes bytes(std::size_t{sectors} * kSector_bytes);
  for (std::uint32_t i = 0; i < sectors; ++i) kPattern.fill(lba + i, key, bytes.data() + i * kSector_bytes);
  return bytes;
}
Bytes plain(std::uint32_t sectors, std::uint8_t value) { return Bytes(std::size_t{sectors} * kSector_bytes, value); }
Bytes read(const SectorStore& store, std::uint64_t lba, std::uint32_t sectors) {
  Bytes bytes(std::size_t{sectors} * kSector_bytes);
  store.read(lba, sectors, bytes.data());
  return bytes;
}

TEST(DriveSectorStore, NothingIsStoredAtFirst) {
  const SectorStore store;
  EXPECT_TRUE(store.empty());
  EXPECT_FALSE(store.run_at(5, 100).stored);
  EXPECT_EQ(store.run_at(5, 100).sectors, 100U);
}

TEST(DriveSectorStore, ARunEndsWhereBeingStoredEnds) {
  SectorStore store;
  store.write(60, 10, plain(10, 1).data());  // across a block's end
  EXPECT_EQ(store.run_at(50, 100).sectors, 10U);
  EXPECT_TRUE(store.run_at(60, 100).stored);
  EXPECT_EQ(store.run_at(60, 100).sectors, 10U);
  EXPECT_EQ(store.run_at(60, 7).sectors, 7U);
  EXPECT_EQ(store.run_at(70, 1000).sectors, 1000U);
}

TEST(DriveSectorStore, APatternIsReadAsItWasWritten) {
  SectorStore store(&kPattern);
  store.write(100, 20, patterned(100, 20, 7).data());
  EXPECT_EQ(read(store, 100, 20), patterned(100, 20, 7));
}

TEST(DriveSectorStore, ASectorOfAnotherPlaceIsKeptAsBytes) {
  SectorStore store(&kPattern);
  store.write(100, 1, patterned(101, 1, 7).data());
  EXPECT_EQ(read(store, 100, 1), patterned(101, 1, 7));
}

TEST(DriveSectorStore, OneByteBesideThePatternIsKept) {
  SectorStore store(&kPattern);
  Bytes bytes = patterned(100, 3, 7);
  bytes[1024 + 511] ^= 1;
  store.write(100, 3, bytes.data());
  EXPECT_EQ(read(store, 100, 3), bytes);
}

TEST(DriveSectorStore, WhatIsMovedIsThereAndNotHere) {
  SectorStore from(&kPattern);
  SectorStore to(&kPattern);
  from.write(0, 16, plain(16, 3).data());
  from.write(16, 4, patterned(16, 4, 9).data());
  to.write(2, 1, plain(1, 5).data());
  from.move_to(to, {4, 18});
  EXPECT_EQ(from.run_at(0, 100).sectors, 4U);
  EXPECT_EQ(from.run_at(4, 100).sectors, 14U);
  EXPECT_EQ(read(from, 18, 2), patterned(18, 2, 9));
  EXPECT_EQ(read(to, 4, 12), plain(12, 3));
  EXPECT_EQ(read(to, 16, 2), patterned(16, 2, 9));
  EXPECT_EQ(read(to, 2, 1), plain(1, 5));
}

TEST(DriveSectorStore, WhatIsMovedReplaces) {
  SectorStore from;
  SectorStore to;
  from.write(8, 8, plain(8, 3).data());
  to.write(8, 8, plain(8, 5).data());
  from.move_to(to, {8, 16});
  EXPECT_TRUE(from.empty());
  EXPECT_EQ(read(to, 8, 8), plain(8, 3));
}

TEST(DriveSectorStore, RunsAreVisitedInOrder) {
  SectorStore store;
  store.write(130, 2, plain(2, 1).data());
  store.write(62, 4, plain(4, 1).data());
  std::vector<std::pair<std::uint64_t, std::uint32_t>> runs;
  store.visit_runs({63, 131}, [&](std::uint64_t first, std::uint32_t sectors) { runs.emplace_back(first, sectors); });
  EXPECT_EQ(runs, (std::vector<std::pair<std::uint64_t, std::uint32_t>>{{63, 1}, {64, 2}, {130, 1}}));
}

// Random writes, moves and erasures of two stores against two maps.
TEST(DriveSectorStore, TwoStoresAgreeWithTwoMaps) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    sim::Stream stream(seed, "test/sector-store");
    SectorStore stores[2] = {SectorStore(&kPattern), SectorStore(&kPattern)};
    std::map<std::uint64_t, Bytes> maps[2];
    for (int step = 0; step < 200; ++step) {
      const std::uint64_t which = stream.below(2);
      const std::uint64_t first = stream.below(300);
      const auto sectors = static_cast<std::uint32_t>(1 + stream.below(80));
      const std::uint64_t deed = stream.below(5);
      if (deed < 3) {
        const std::uint64_t key = stream.below(1000);
        const Bytes bytes = deed == 0 ? plain(sectors, static_cast<std::uint8_t>(key)) : patterned(first, sectors, key);
        stores[which].write(first, sectors, bytes.data());
        for (std::uint32_t i = 0; i < sectors; ++i) {
          const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(i * kSector_bytes);
          maps[which][first + i] = Bytes(at, at + kSector_bytes);
        }
        continue;
      }
      for (std::uint64_t lba = first; lba < first + sectors; ++lba) {
        if (deed == 4 && maps[which].count(lba) != 0) maps[1 - which][lba] = maps[which][lba];
        maps[which].erase(lba);
      }
      if (deed == 3) stores[which].erase({first, first + sectors});
      if (deed == 4) stores[which].move_to(stores[1 - which], {first, first + sectors});
      for (int i = 0; i < 2; ++i) {
        for (std::uint64_t lba = 0; lba < 400; ++lba) {
          const auto known = maps[i].find(lba);
          ASSERT_EQ(stores[i].run_at(lba, 1).stored, known != maps[i].end()) << "seed " << seed << " LBA " << lba;
          if (known == maps[i].end()) continue;
          ASSERT_EQ(read(stores[i], lba, 1), known->second) << "seed " << seed << " LBA " << lba;
        }
        ASSERT_EQ(stores[i].empty(), maps[i].empty()) << "seed " << seed;
      }
    }
  }
}

TEST(DriveDurableTimes, ALaterWriteReplacesAPartOfAnEarlier) {
  DurableTimes times;
  times.set({10, 20}, 100);
  times.set({14, 16}, 200);
  EXPECT_EQ(times.since(9), std::nullopt);
  EXPECT_EQ(times.since(13), 100);
  EXPECT_EQ(times.since(14), 200);
  EXPECT_EQ(times.since(16), 100);
  EXPECT_EQ(times.since(20), std::nullopt);
  times.forget({0, 15});
  EXPECT_EQ(times.since(14), std::nullopt);
  EXPECT_EQ(times.since(15), 200);
  EXPECT_EQ(times.runs(), 2U);
}

}  // namespace
}  // namespace ncqlab::drive
