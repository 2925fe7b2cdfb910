#include "testbench/fuzz/machine.h"

#include "testbench/fuzz/broken.h"
#include "testbench/fuzz/controller_choice.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::fuzz {

namespace {

using namespace hba;  // NOLINT: registers on every line

constexpr std::uint64_t kMostEventsAtOnce = 20'000;
constexpr std::uint64_t kMostEvents = 5'000'000;  // of one input; the longest PRD table takes 8192

const drive::Profile& disk_profile() {
  static const drive::Profile profile = drive::small_profile();
  return profile;
}

drive::DriveParts disk_parts(Machine& machine) {
  static const auto tables = drive::tables_of(disk_profile());
  return {machine.queue, machine.trace, machine.pool, tables};
}

const drive::OpticalProfile& optical_profile() {
  static const drive::OpticalProfile profile = [] {
    drive::OpticalProfile made;
    made.identity = {"MAKER   DVD-ROM", "S1", "1.23"};
    made.ready_after_reset = 1 * sim::kMillisecond;
    made.command = 100 * sim::kMicrosecond;
    made.access = 5 * sim::kMillisecond;
    made.bytes_per_second = 20'480'000;
    made.asynchronous_notification = true;
    return made;
  }();
  return profile;
}

struct Disc final : drive::FactoryContents {
  void fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const override {
    std::fill_n(buffer, std::size_t{sectors} * 512, static_cast<std::uint8_t>(lba));
  }
};

drive::OpticalParts optical_parts(Machine& machine) {
  static const Disc disc;
  return {machine.queue, machine.pool, {&disc, 100}};
}

}  // namespace

sata::Damage Noise::on_frame(sata::Direction /*direction*/, sata::Frame& frame) {
  if (frames == 0) return sata::Damage::none;
  --frames;
  if (flipped_bit != 0 && frame.size() != 0) {
    frame.data()[flipped_bit / 8 % frame.size()] ^= static_cast<std::uint8_t>(1U << flipped_bit % 8);
  }
  return damage;
}

bool Noise::on_phy_step(sata::PhyStep /*step*/, sata::Generation /*generation*/) {
  if (phy_steps == 0) return true;
  --phy_steps;
  return false;
}

Machine::Machine(Input& input)
    : profile(choose_controller(input)),
      memory(queue, profile.capabilities.addresses_64bit),
      function({queue, trace, pool, profile, memory, *this}),
      hostile(pool),
      disk(disk_profile(), disk_parts(*this)),
      optical(optical_profile(), optical_parts(*this)) {
  trace.add_observer(&watch);
  memory.connect(&function);
  hostile.connect(&link(0).device_side());
  disk.connect(&link(1).device_side());
  optical.connect(&link(2).device_side());
  for (unsigned i = 0; i < kPorts; ++i) {
    link(i).plug(&device(i));
  }
  enable();
}

// The devices are gone before the links are.
Machine::~Machine() {
  for (unsigned i = 0; i < kPorts; ++i) link(i).unplug();
}

sata::Device& Machine::device(unsigned port) {
  if (port == 0) return hostile;
  if (port == 1) return disk;
  return optical;
}

void Machine::make_noise() {
  for (unsigned i = 0; i < kPorts; ++i) link(i).inject(noise.over() ? nullptr : &noise);
}

void Machine::enable() {
  function.config_write(0x24, kRegisters, 4);
  function.config_write(0x20, kIo, 4);
  function.config_write(0x04, 0x0007, 2);
}

void Machine::place_structures(unsigned number) {
  const std::uint64_t list = memory.address(kLists + number * 0x400);
  const std::uint64_t received = memory.address(kReceived + number * 0x100);
  set_port(number, kPxCLB, static_cast<std::uint32_t>(list));
  set_port(number, kPxCLBU, static_cast<std::uint32_t>(list >> 32));
  set_port(number, kPxFB, static_cast<std::uint32_t>(received));
  set_port(number, kPxFBU, static_cast<std::uint32_t>(received >> 32));
  memory.note_structures();
  set_port(number, kPxCMD, port(number, kPxCMD) | kPxCMD_FRE | kPxCMD_SUD | kPxCMD_POD);
}

void Machine::start(unsigned number) { set_port(number, kPxCMD, port(number, kPxCMD) | kPxCMD_ST); }

void Machine::write_header(unsigned number, unsigned slot, std::uint32_t description) {
  std::uint8_t* header = memory.cpu(kLists + number * 0x400 + slot * kCommandHeader_bytes);
  const std::uint64_t at = memory.address(kTables + slot * kTable_bytes);
  store32(header, description);
  store32(header + kByteCountOffset, 0);
  store32(header + 8, static_cast<std::uint32_t>(at));
  store32(header + 12, static_cast<std::uint32_t>(at >> 32));
}

void Machine::run_one() {
  queue.run_one();
  events_at_once_ = queue.now() == instant_ ? events_at_once_ + 1 : 0;
  instant_ = queue.now();
  expect(events_at_once_ < kMostEventsAtOnce, "time stands still");
  expect(++events_ < kMostEvents, "far too many events");
}

void Machine::pass(sim::Time duration) {
  const sim::Time end = queue.now() + duration;
  while (queue.next_time() <= end) run_one();
  queue.advance_to(end);
  check();
}

void Machine::settle(sim::Time longest) {
  const sim::Time end = queue.now() + longest;
  while (queue.next_time() <= end) run_one();
  check();
  if (queue.empty()) watch.quiet(memory.clear_busy_headers());
}

void Machine::check() {
  const bool resetting = (controller().read(kGHC, 4) & kGHC_HR) != 0;
  const auto pending = static_cast<std::uint32_t>(controller().read(kIS, 4));
  const std::uint32_t slots = profile.command_slots == 32 ? ~0U : (1U << profile.command_slots) - 1;
  for (unsigned i = 0; i < kPorts; ++i) {
    const std::uint32_t issued = port(i, kPxCI);
    const std::uint32_t active = port(i, kPxSACT);
    watch.look(i, issued, active, memory.clear_busy_headers());
    expect(((issued | active) & ~slots) == 0, "a slot is in use that is not there");
    expect((port(i, kPxCMD) & kPxCMD_ST) != 0 || (issued | active) == 0, "a stopped port has commands");
    const bool wanted = (port(i, kPxIS) & port(i, kPxIE)) != 0;
    expect(resetting || !wanted || (pending >> i & 1) != 0, "a port's interrupt does not show in IS");
  }
  memory.note_structures();
  const std::uint32_t command = function.config_read(0x04, 4);
  const bool enabled = (controller().read(kGHC, 4) & kGHC_IE) != 0;
  expect(!line_ || (pending != 0 && enabled && (command & 0x400) == 0), "INTx is asserted without a reason");
  expect(function.config_read(0x08, 4) >> 8 == 0x010601, "the class code has changed");
}

}  // namespace ncqlab::fuzz
