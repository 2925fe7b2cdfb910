#include "testbench/fuzz/torment.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "model/drive/ata/drive.h"
#include "model/sata/link_faults.h"
#include "testbench/fuzz/input.h"
#include "testbench/tests/model/pci_rig.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::fuzz {

namespace {

using namespace hba;  // NOLINT: registers on every line

constexpr std::uint64_t kMostEvents = 2'000'000;  // of one wait; the longest honest ones stay below 100,000

[[noreturn]] void broken(const char* what) {
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

// Befalls the next frames.
class Noise final : public sata::LinkFaults {
 public:
  sata::Damage on_frame(sata::Direction /*direction*/, sata::Frame& frame) override {
    if (frames == 0) return sata::Damage::none;
    --frames;
    if (flipped_bit != 0 && frame.size() != 0) {
      frame.data()[flipped_bit / 8 % frame.size()] ^= static_cast<std::uint8_t>(1U << flipped_bit % 8);
    }
    return damage;
  }
  bool on_phy_step(sata::PhyStep /*step*/, sata::Generation /*generation*/) override {
    if (phy_steps == 0) return true;
    --phy_steps;
    return false;
  }
  sata::Damage damage = sata::Damage::none;
  unsigned flipped_bit = 0;
  unsigned frames = 0;
  unsigned phy_steps = 0;
};

class Torment {
 public:
  Torment() : rig_(profile()), disk_profile_(drive::small_profile()), disk_(disk_profile_, parts()) {
    rig_.enable();
    link(1).plug(&disk_);
    disk_.connect(&link(1).device_side());
    link(0).inject(&noise_);
  }
  ~Torment() { link(1).unplug(); }

  void run(Input input) {
    settle();
    while (!input.empty()) step(input);
    recover();
  }
  std::uint64_t fingerprint() const { return rig_.trace.fingerprint(); }

 private:
  static ControllerProfile profile() {
    ControllerProfile wanted = test::PciRig::profile_with_everything();
    wanted.latencies.reset = sim::kMicrosecond;
    return wanted;
  }
  drive::DriveParts parts() {
    static const auto tables = drive::tables_of(drive::small_profile());
    return {rig_.queue(), rig_.trace, rig_.pool, tables};
  }
  sata::Link& link(unsigned port) { return rig_.function.controller().link(port); }
  Controller& controller() { return rig_.function.controller(); }
  std::uint32_t port(unsigned number, std::uint32_t offset) {
    return static_cast<std::uint32_t>(controller().read(kPortsBase + number * kPortBytes + offset, 4));
  }
  void set_port(unsigned number, std::uint32_t offset, std::uint32_t value) {
    controller().write(kPortsBase + number * kPortBytes + offset, value, 4);
  }

  void settle() {
    std::uint64_t events = 0;
    while (rig_.queue().run_one()) {
      if (++events > kMostEvents) broken("time stands still, or something never ends");
    }
  }
  void pass(sim::Time duration) {
    const sim::Time end = rig_.queue().now() + duration;
    std::uint64_t events = 0;
    while (rig_.queue().next_time() <= end) {
      rig_.queue().run_one();
      if (++events > kMostEvents) broken("too many events for so little time");
    }
    rig_.queue().advance_to(end);
  }

  // An address that a hostile guest would choose.
  std::uint64_t address(Input& input) {
    const host::Block* const blocks[] = {&rig_.list, &rig_.received, &rig_.tables, &rig_.data};
    const unsigned kind = input.below(6);
    if (kind < 4)
      return blocks[kind]->address +
             input.below(static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks[kind]->bytes, 0xFFFF)));
    if (kind == 4) return test::PciRig::kRegisters + input.below(0x1400);
    return input.little_endian(8);
  }

  void step(Input& input) {
    switch (input.byte() % 16) {
      case 0:
      case 1:
        return set_port(input.byte() & 1, input.below(32) * 4, input.dword());
      case 2: {
        const std::uint64_t offset = input.little_endian(2);
        const unsigned bytes = 1 + input.below(8);
        return controller().write(offset, input.little_endian(8), bytes);
      }
      case 3: {
        const std::uint64_t offset = input.little_endian(2);
        controller().read(offset, 1 + input.below(8));
        return;
      }
      case 4:
        return pass(static_cast<sim::Time>(input.little_endian(2)) * 100 * sim::kNanosecond);
      case 5:
        return pass(static_cast<sim::Time>(input.byte()) * sim::kMillisecond);
      case 6:
        return build_command(input);
      case 7:
        return store_anything(input);
      case 8:
        return send_known_frame(input);
      case 9:
        return send_any_frame(input);
      case 10:
        return disturb_link(input);
      case 11:
        return access_configuration(input);
      case 12:
        return issue(input);
      case 13:
        return access_through_bars(input);
      case 14:
        return start_port(input.byte() & 1);
      default:
        return rarely(input);
    }
  }

  void start_port(unsigned number) {
    set_port(number, kPxCLB, static_cast<std::uint32_t>(rig_.list.address));
    set_port(number, kPxCLBU, static_cast<std::uint32_t>(rig_.list.address >> 32));
    set_port(number, kPxFB, static_cast<std::uint32_t>(rig_.received.address));
    set_port(number, kPxFBU, static_cast<std::uint32_t>(rig_.received.address >> 32));
    set_port(number, kPxCMD, port(number, kPxCMD) | kPxCMD_FRE | kPxCMD_SUD | kPxCMD_POD);
    set_port(number, kPxCMD, port(number, kPxCMD) | kPxCMD_ST);
  }

  // A command that is right in most of what it says.
  void build_command(Input& input) {
    const unsigned slot = input.below(32);
    sata::RegisterH2D fis;
    static constexpr std::uint8_t kCommands[] = {0x25, 0x35, 0x60, 0x61, 0xEC, 0x24, 0x34, 0x2F,
                                                 0x63, 0x64, 0x65, 0xEF, 0xE7, 0x06, 0xA0, 0x47};
    const std::uint8_t which = input.byte();
    fis.command = which < 240 ? kCommands[which % 16] : input.byte();
    fis.command_bit = which != 255;
    fis.control = which == 255 ? input.byte() : 0;
    fis.device = 0x40;
    fis.lba = input.little_endian(3);
    const bool queued = fis.command >= 0x60 && fis.command <= 0x65;
    fis.count = queued ? static_cast<std::uint16_t>(slot << 3 | input.byte() % 8) : input.byte();
    fis.features = static_cast<std::uint16_t>(input.byte());
    fis.auxiliary = input.byte();
    std::vector<test::Piece> pieces(input.below(5));
    for (test::Piece& piece : pieces) {
      piece = {address(input), static_cast<std::uint32_t>(2 * (1 + input.below(0x1000))), (input.byte() & 1) != 0};
    }
    rig_.build_command(slot, fis, pieces, static_cast<std::uint32_t>(input.byte()) << 5);
  }

  void store_anything(Input& input) {
    const host::Block* const blocks[] = {&rig_.list, &rig_.tables, &rig_.received, &rig_.data};
    const host::Block& block = *blocks[input.below(4)];
    const std::size_t at = input.little_endian(2) % block.bytes;
    const std::size_t count = std::min<std::size_t>(1 + input.below(16), block.bytes - at);
    for (std::size_t i = 0; i < count; ++i) block.cpu[at + i] = input.byte();
  }

  void send(sata::Frame frame) {
    if (link(0).device_side().phy_ready()) rig_.device.send(std::move(frame));
  }

  void send_known_frame(Input& input) {
    switch (input.below(6)) {
      case 0: {
        sata::RegisterD2H fis;
        fis.status = (input.byte() & 1) != 0 ? 0x50 : input.byte();
        fis.error = input.byte();
        fis.interrupt = (input.byte() & 1) != 0;
        return send(sata::encode(rig_.pool, fis));
      }
      case 1: {
        sata::SetDeviceBits fis;
        fis.active = input.dword();
        fis.status = input.byte();
        fis.interrupt = (input.byte() & 1) != 0;
        fis.notification = (input.byte() & 1) != 0;
        return send(sata::encode(rig_.pool, fis));
      }
      case 2: {
        sata::DmaSetup fis;
        fis.buffer_identifier = input.byte();
        fis.to_host = (input.byte() & 1) != 0;
        fis.auto_activate = (input.byte() & 1) != 0;
        fis.buffer_offset = input.dword() & 0x3FFFFC;
        fis.transfer_count = input.dword() & 0x3FFFFE;
        return send(sata::encode(rig_.pool, fis));
      }
      case 3: {
        sata::PioSetup fis;
        fis.to_host = (input.byte() & 1) != 0;
        fis.status = input.byte();
        fis.end_status = input.byte();
        fis.interrupt = true;
        fis.transfer_count = static_cast<std::uint16_t>(input.little_endian(2));
        return send(sata::encode(rig_.pool, fis));
      }
      case 4:
        return send(sata::encode_dma_activate(rig_.pool, input.byte() & 0xF));
      default: {
        sata::Frame frame = sata::make_data(rig_.pool, 0, 4 * (1 + input.below(2048)));
        std::memset(sata::payload(frame), input.byte(), sata::payload_bytes(frame));
        return send(std::move(frame));
      }
    }
  }

  void send_any_frame(Input& input) {
    sata::Frame frame = rig_.pool.make(1 + input.below(80));
    for (std::uint32_t i = 0; i < frame.size(); ++i) frame.data()[i] = input.byte();
    send(std::move(frame));
  }

  void disturb_link(Input& input) {
    const unsigned number = input.byte() & 1;
    static constexpr sata::LinkPower kPowers[] = {sata::LinkPower::active, sata::LinkPower::partial,
                                                  sata::LinkPower::slumber};
    switch (input.below(7)) {
      case 0:
        noise_.damage = static_cast<sata::Damage>(input.below(7));
        noise_.flipped_bit = static_cast<unsigned>(input.little_endian(2));
        noise_.frames = input.below(8);
        return link(number).inject(&noise_);
      case 1:
        noise_.phy_steps = input.below(8);
        return link(number).inject(&noise_);
      case 2:
        rig_.device.accepted_power = !rig_.device.accepted_power;
        return;
      case 3:
        link(number).device_side().request_power(kPowers[input.below(3)]);
        return;
      case 4:
        return link(number).interrupt_signal(static_cast<sim::Time>(input.byte()) * sim::kMicrosecond);
      case 5:
        return link(number).device_side().send_cominit();
      default:
        link(number).device_side().sync_escape();
        return;
    }
  }

  void access_configuration(Input& input) {
    const std::uint32_t offset = input.below(0x110);
    const unsigned bytes = 1 + input.below(4);
    if ((input.byte() & 1) != 0) return rig_.set_config(offset, input.dword(), bytes);
    rig_.config(offset, bytes);
  }

  void issue(Input& input) {
    const unsigned number = input.byte() & 1;
    const std::uint32_t slots = 1U << input.below(32) | ((input.byte() & 1) != 0 ? input.dword() : 0);
    if ((input.byte() & 1) != 0) set_port(number, kPxSACT, slots);
    set_port(number, kPxCI, slots);
  }

  void access_through_bars(Input& input) {
    const unsigned bytes = 1 + input.below(8);
    const bool io = (input.byte() & 1) != 0;
    const std::uint32_t offset = static_cast<std::uint32_t>(input.little_endian(2));
    const auto target = io ? rig_.function.io_target(test::PciRig::kIo + offset % 64, std::min(bytes, 4U))
                           : rig_.function.memory_target(test::PciRig::kRegisters + std::uint64_t{offset}, bytes);
    if (!target) return;
    const unsigned count = io ? std::min(bytes, 4U) : bytes;
    if ((input.byte() & 1) != 0) return rig_.function.write(*target, input.little_endian(8), count);
    rig_.function.read(*target, count);
  }

  void rarely(Input& input) {
    switch (input.below(5)) {
      case 0:
        link(0).unplug();
        return link(0).plug(&rig_.device);
      case 1:
        link(1).unplug();
        link(1).plug(&disk_);
        return;
      case 2:
        return controller().write(kGHC, kGHC_AE | kGHC_IE | kGHC_HR, 4);
      case 3:
        return controller().set_mechanical_switch(input.byte() & 1, (input.byte() & 1) != 0);
      default:
        return rig_.function.reset();
    }
  }

  // Whatever happened: everything ends, and a reset cures it.
  void recover() {
    settle();
    noise_.frames = noise_.phy_steps = 0;
    rig_.device.on_frame = nullptr;
    rig_.function.reset();
    settle();
    rig_.enable();
    controller().write(kGHC, kGHC_AE, 4);
    for (unsigned number = 0; number < 2; ++number) {
      set_port(number, kPxSCTL, 0);
      start_port(number);
      settle();
      if ((port(number, kPxSSTS) & kDET_mask) != kDET_established) broken("a port does not come up after a reset");
      if ((port(number, kPxCMD) & kPxCMD_CR) == 0) broken("a command list does not start after a reset");
    }
    rig_.device.received.clear();
    read_sector(0, 3);
    if (rig_.device.received.size() != 1) broken("a command does not reach the device after a reset");
    rig_.device.send_data(test::pattern(512));
    rig_.device.send_status(0x50, true);
    settle();
    if (port(0, kPxCI) != 0 || rig_.byte_count(3) != 512) broken("a command does not end after a reset");
    if (std::memcmp(rig_.data.cpu, test::pattern(512).data(), 512) != 0) broken("data differ after a reset");

    read_sector(1, 5);
    std::uint8_t expected[512];
    disk_.contents().read(7, 1, expected);
    if (port(1, kPxCI) != 0) broken("the disk does not answer after a reset");
    const bool failed = (port(1, kPxTFD) & kSTS_ERR) != 0;
    if (failed) broken("the disk reports an error after a reset");
    if (std::memcmp(rig_.data.cpu, expected, 512) != 0) broken("the disk's data differ after a reset");
  }

  void read_sector(unsigned number, unsigned slot) {
    set_port(number, kPxIS, 0xFFFFFFFF);
    rig_.build_command(slot, test::command(0x25, 7, 1), {{rig_.data.address, 512}});
    set_port(number, kPxCI, 1U << slot);
    settle();
  }

  Noise noise_;
  test::PciRig rig_;
  drive::Profile disk_profile_;
  drive::Drive disk_;
};

}  // namespace

std::uint64_t torment(const std::uint8_t* bytes, std::size_t count) {
  Torment machine;
  machine.run(Input(bytes, count));
  return machine.fingerprint();
}

}  // namespace ncqlab::fuzz
