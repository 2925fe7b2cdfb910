// What a read may return, edge by edge; and planted errors with their texts.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "model/sim/random.h"
#include "testbench/oracle/data_oracle.h"
#include "testbench/oracle/pattern.h"

namespace ncqlab::oracle {
namespace {

constexpr sim::Time kNow = 12345678 * sim::kNanosecond;  // 12.345678 ms

std::vector<std::uint8_t> contents(std::uint64_t lba, std::uint32_t sectors, std::uint64_t generation) {
  std::vector<std::uint8_t> buffer(std::size_t{sectors} * kSector_bytes);
  fill(buffer.data(), lba, sectors, generation);
  return buffer;
}

class DataOracleTest : public testing::Test {
 protected:
  std::uint64_t write(std::uint64_t lba, std::uint32_t sectors) {
    const WriteTicket ticket = oracle_.write_submitted(lba, sectors);
    oracle_.write_completed(ticket, true);
    return ticket.generation;
  }
  bool read(std::uint64_t lba, const std::vector<std::uint8_t>& buffer) {
    const auto sectors = static_cast<std::uint32_t>(buffer.size() / kSector_bytes);
    return oracle_.read_completed(oracle_.read_submitted(lba, sectors), buffer.data(), kNow);
  }
  bool accepts(const ReadTicket& ticket, std::uint64_t generation) {
    return oracle_.read_completed(ticket, contents(ticket.lba, ticket.sectors, generation).data(), kNow);
  }
  std::string error() const { return oracle_.errors().empty() ? "" : oracle_.errors().back(); }

  DataOracle oracle_;
};

TEST_F(DataOracleTest, ADiskBeginsWithFactoryContents) { EXPECT_TRUE(read(100, contents(100, 8, kFactory))); }

TEST_F(DataOracleTest, ReadsStoreNothing) {
  for (std::uint64_t lba = 0; lba < 1000; lba += 8) read(lba, contents(lba, 8, kFactory));
  EXPECT_EQ(oracle_.stored_extents(), 0U);
  EXPECT_EQ(oracle_.sectors_checked(), 1000U);
}

TEST_F(DataOracleTest, AnAnsweredWriteIsWhatALaterReadMustReturn) {
  const std::uint64_t generation = write(100, 8);
  EXPECT_TRUE(read(100, contents(100, 8, generation)));
  EXPECT_FALSE(read(100, contents(100, 8, kFactory)));
}

TEST_F(DataOracleTest, AWriteCoversItsSectorsOnly) {
  const std::uint64_t generation = write(100, 8);
  EXPECT_TRUE(read(99, contents(99, 1, kFactory)));
  EXPECT_TRUE(read(108, contents(108, 1, kFactory)));
  EXPECT_FALSE(read(99, contents(99, 1, generation)));
  EXPECT_FALSE(read(108, contents(108, 1, generation)));
}

TEST_F(DataOracleTest, AReadAcrossSeveralWritesIsCheckedSectorBySector) {
  const std::uint64_t first = write(100, 8);
  const std::uint64_t second = write(104, 8);
  std::vector<std::uint8_t> buffer = contents(98, 20, kFactory);
  fill(buffer.data() + 2 * kSector_bytes, 100, 4, first);
  fill(buffer.data() + 6 * kSector_bytes, 104, 8, second);
  EXPECT_TRUE(read(98, buffer));
  fill(buffer.data() + 6 * kSector_bytes, 104, 1, first);
  EXPECT_FALSE(read(98, buffer));
  EXPECT_EQ(oracle_.bad_sectors(), 1U);
}

TEST_F(DataOracleTest, AWriteUnderWayMayBeSeenOrNot) {
  const std::uint64_t before = write(100, 1);
  const WriteTicket under_way = oracle_.write_submitted(100, 1);
  EXPECT_TRUE(accepts(oracle_.read_submitted(100, 1), before));
  EXPECT_TRUE(accepts(oracle_.read_submitted(100, 1), under_way.generation));
}

TEST_F(DataOracleTest, AReadSubmittedBeforeTheAnswerMayStillSeeTheOldAndOneSubmittedAfterItMayNot) {
  const std::uint64_t before = write(100, 1);
  const WriteTicket ticket = oracle_.write_submitted(100, 1);
  const ReadTicket early_old = oracle_.read_submitted(100, 1);
  const ReadTicket early_new = oracle_.read_submitted(100, 1);
  oracle_.write_completed(ticket, true);
  const ReadTicket late = oracle_.read_submitted(100, 1);
  EXPECT_TRUE(accepts(early_old, before));
  EXPECT_TRUE(accepts(early_new, ticket.generation));
  EXPECT_FALSE(accepts(late, before));
}

TEST_F(DataOracleTest, OfWritesThatOverlapInTimeEitherMayStay) {
  const WriteTicket a = oracle_.write_submitted(100, 1);
  const WriteTicket b = oracle_.write_submitted(100, 1);
  oracle_.write_completed(b, true);
  oracle_.write_completed(a, true);
  EXPECT_TRUE(accepts(oracle_.read_submitted(100, 1), a.generation));
  EXPECT_TRUE(accepts(oracle_.read_submitted(100, 1), b.generation));
  EXPECT_FALSE(accepts(oracle_.read_submitted(100, 1), kFactory));
}

TEST_F(DataOracleTest, AWriteSubmittedAfterTheAnswerReplacesBoth) {
  const WriteTicket a = oracle_.write_submitted(100, 1);
  const WriteTicket b = oracle_.write_submitted(100, 1);
  oracle_.write_completed(a, true);
  oracle_.write_completed(b, true);
  const std::uint64_t last = write(100, 1);
  EXPECT_FALSE(accepts(oracle_.read_submitted(100, 1), a.generation));
  EXPECT_FALSE(accepts(oracle_.read_submitted(100, 1), b.generation));
  EXPECT_TRUE(accepts(oracle_.read_submitted(100, 1), last));
}

TEST_F(DataOracleTest, AFailedWriteMayHaveHappenedOrNot) {
  const std::uint64_t before = write(100, 1);
  const WriteTicket failed = oracle_.write_submitted(100, 1);
  oracle_.write_completed(failed, false);
  EXPECT_TRUE(accepts(oracle_.read_submitted(100, 1), before));
  EXPECT_TRUE(accepts(oracle_.read_submitted(100, 1), failed.generation));
  const std::uint64_t after = write(100, 1);
  EXPECT_FALSE(accepts(oracle_.read_submitted(100, 1), failed.generation));
  EXPECT_TRUE(accepts(oracle_.read_submitted(100, 1), after));
}

TEST_F(DataOracleTest, AFailedReadIsNotChecked) {
  const std::uint64_t generation = write(100, 1);
  oracle_.read_failed(oracle_.read_submitted(100, 1));
  EXPECT_EQ(oracle_.bad_sectors(), 0U);
  EXPECT_TRUE(accepts(oracle_.read_submitted(100, 1), generation));
}

TEST_F(DataOracleTest, StorageDoesNotGrowWithRewritesOfTheSameSectors) {
  for (int round = 0; round < 100; ++round) {
    for (std::uint64_t lba = 0; lba < 64; lba += 8) write(lba, 8);
  }
  EXPECT_EQ(oracle_.stored_extents(), 8U);
  write(0, 64);
  EXPECT_EQ(oracle_.stored_extents(), 1U);
}

TEST_F(DataOracleTest, OlderGenerationsAreKeptOnlyWhileAReadMayReturnThem) {
  write(0, 8);
  const ReadTicket open = oracle_.read_submitted(4, 1);
  const std::uint64_t last = write(0, 8);
  EXPECT_TRUE(accepts(open, last - 1));
  write(8, 8);
  EXPECT_EQ(oracle_.stored_extents(), 2U);
  EXPECT_FALSE(accepts(oracle_.read_submitted(4, 1), last - 1));
}

TEST_F(DataOracleTest, ContentsOfAnotherLbaAreNamed) {
  write(100, 1);
  EXPECT_FALSE(read(100, contents(101, 1, kFactory)));
  EXPECT_EQ(error(), "LBA 100, read at 12.345678 ms: expected generation 1, found factory contents of LBA 101");
}

TEST_F(DataOracleTest, AnOldGenerationIsNamed) {
  write(100, 1);
  write(100, 1);
  EXPECT_FALSE(read(100, contents(100, 1, 1)));
  EXPECT_EQ(error(), "LBA 100, read at 12.345678 ms: expected generation 2, found generation 1, which was overwritten");
}

TEST_F(DataOracleTest, AGenerationFromNowhereIsNamed) {
  EXPECT_FALSE(read(100, contents(100, 1, 5)));
  EXPECT_EQ(error(),
            "LBA 100, read at 12.345678 ms: expected factory contents, found generation 5, which was never written");
}

TEST_F(DataOracleTest, ZerosAreNamed) {
  EXPECT_FALSE(read(100, std::vector<std::uint8_t>(kSector_bytes)));
  EXPECT_EQ(error(), "LBA 100, read at 12.345678 ms: expected factory contents, found zeros");
}

TEST_F(DataOracleTest, ATornSectorIsNamedWithBothHalves) {
  write(100, 1);
  const WriteTicket second = oracle_.write_submitted(100, 1);
  std::vector<std::uint8_t> buffer = contents(100, 1, second.generation);
  std::memcpy(buffer.data() + 256, contents(100, 1, 1).data() + 256, 256);
  EXPECT_FALSE(read(100, buffer));
  EXPECT_EQ(error(),
            "LBA 100, read at 12.345678 ms: expected generation 1 or generation 2, found a torn sector: generation 2 "
            "up to byte 256, generation 1 from there");
}

TEST_F(DataOracleTest, OnlyTheFirstErrorsAreTextAndAllAreCounted) {
  EXPECT_FALSE(read(0, std::vector<std::uint8_t>(100 * kSector_bytes)));
  EXPECT_EQ(oracle_.bad_sectors(), 100U);
  EXPECT_EQ(oracle_.errors().size(), DataOracle::kMaxTexts);
}

// The rule itself, evaluated over the whole history, for random overlapping requests of one sector.
struct PastWrite {
  WriteTicket ticket;
  std::uint64_t submitted;
  std::uint64_t completed;  // UINT64_MAX: not yet
};

bool rule_accepts(const std::vector<PastWrite>& writes, std::uint64_t read_submitted, const PastWrite& candidate) {
  for (const PastWrite& later : writes) {
    if (later.submitted > candidate.completed && later.completed < read_submitted) return false;
  }
  return true;
}

TEST(DataOracleProperty, AgreesWithTheRuleOverRandomHistories) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    sim::Stream stream(seed, "test/data_oracle");
    DataOracle oracle;
    std::vector<PastWrite> writes{{WriteTicket{}, 0, 0}};  // the factory's
    std::vector<std::pair<ReadTicket, std::uint64_t>> reads;
    std::uint64_t bad = 0;
    for (std::uint64_t now = 1; now < 120; ++now) {
      const std::uint64_t action = stream.below(4);
      if (action == 0) {
        writes.push_back({oracle.write_submitted(5, 1), now, UINT64_MAX});
      } else if (action == 1) {
        std::vector<PastWrite*> open;
        for (PastWrite& past : writes) {
          if (past.completed == UINT64_MAX) open.push_back(&past);
        }
        if (open.empty()) continue;
        PastWrite& ending = *open[stream.below(open.size())];
        ending.completed = now;
        oracle.write_completed(ending.ticket, true);
      } else if (action == 2) {
        reads.emplace_back(oracle.read_submitted(5, 1), now);
      } else if (!reads.empty()) {
        const std::size_t index = stream.below(reads.size());
        const PastWrite& returned = writes[stream.below(writes.size())];
        const auto buffer = contents(5, 1, returned.ticket.generation);
        const bool expected = rule_accepts(writes, reads[index].second, returned);
        EXPECT_EQ(oracle.read_completed(reads[index].first, buffer.data(), 0), expected) << "seed " << seed;
        bad += expected ? 0U : 1U;
        reads.erase(reads.begin() + static_cast<std::ptrdiff_t>(index));
      }
    }
    EXPECT_EQ(oracle.bad_sectors(), bad) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ncqlab::oracle
