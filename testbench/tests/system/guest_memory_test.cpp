// The whole path over guest memory that real machines have: anywhere, scattered, without coherence.
#include "testbench/tests/system/rig_support.h"

namespace ncqlab {
namespace {

workload::JobOptions mixed_job() {
  workload::JobOptions options;
  options.rw = workload::Pattern::randrw;
  options.iodepth = 31;
  options.requests = 300;
  options.bs_bytes = 20'480;
  options.size_bytes = 16 << 20;  // so that reads meet what was written
  return options;
}

// Notes where the controller's DMA goes.
class AddressWatch final : public sim::Observer {
 public:
  void on_record(const sim::Record& record) override {
    if (record.kind != sim::Kind::dma_read && record.kind != sim::Kind::dma_write) return;
    lowest = std::min(lowest, record.a);
    highest = std::max(highest, record.a);
    longest = std::max(longest, record.b);
  }
  std::uint64_t lowest = UINT64_MAX;
  std::uint64_t highest = 0;
  std::uint64_t longest = 0;  // of the data's pieces: the page
};

class MemoryWindow : public testing::TestWithParam<lab::HostKind> {};

TEST_P(MemoryWindow, ByDefaultAboveFourGibibytesAndInPages) {
  AddressWatch watch;
  test::Rig rig(test::shipped_rig(GetParam()));
  rig.machine().trace().add_observer(&watch);
  EXPECT_EQ(test::run_job(rig, mixed_job()).failed, 0U);
  EXPECT_GE(watch.lowest, 0x1'0000'0000U);
  EXPECT_EQ(watch.longest, 4096U);
}

TEST_P(MemoryWindow, BelowFourGibibytesForAControllerWithoutLongAddresses) {
  lab::RigSpec spec = test::shipped_rig(GetParam());
  spec.controller.capabilities.addresses_64bit = false;
  AddressWatch watch;
  test::Rig rig(spec);
  rig.machine().trace().add_observer(&watch);
  EXPECT_EQ(test::run_job(rig, mixed_job()).failed, 0U);
  EXPECT_LT(watch.highest, 0x1'0000'0000U);
}

TEST_P(MemoryWindow, AboveFortyThreeBitsWhenAskedFor) {
  lab::RigSpec spec = test::shipped_rig(GetParam());
  spec.memory = host::MemoryOptions::above_43_bits();
  AddressWatch watch;
  test::Rig rig(spec);
  rig.machine().trace().add_observer(&watch);
  EXPECT_EQ(test::run_job(rig, mixed_job()).failed, 0U);
  EXPECT_NE(watch.lowest >> 43, 0U);
}

INSTANTIATE_TEST_SUITE_P(Hosts, MemoryWindow, testing::ValuesIn(test::hosts()), test::host_name);

// ---- without coherence

// The seam with one kind of call left out, as by a driver that forgets it.
class Forgetful final : public driver::Platform {
 public:
  enum class Forgets { nothing, list_sync, table_sync, cpu_sync, barrier };

  Forgetful(lab::InProcessCpu& cpu, Forgets forgets) : cpu_(cpu), forgets_(forgets) {}

  std::uint32_t read32(std::uint32_t offset) override { return cpu_.read32(offset); }
  void write32(std::uint32_t offset, std::uint32_t value) override { cpu_.write32(offset, value); }
  bool allocate_dma(std::size_t bytes, std::size_t alignment, driver::DmaMemory& out) override {
    return cpu_.allocate_dma(bytes, alignment, out);
  }
  void sync_for_device(const driver::DmaMemory& memory, std::size_t offset, std::size_t bytes) override {
    const bool header = bytes == 32;  // a command header (AHCI 1.3.1, 4.2.2); tables are longer
    if (forgets_ == (header ? Forgets::list_sync : Forgets::table_sync)) return;
    cpu_.sync_for_device(memory, offset, bytes);
  }
  void sync_for_cpu(const driver::DmaMemory& memory, std::size_t offset, std::size_t bytes) override {
    if (forgets_ != Forgets::cpu_sync) cpu_.sync_for_cpu(memory, offset, bytes);
  }
  void write_barrier() override {
    if (forgets_ != Forgets::barrier) cpu_.write_barrier();
  }
  std::uint64_t now_ns() override { return cpu_.now_ns(); }
  void set_timer(std::uint64_t deadline_ns) override { cpu_.set_timer(deadline_ns); }
  void delay_ns(std::uint32_t ns) override { cpu_.delay_ns(ns); }
  void mask_interrupt() override { cpu_.mask_interrupt(); }
  void unmask_interrupt() override { cpu_.unmask_interrupt(); }
  void log(driver::LogLevel, const char*) override {}

 private:
  lab::InProcessCpu& cpu_;
  Forgets forgets_;
};

// Whether the driver, behind such a seam, gets the drive to work.
bool attaches(Forgetful::Forgets forgets, bool non_coherent) {
  lab::MachineSpec spec;
  spec.controller = config::load_controller_profile("generic");
  spec.drives = {{0, config::load_drive_profile("st31000340as"), {1}, true}};
  spec.non_coherent = non_coherent;
  lab::Machine machine(spec);
  lab::InProcessCpu cpu(machine);
  Forgetful seam(cpu, forgets);
  return cpu.attach({}, 300 * sim::kSecond, &seam) && cpu.ahci().device(0) != nullptr &&
         cpu.ahci().device(0)->sectors == spec.drives[0].profile.capacity_sectors;
}

TEST(ForgottenSyncs, NothingForgottenWorks) { EXPECT_TRUE(attaches(Forgetful::Forgets::nothing, true)); }

TEST(ForgottenSyncs, EachIsFoundWithoutCoherence) {
  EXPECT_FALSE(attaches(Forgetful::Forgets::list_sync, true));
  EXPECT_FALSE(attaches(Forgetful::Forgets::table_sync, true));
  EXPECT_FALSE(attaches(Forgetful::Forgets::cpu_sync, true));
  EXPECT_FALSE(attaches(Forgetful::Forgets::barrier, true));
}

TEST(ForgottenSyncs, NoneIsNoticedOnACoherentMachine) {
  EXPECT_TRUE(attaches(Forgetful::Forgets::list_sync, false));
  EXPECT_TRUE(attaches(Forgetful::Forgets::table_sync, false));
  EXPECT_TRUE(attaches(Forgetful::Forgets::cpu_sync, false));
  EXPECT_TRUE(attaches(Forgetful::Forgets::barrier, false));
}

TEST(NonCoherentMachine, AReaderWhoForgetsItsOwnSyncSeesOldData) {
  lab::RigSpec spec = test::shipped_rig();
  spec.non_coherent = true;
  test::Rig rig(spec);
  host::Memory& memory = rig.machine().memory();
  const host::Block buffer = memory.allocate(512, 512);
  driver::Segment segment{buffer.address, 512};
  bool answered = false;
  driver::Request request;
  request.context = &answered;
  request.done = [](driver::Request& r) { *static_cast<bool*>(r.context) = true; };
  request.lba = 4711;
  request.sectors = 1;
  request.segments = &segment;
  request.segment_count = 1;
  ASSERT_TRUE(rig.cpu().ahci().submit(0, request));
  ASSERT_TRUE(rig.cpu().run([&answered] { return answered; }));
  EXPECT_EQ(oracle::matching_sectors(buffer.cpu, request.lba, 1, oracle::kFactory), 0U);
  memory.sync_for_cpu(buffer.address, 512);
  EXPECT_EQ(oracle::matching_sectors(buffer.cpu, request.lba, 1, oracle::kFactory), 1U);
}

}  // namespace
}  // namespace ncqlab
