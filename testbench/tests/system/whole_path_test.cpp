// The whole path: driver core, registers, DMA, FIS, link, drive and back, with the oracles watching.
#include "testbench/tests/system/rig_support.h"

namespace ncqlab {
namespace {

using test::run_job;
using test::shipped_rig;

// On every host, with memory that is coherent and with memory that is not.
class WholePath : public testing::TestWithParam<std::tuple<lab::HostKind, bool>> {
 protected:
  static lab::RigSpec whole_rig() {
    lab::RigSpec spec = shipped_rig(std::get<0>(GetParam()));
    spec.non_coherent = std::get<1>(GetParam());
    return spec;
  }
};

std::string variant_name(const testing::TestParamInfo<std::tuple<lab::HostKind, bool>>& info) {
  const auto [host, non_coherent] = info.param;
  return std::string(host == lab::HostKind::bare ? "Bare" : "Systemc") + (non_coherent ? "NonCoherent" : "Coherent");
}

workload::JobOptions job(workload::Pattern rw, unsigned iodepth, std::uint64_t requests) {
  workload::JobOptions options;
  options.rw = rw;
  options.iodepth = iodepth;
  options.requests = requests;
  options.size_bytes = 64 << 20;  // so that reads meet what was written
  return options;
}

TEST_P(WholePath, QueuedReadsReturnWhatWasWrittenAtEveryDepth) {
  for (const unsigned depth : {1U, 2U, 31U, 32U}) {
    test::Rig rig(whole_rig());
    const workload::JobResult result = run_job(rig, job(workload::Pattern::randrw, depth, 400));
    EXPECT_EQ(result.reads + result.writes, 400U);
    EXPECT_EQ(result.failed, 0U);
  }
}

TEST_P(WholePath, NonQueuedReadsReturnWhatWasWritten) {
  lab::RigSpec spec = whole_rig();
  spec.driver.use_ncq = false;
  test::Rig rig(spec);
  EXPECT_EQ(rig.depth(), 1U);
  EXPECT_EQ(run_job(rig, job(workload::Pattern::randrw, 4, 300)).failed, 0U);
}

TEST_P(WholePath, EverySizeThatOneCommandAllows) {
  // Around one sector, one Data FIS (16 sectors) and the largest counts; 65536 is coded as 0.
  for (const std::uint32_t sectors : {1U, 2U, 15U, 16U, 17U, 31U, 33U, 255U, 256U, 257U, 65535U, 65536U}) {
    for (const bool ncq : {true, false}) {
      lab::RigSpec spec = whole_rig();
      spec.driver.use_ncq = ncq;
      test::Rig rig(spec);
      workload::JobOptions options = job(workload::Pattern::readwrite, 2, 4);
      options.bs_bytes = std::uint64_t{sectors} * 512;
      options.size_bytes = 4 * options.bs_bytes;
      EXPECT_EQ(run_job(rig, options).failed, 0U) << sectors << " sectors, NCQ " << ncq;
    }
  }
}

TEST_P(WholePath, WritesWithFuaAndFlushes) {
  test::Rig rig(whole_rig());
  workload::JobOptions options = job(workload::Pattern::randwrite, 8, 100);
  options.fua = true;
  options.fsync_every_writes = 10;
  const workload::JobResult result = run_job(rig, options);
  EXPECT_EQ(result.writes, 100U);
  EXPECT_GE(result.flushes, 9U);
  EXPECT_EQ(rig.drive().disk().dirty_sectors(), 0U);
}

TEST_P(WholePath, WriteCacheOff) {
  lab::RigSpec spec = whole_rig();
  spec.write_cache = false;
  test::Rig rig(spec);
  EXPECT_EQ(run_job(rig, job(workload::Pattern::randrw, 16, 200)).failed, 0U);
  EXPECT_EQ(rig.drive().disk().dirty_sectors(), 0U);
}

TEST_P(WholePath, AControllerWithALevelTriggeredInterrupt) {
  lab::RigSpec spec = whole_rig();
  spec.controller.interrupt = hba::InterruptKind::intx;
  test::Rig rig(spec);
  EXPECT_EQ(run_job(rig, job(workload::Pattern::randrw, 8, 200)).failed, 0U);
}

TEST_P(WholePath, AControllerWithFewSlotsLimitsTheDepth) {
  lab::RigSpec spec = whole_rig();
  spec.controller.command_slots = 4;
  test::Rig rig(spec);
  EXPECT_EQ(rig.depth(), 4U);
  EXPECT_EQ(run_job(rig, job(workload::Pattern::randread, 32, 100)).failed, 0U);
}

TEST_P(WholePath, TheSlowestLinkCarriesTheSameData) {
  lab::RigSpec spec = whole_rig();
  spec.controller.generation = 1;
  test::Rig rig(spec);
  EXPECT_EQ(run_job(rig, job(workload::Pattern::randrw, 8, 200)).failed, 0U);
}

TEST_P(WholePath, ReadsOfNeverWrittenSectorsReturnTheFactoryPatternOfTheirLba) {
  test::Rig rig(whole_rig());
  workload::JobOptions options = job(workload::Pattern::randread, 31, 300);
  options.size_bytes = 0;
  run_job(rig, options);
  EXPECT_EQ(rig.disk().sectors_checked(), 300U * 8);
}

INSTANTIATE_TEST_SUITE_P(Hosts, WholePath, testing::Combine(testing::ValuesIn(test::hosts()), testing::Bool()),
                         variant_name);

// Odd scatter lists go through the driver's own interface: the block device hands out pages.
TEST(ScatterLists, PiecesOfAnyEvenLengthAtAnyEvenAddress) {
  test::Rig rig(shipped_rig());
  host::Block memory = rig.machine().memory().allocate(1 << 20, 4096);
  const std::uint32_t lengths[] = {2, 510, 1022, 2, 8190, 4096, 6, 3836, 14};
  std::vector<driver::Segment> segments;
  std::uint64_t address = memory.address + 6;
  std::uint32_t total = 0;
  for (const std::uint32_t length : lengths) {
    segments.push_back({address, length});
    address += length + 34;  // holes between the pieces stay untouched
    total += length;
  }
  const std::uint32_t rest = (512 - total % 512) % 512;
  if (rest != 0) segments.push_back({address, rest});
  total += rest;

  struct Answer {
    bool given = false;
  } answer;
  driver::Request request;
  request.context = &answer;
  request.done = [](driver::Request& r) { static_cast<Answer*>(r.context)->given = true; };
  request.lba = 123'456'789;
  request.sectors = total / 512;
  request.segments = segments.data();
  request.segment_count = static_cast<std::uint32_t>(segments.size());
  ASSERT_TRUE(rig.cpu().ahci().submit(0, request));
  ASSERT_TRUE(rig.cpu().run([&answer] { return answer.given; }));
  ASSERT_EQ(request.status, driver::Status::ok);

  std::vector<std::uint8_t> gathered;
  for (const driver::Segment& segment : segments) {
    const std::uint8_t* bytes = memory.cpu + (segment.bus_address - memory.address);
    gathered.insert(gathered.end(), bytes, bytes + segment.bytes);
    EXPECT_EQ(bytes[-1], 0) << "the byte before a piece was touched";
    EXPECT_EQ(bytes[segment.bytes], 0) << "the byte behind a piece was touched";
  }
  EXPECT_EQ(oracle::matching_sectors(gathered.data(), request.lba, request.sectors, oracle::kFactory), request.sectors);
}

TEST(Refusals, APortWithoutADriveOrWithTwoIsNamed) {
  lab::MachineSpec spec;
  spec.controller = config::load_controller_profile("generic");
  const drive::Profile profile = config::load_drive_profile("st31000340as");
  spec.drives = {{9, profile, {}, true}};
  EXPECT_THROW(lab::Machine machine(spec), std::invalid_argument);
  spec.drives = {{0, profile, {}, true}, {0, profile, {}, true}};
  EXPECT_THROW(lab::Machine machine(spec), std::invalid_argument);
}

}  // namespace
}  // namespace ncqlab
