// The host bus in front of a whole machine: every kind carries the same data, and the processor's accesses arrive when
// the profile says so.
#include "testbench/tests/system/rig_support.h"

namespace ncqlab {
namespace {

using sim::kMicrosecond;
using sim::kNanosecond;

constexpr std::uint32_t kCAP = 0x00;        // AHCI 1.3.1, 3.1.1: reads are harmless
constexpr std::uint32_t kCCC_PORTS = 0x18;  // 3.1.7: nobody looks at it while coalescing is off
constexpr std::uint32_t kPI = 0x0C;         // 3.1.4: read only, writes are dropped

host::BusProfile named(host::BusKind kind) {
  host::BusProfile bus = config::load_controller_profile("generic").bus;
  bus.kind = kind;
  if (kind == host::BusKind::pci_x) bus.pci.clock_mhz = 66;
  return bus;
}

// ---- data and order

class EveryKindOfBus : public testing::TestWithParam<host::BusKind> {};

TEST_P(EveryKindOfBus, CarriesTheDataAndGivesEveryHostTheSameFingerprint) {
  std::vector<std::uint64_t> fingerprints;
  for (const lab::HostKind host : test::hosts()) {
    lab::RigSpec spec = test::shipped_rig(host);
    spec.controller.bus = named(GetParam());
    test::Rig rig(spec);
    workload::JobOptions options;
    options.rw = workload::Pattern::randrw;
    options.iodepth = 31;
    options.requests = 300;
    options.bs_bytes = 12'288;
    EXPECT_EQ(test::run_job(rig, options).failed, 0U);
    fingerprints.push_back(rig.machine().fingerprint());
  }
  for (const std::uint64_t fingerprint : fingerprints) EXPECT_EQ(fingerprint, fingerprints.front());
}

std::string kind_name(const testing::TestParamInfo<host::BusKind>& info) {
  static constexpr const char* kNames[] = {"Custom", "Pci", "PciX", "Pcie"};
  return kNames[static_cast<std::size_t>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKindOfBus,
                         testing::Values(host::BusKind::custom, host::BusKind::pci, host::BusKind::pci_x,
                                         host::BusKind::pcie),
                         kind_name);

// Bytes per second of sequential reads on each of two ports at once.
std::vector<double> two_ports_at_once(const host::BusProfile& bus) {
  lab::MachineSpec spec;
  spec.controller = config::load_controller_profile("generic");
  spec.controller.bus = bus;
  const drive::Profile profile = config::load_drive_profile("st31000340as");
  spec.drives = {{0, profile, {1}, true}, {1, profile, {1}, true}};
  lab::Machine machine(spec);
  lab::InProcessCpu cpu(machine);
  EXPECT_TRUE(cpu.attach({}));
  workload::JobOptions options;
  options.rw = workload::Pattern::read;
  options.bs_bytes = 1 << 20;
  options.requests = 100;
  options.iodepth = 8;
  workload::HostOptions host;
  host.queue_depth = 8;
  lab::DriverDisk disks[] = {{cpu, 0}, {cpu, 1}};
  workload::Job jobs[] = {workload::Job(options), workload::Job(options)};
  workload::HostLayer layers[] = {{disks[0], host}, {disks[1], host}};
  for (std::size_t i = 0; i < 2; ++i) layers[i].start(jobs[i]);
  EXPECT_TRUE(cpu.run([&] { return jobs[0].finished() && jobs[1].finished(); }));
  return {jobs[0].result().bytes_per_second(), jobs[1].result().bytes_per_second()};
}

TEST(PortsOnOneBus, ShareASlowBusInHalves) {
  const std::vector<double> rates = two_ports_at_once(named(host::BusKind::pci));  // 133 MB/s before overhead
  EXPECT_LT(rates[0] + rates[1], 133e6);
  EXPECT_GT(rates[0] + rates[1], 90e6);
  EXPECT_NEAR(rates[0] / rates[1], 1.0, 0.1);
}

TEST(PortsOnOneBus, DoNotHinderEachOtherOnAFastOne) {
  host::BusProfile fast = named(host::BusKind::pcie);
  fast.pcie.lanes = 4;
  const std::vector<double> rates = two_ports_at_once(fast);
  EXPECT_GT(rates[0] + rates[1], 190e6);  // the media's rate, twice
}

// ---- register accesses

struct Access {
  bool read;
  std::uint32_t offset;
  sim::Time time;
  bool operator==(const Access& other) const {
    return read == other.read && offset == other.offset && time == other.time;
  }
};

void PrintTo(const Access& access, std::ostream* out) {
  *out << (access.read ? "read " : "write ") << access.offset << " at " << access.time;
}

class AccessWatch final : public sim::Observer {
 public:
  void on_record(const sim::Record& record) override {
    const bool read = record.kind == sim::Kind::register_read;
    if (!read && record.kind != sim::Kind::register_write) return;
    accesses.push_back({read, static_cast<std::uint32_t>(record.a), record.time});
  }
  std::vector<Access> accesses;
};

class RegisterAccess : public testing::TestWithParam<lab::HostKind> {
 protected:
  // 300 ns to the controller and back each, 250 ns for a write.
  void make(const host::BusProfile& bus) {
    lab::MachineSpec spec;
    spec.host = GetParam();
    spec.controller = config::load_controller_profile("generic");
    spec.controller.bus = bus;
    machine_ = std::make_unique<lab::Machine>(spec);
    machine_->trace().add_observer(&watch_);
    cpu_ = std::make_unique<lab::InProcessCpu>(*machine_);
    start_ = now();
  }
  void make_holding(sim::Time held) {
    host::BusProfile bus = named(host::BusKind::custom);
    bus.posted_writes_held = held;
    make(bus);
  }
  sim::Time now() { return machine_->queue().now(); }
  void wait_until(sim::Time when) {
    cpu_->run([] { return false; }, start_ + when);
  }
  Access read(std::uint32_t offset, sim::Time time) const { return {true, offset, start_ + time}; }
  Access write(std::uint32_t offset, sim::Time time) const { return {false, offset, start_ + time}; }

  AccessWatch watch_;
  std::unique_ptr<lab::Machine> machine_;
  std::unique_ptr<lab::InProcessCpu> cpu_;
  sim::Time start_ = 0;
};

TEST_P(RegisterAccess, AReadIsARoundTrip) {
  make(named(host::BusKind::custom));
  cpu_->read32(kCAP);
  EXPECT_EQ(watch_.accesses, (std::vector<Access>{read(kCAP, 300 * kNanosecond)}));
  EXPECT_EQ(now(), start_ + 600 * kNanosecond);
}

TEST_P(RegisterAccess, PostedWritesArriveInOrderAndTheProcessorDoesNotWait) {
  make(named(host::BusKind::custom));
  cpu_->write32(kCCC_PORTS, 1);
  cpu_->write32(kPI, 2);
  EXPECT_EQ(now(), start_);
  wait_until(250 * kNanosecond - 1);
  EXPECT_TRUE(watch_.accesses.empty());
  wait_until(250 * kNanosecond);
  EXPECT_EQ(watch_.accesses,
            (std::vector<Access>{write(kCCC_PORTS, 250 * kNanosecond), write(kPI, 250 * kNanosecond)}));
}

TEST_P(RegisterAccess, HeldWritesStayInTheBridge) {
  make_holding(20 * kMicrosecond);
  cpu_->write32(kCCC_PORTS, 1);
  wait_until(5 * kMicrosecond);
  cpu_->write32(kPI, 2);
  wait_until(20 * kMicrosecond + 250 * kNanosecond - 1);
  EXPECT_TRUE(watch_.accesses.empty());
}

TEST_P(RegisterAccess, TheTimeLimitOfTheFirstHeldWriteSendsAllOn) {
  make_holding(20 * kMicrosecond);
  cpu_->write32(kCCC_PORTS, 1);
  wait_until(19 * kMicrosecond);
  cpu_->write32(kPI, 2);
  wait_until(50 * kMicrosecond);
  const sim::Time sent = 20 * kMicrosecond + 250 * kNanosecond;
  EXPECT_EQ(watch_.accesses, (std::vector<Access>{write(kCCC_PORTS, sent), write(kPI, sent)}));
}

TEST_P(RegisterAccess, AReadPushesHeldWritesBeforeIt) {
  make_holding(20 * kMicrosecond);
  cpu_->write32(kCCC_PORTS, 1);
  wait_until(3 * kMicrosecond);
  cpu_->write32(kPI, 2);
  cpu_->read32(kCAP);
  const sim::Time sent = 3 * kMicrosecond + 250 * kNanosecond;
  EXPECT_EQ(watch_.accesses, (std::vector<Access>{write(kCCC_PORTS, sent), write(kPI, sent),
                                                  read(kCAP, 3 * kMicrosecond + 300 * kNanosecond)}));
}

TEST_P(RegisterAccess, AfterAReadTheNextHeldWriteHasItsOwnTimeLimit) {
  make_holding(20 * kMicrosecond);
  cpu_->write32(kCCC_PORTS, 1);
  cpu_->read32(kCAP);
  cpu_->write32(kPI, 2);  // at 600 ns
  wait_until(50 * kMicrosecond);
  ASSERT_EQ(watch_.accesses.size(), 3U);
  EXPECT_EQ(watch_.accesses[2], write(kPI, 20 * kMicrosecond + 850 * kNanosecond));
}

TEST_P(RegisterAccess, OnPciEachAccessTakesItsClocksOneAfterAnother) {
  make(named(host::BusKind::pci));
  cpu_->write32(kCCC_PORTS, 1);  // 4 clocks of 30 ns
  cpu_->write32(kPI, 2);
  cpu_->read32(kCAP);  // 5 clocks
  EXPECT_EQ(watch_.accesses, (std::vector<Access>{write(kCCC_PORTS, 370 * kNanosecond), write(kPI, 490 * kNanosecond),
                                                  read(kCAP, 640 * kNanosecond)}));
  EXPECT_EQ(now(), start_ + 940 * kNanosecond);
}

INSTANTIATE_TEST_SUITE_P(Hosts, RegisterAccess, testing::ValuesIn(test::hosts()), test::host_name);

// ---- our driver behind a bridge that holds writes

TEST(HeldWrites, OurDriverReadsBackWhereItNeedsAWriteToHaveArrived) {
  lab::RigSpec spec = test::shipped_rig();
  spec.controller.bus.posted_writes_held = 200 * kMicrosecond;
  test::Rig rig(spec);
  workload::JobOptions options;
  options.rw = workload::Pattern::randrw;
  options.iodepth = 31;
  options.requests = 300;
  EXPECT_EQ(test::run_job(rig, options).failed, 0U);
}

}  // namespace
}  // namespace ncqlab
