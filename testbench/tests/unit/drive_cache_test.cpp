// Read segments and dirty extents, each also against a reference that keeps a mark for every sector.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/drive/cache/read_segments.h"
#include "model/drive/cache/write_cache.h"
#include "model/sim/random.h"

namespace ncqlab::drive {
namespace {

// ---- read segments

bool holds(ReadSegments& segments, std::uint64_t lba) { return segments.find(lba) != nullptr; }

TEST(DriveReadSegments, NothingIsFoundAtFirst) {
  ReadSegments segments(2, 100);
  EXPECT_FALSE(holds(segments, 0));
}

TEST(DriveReadSegments, ARunIsFoundFromItsFirstToItsLastSector) {
  ReadSegments segments(2, 100);
  segments.store(10, 20);
  EXPECT_FALSE(holds(segments, 9));
  EXPECT_TRUE(holds(segments, 10));
  EXPECT_TRUE(holds(segments, 19));
  EXPECT_FALSE(holds(segments, 20));
}

TEST(DriveReadSegments, AnEmptyRunIsNotKept) {
  ReadSegments segments(1, 100);
  segments.store(10, 20);
  segments.store(50, 50);
  EXPECT_TRUE(holds(segments, 10));
}

TEST(DriveReadSegments, ARunThatTouchesASegmentContinuesIt) {
  ReadSegments segments(2, 100);
  segments.store(10, 20);
  segments.store(20, 30);
  EXPECT_EQ(segments.find(10)->end, 30U);
}

TEST(DriveReadSegments, ARunWithAGapMakesAnotherSegment) {
  ReadSegments segments(2, 100);
  segments.store(10, 20);
  segments.store(21, 30);
  EXPECT_EQ(segments.find(10)->end, 20U);
  EXPECT_EQ(segments.find(21)->first, 21U);
}

TEST(DriveReadSegments, ARunWithinASegmentDoesNotShortenIt) {
  ReadSegments segments(2, 100);
  segments.store(10, 40);
  segments.store(15, 20);
  EXPECT_EQ(segments.find(10)->end, 40U);
}

TEST(DriveReadSegments, OfALongRunTheLastPartIsKept) {
  ReadSegments segments(2, 100);
  segments.store(0, 101);
  EXPECT_FALSE(holds(segments, 0));
  EXPECT_TRUE(holds(segments, 1));
}

TEST(DriveReadSegments, TheLeastRecentlyUsedIsReplaced) {
  ReadSegments segments(2, 100);
  segments.store(100, 110);
  segments.store(200, 210);
  segments.find(100);
  segments.store(300, 310);
  EXPECT_TRUE(holds(segments, 100));
  EXPECT_FALSE(holds(segments, 200));
  EXPECT_TRUE(holds(segments, 300));
}

TEST(DriveReadSegments, DroppingForgetsASegmentThatOverlaps) {
  ReadSegments segments(2, 100);
  segments.store(10, 20);
  segments.store(50, 60);
  segments.drop(19, 50);
  EXPECT_FALSE(holds(segments, 10));
  EXPECT_TRUE(holds(segments, 50));
}

TEST(DriveReadSegments, DroppingNextToASegmentLeavesIt) {
  ReadSegments segments(1, 100);
  segments.store(10, 20);
  segments.drop(0, 10);
  segments.drop(20, 30);
  EXPECT_TRUE(holds(segments, 10));
}

TEST(DriveReadSegments, ClearForgetsAll) {
  ReadSegments segments(2, 100);
  segments.store(10, 20);
  segments.clear();
  EXPECT_FALSE(holds(segments, 10));
}

TEST(DriveReadSegments, WithoutSegmentsNothingIsKept) {
  ReadSegments segments(0, 100);
  segments.store(10, 20);
  EXPECT_FALSE(holds(segments, 10));
}

TEST(DriveReadSegments, WhoNeedsRoomTakesItFromTheLeastRecentlyUsed) {
  ReadSegments segments(3, 100);
  for (const std::uint64_t first : {100, 200, 300}) segments.store(first, first + 10);
  segments.find(100);
  segments.keep_within(20);
  EXPECT_TRUE(holds(segments, 100));
  EXPECT_FALSE(holds(segments, 200));
  EXPECT_TRUE(holds(segments, 300));
}

TEST(DriveReadSegments, WhatJustFitsIsKept) {
  ReadSegments segments(2, 100);
  segments.store(100, 110);
  segments.store(200, 210);
  segments.keep_within(20);
  EXPECT_TRUE(holds(segments, 100));
  segments.keep_within(0);
  EXPECT_FALSE(holds(segments, 200));
}

// ---- dirty extents

TEST(DriveDirtyExtents, AreEmptyAtFirst) {
  const DirtyExtents dirty(100, 0);
  EXPECT_TRUE(dirty.empty());
  EXPECT_EQ(dirty.dirty_sectors(), 0U);
}

TEST(DriveDirtyExtents, AdjacentOnesAreJoined) {
  DirtyExtents dirty(100, 0);
  dirty.add(10, 20);
  dirty.add(30, 40);
  dirty.add(20, 30);
  EXPECT_EQ(dirty.entries(), 1U);
  EXPECT_EQ(dirty.dirty_sectors(), 30U);
}

TEST(DriveDirtyExtents, OverlapsCountOnce) {
  DirtyExtents dirty(100, 0);
  dirty.add(10, 20);
  dirty.add(15, 25);
  EXPECT_EQ(dirty.entries(), 1U);
  EXPECT_EQ(dirty.dirty_sectors(), 15U);
}

TEST(DriveDirtyExtents, OneSectorApartStaysApart) {
  DirtyExtents dirty(100, 0);
  dirty.add(10, 20);
  dirty.add(21, 30);
  EXPECT_EQ(dirty.entries(), 2U);
}

TEST(DriveDirtyExtents, RemovingTheMiddleSplits) {
  DirtyExtents dirty(100, 0);
  dirty.add(10, 40);
  dirty.remove(20, 30);
  EXPECT_EQ(dirty.entries(), 2U);
  EXPECT_EQ(dirty.dirty_sectors(), 20U);
  EXPECT_TRUE(dirty.covers(10, 20));
  EXPECT_TRUE(dirty.covers(30, 40));
}

TEST(DriveDirtyExtents, CoverageIsWholeOrNothing) {
  DirtyExtents dirty(100, 0);
  dirty.add(10, 20);
  EXPECT_TRUE(dirty.covers(10, 20));
  EXPECT_TRUE(dirty.covers(15, 16));
  EXPECT_FALSE(dirty.covers(9, 11));
  EXPECT_FALSE(dirty.covers(19, 21));
}

TEST(DriveDirtyExtents, TakingTheWholeLeavesNothing) {
  DirtyExtents dirty(100, 0);
  dirty.add(10, 20);
  const Extent taken = dirty.take(10, 10);
  EXPECT_EQ(taken.first, 10U);
  EXPECT_EQ(taken.end, 20U);
  EXPECT_TRUE(dirty.empty());
}

TEST(DriveDirtyExtents, TakingAPartLeavesTheRest) {
  DirtyExtents dirty(100, 0);
  dirty.add(10, 20);
  EXPECT_EQ(dirty.take(10, 9).end, 19U);
  EXPECT_TRUE(dirty.covers(19, 20));
  EXPECT_EQ(dirty.dirty_sectors(), 1U);
}

TEST(DriveDirtyExtents, RoomIsForExactlyTheLimit) {
  DirtyExtents dirty(100, 0);
  dirty.add(0, 60);
  EXPECT_TRUE(dirty.has_room_for(40, 1));
  EXPECT_FALSE(dirty.has_room_for(41, 1));
}

TEST(DriveDirtyExtents, WhatIsBeingDestagedKeepsItsRoomUntilItIsOnThePlatter) {
  DirtyExtents dirty(100, 0);
  dirty.add(0, 60);
  const Extent taken = dirty.take(0, 60);
  EXPECT_FALSE(dirty.has_room_for(41, 1));
  dirty.destaged(taken);
  EXPECT_TRUE(dirty.has_room_for(100, 1));
}

TEST(DriveDirtyExtents, EntriesAreLimitedWhateverTheirSize) {
  DirtyExtents dirty(100, 2);
  dirty.add(0, 1);
  EXPECT_TRUE(dirty.has_room_for(1, 1));
  EXPECT_FALSE(dirty.has_room_for(2, 2));
  dirty.add(10, 11);
  EXPECT_FALSE(dirty.has_room_for(1, 1));
}

TEST(DriveDirtyExtents, ThatDoNotCoalesceStayApart) {
  DirtyExtents dirty(100, 0, false);
  dirty.add(10, 20);
  dirty.add(20, 30);
  EXPECT_EQ(dirty.entries(), 2U);
  EXPECT_TRUE(dirty.covers(10, 30));
  dirty.add(15, 25);  // the newer data replace the ends of both
  EXPECT_EQ(dirty.entries(), 3U);
  EXPECT_EQ(dirty.dirty_sectors(), 20U);
}

TEST(DriveDirtyExtents, TheLowestRunWithinARangeIsCutToIt) {
  DirtyExtents dirty(100, 0);
  dirty.add(10, 20);
  dirty.add(30, 40);
  const auto cut = dirty.first_within(15, 18);
  ASSERT_TRUE(cut.has_value());
  EXPECT_EQ(cut->first, 15U);
  EXPECT_EQ(cut->end, 18U);
  EXPECT_EQ(dirty.first_within(20, 35)->first, 30U);
  EXPECT_FALSE(dirty.first_within(20, 30).has_value());
}

TEST(DriveDirtyExtents, DirtyEndsAreTakenOffARange) {
  DirtyExtents dirty(100, 0);
  dirty.add(10, 20);
  dirty.add(25, 27);
  dirty.add(30, 40);
  const Extent left = dirty.without_dirty_ends({15, 35});
  EXPECT_EQ(left.first, 20U);
  EXPECT_EQ(left.end, 30U);
  EXPECT_EQ(dirty.without_dirty_ends({12, 18}).sectors(), 0U);
  EXPECT_EQ(dirty.without_dirty_ends({20, 25}).sectors(), 5U);
}

TEST(DriveDirtyExtents, TakingFromTheMiddleLeavesBothEnds) {
  DirtyExtents dirty(100, 0);
  dirty.add(10, 40);
  const Extent taken = dirty.take(20, 10);
  EXPECT_EQ(taken.first, 20U);
  EXPECT_EQ(taken.end, 30U);
  EXPECT_TRUE(dirty.covers(10, 20));
  EXPECT_TRUE(dirty.covers(30, 40));
  EXPECT_EQ(dirty.held_sectors(), 30U);
}

TEST(DriveDirtyExtents, AVisitGoesUpwardsAndAround) {
  DirtyExtents dirty(1000, 0);
  for (const std::uint64_t first : {10, 30, 50}) dirty.add(first, first + 5);
  std::vector<std::uint64_t> seen;
  dirty.visit_from(31, 10, [&](const Extent& extent) { seen.push_back(extent.first); });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{50, 10, 30}));
}

TEST(DriveDirtyExtents, AVisitSeesAtMostTheCount) {
  DirtyExtents dirty(1000, 0);
  for (const std::uint64_t first : {10, 30, 50}) dirty.add(first, first + 5);
  std::vector<std::uint64_t> seen;
  dirty.visit_from(10, 2, [&](const Extent& extent) { seen.push_back(extent.first); });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{10, 30}));
}

TEST(DriveDirtyExtents, AgreeWithAMarkForEverySector) {
  constexpr std::uint64_t kSectors = 200;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    sim::Stream stream(seed, "test/dirty");
    DirtyExtents dirty(kSectors, 0);
    std::vector<bool> marks(kSectors, false);
    for (int step = 0; step < 200; ++step) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " step " + std::to_string(step));
      const std::uint64_t first = stream.below(kSectors);
      const std::uint64_t end = first + 1 + stream.below(std::min<std::uint64_t>(30, kSectors - first));
      switch (stream.below(3)) {
        case 0:
          dirty.add(first, end);
          for (std::uint64_t i = first; i < end; ++i) marks[i] = true;
          break;
        case 1:
          dirty.remove(first, end);
          for (std::uint64_t i = first; i < end; ++i) marks[i] = false;
          break;
        default: {
          std::uint64_t chosen = kSectors;
          dirty.visit_from(first, 1, [&](const Extent& extent) { chosen = extent.first; });
          if (chosen == kSectors) break;
          const Extent taken = dirty.take(chosen, end - first);
          for (std::uint64_t i = taken.first; i < taken.end; ++i) {
            ASSERT_TRUE(marks[i]);
            marks[i] = false;
          }
          dirty.destaged(taken);
        }
      }
      ASSERT_EQ(dirty.dirty_sectors(), static_cast<std::uint64_t>(std::count(marks.begin(), marks.end(), true)));
      std::uint64_t runs = 0;
      for (std::uint64_t i = 0; i < kSectors; ++i) runs += marks[i] && (i == 0 || !marks[i - 1]) ? 1 : 0;
      ASSERT_EQ(dirty.entries(), runs);
      const auto marked = std::all_of(marks.begin() + static_cast<std::ptrdiff_t>(first),
                                      marks.begin() + static_cast<std::ptrdiff_t>(end), [](bool m) { return m; });
      ASSERT_EQ(dirty.covers(first, end), marked);
    }
  }
}

TEST(DriveReadSegments, NeverHoldWhatWasNotStoredOrWasDropped) {
  constexpr std::uint64_t kSectors = 300;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    sim::Stream stream(seed, "test/segments");
    ReadSegments segments(3, 40);
    std::vector<bool> stored(kSectors, false);
    for (int step = 0; step < 100; ++step) {
      const std::uint64_t first = stream.below(kSectors);
      const std::uint64_t end = first + 1 + stream.below(std::min<std::uint64_t>(60, kSectors - first));
      const bool store = stream.below(3) != 0;
      for (std::uint64_t i = first; i < end; ++i) stored[i] = store;
      if (store) {
        segments.store(first, end);
        ASSERT_TRUE(holds(segments, end - 1)) << "seed " << seed << " step " << step;
      } else {
        segments.drop(first, end);
      }
      for (std::uint64_t lba = 0; lba < kSectors; ++lba) {
        ASSERT_TRUE(stored[lba] || !holds(segments, lba)) << "seed " << seed << " step " << step << " LBA " << lba;
      }
    }
  }
}

}  // namespace
}  // namespace ncqlab::drive
