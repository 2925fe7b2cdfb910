// A host that sends anything at any time: neither drive may throw, stop, or forget how to start again after a reset.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/drive/optical/optical_drive.h"
#include "model/sim/random.h"
#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

Profile everything() {
  Profile profile = small_profile();
  SerialAta& sata = profile.serial_ata;
  sata.auto_activate = sata.buffer_offsets = sata.in_order_delivery = sata.ncq_priority = true;
  sata.ncq_management = sata.ncq_send_receive = sata.ncq_autosense = sata.read_log_dma = true;
  sata.host_power = sata.device_power = sata.device_sleep = true;
  sata.data_phase_sectors = 16;
  sata.trim_blocks = 2;
  sata.partial_after_idle = 3 * kMs;
  sata.slumber_after_idle = 5 * kMs;
  FeatureSets& features = profile.features;
  features.unload = features.power_up_in_standby = features.advanced_power_management = true;
  features.acoustic_management = features.host_protected_area = features.accessible_max_address = true;
  features.security = features.download_microcode = features.write_uncorrectable = true;
  features.sense_data_reporting = features.buffers = features.device_statistics = true;
  features.phy_event_counters = features.identify_data_log = true;
  profile.spindle = {20 * kMs, 10 * kMs};
  profile.erase = {30 * kMs, 20 * kMs};
  profile.smart.present = profile.sct.present = true;
  profile.smart.attributes = {{0x05, 0x0033, 100, 100, 36, 7}, {0xC5, 0x0012, 100, 100, 0, 0}};
  profile.smart.offline_collection = profile.smart.short_self_test = 30 * kMs;
  profile.smart.extended_self_test = 90 * kMs;
  return profile;
}

class Anything {
 public:
  explicit Anything(std::uint64_t seed) : stream_(seed, "drive/hostile") {}

  std::uint64_t below(std::uint64_t bound) { return stream_.below(bound); }
  bool one_in(std::uint64_t n) { return stream_.below(n) == 0; }

  // Mostly what means something, at times any bits. For a while only queued commands come, then only others.
  sata::RegisterH2D fis() {
    static constexpr std::uint8_t kQueued[] = {0x60, 0x61, 0x60, 0x61, 0x60, 0x61, 0x63, 0x64, 0x65};
    static constexpr std::uint8_t kOthers[] = {0x25, 0x35, 0x24, 0x34, 0x29, 0x39, 0x2F, 0x47,
                                               0x06, 0x42, 0xC6, 0xE7, 0xEC, 0xEF, 0xE0};
    if (one_in(20)) queued_ = !queued_;
    sata::RegisterH2D fis;
    fis.command_bit = !one_in(200);
    fis.control = one_in(2) ? 0x04 : 0x00;
    fis.command = queued_ ? kQueued[below(std::size(kQueued))] : kOthers[below(std::size(kOthers))];
    if (one_in(100)) fis.command = static_cast<std::uint8_t>(below(256));
    fis.lba = one_in(100) ? below(std::uint64_t{1} << 48) : below(39'900);
    fis.device = one_in(100) ? static_cast<std::uint8_t>(below(256)) : 0x40;
    const auto sectors = static_cast<std::uint16_t>(1 + below(70));
    const auto priority = static_cast<std::uint16_t>(one_in(3) ? below(4) << 14 : 0);
    fis.count = queued_ ? static_cast<std::uint16_t>(next_tag() << 3 | priority) : sectors;
    fis.features = queued_ ? sectors : static_cast<std::uint16_t>(below(256));
    fis.auxiliary = one_in(10) ? 0 : 1;
    switch (fis.command) {
      case 0x06:
        fis.count = static_cast<std::uint16_t>(below(4));
        fis.features = 1;
        break;
      case 0x2F:
      case 0x47:
      case 0x65:
        fis.lba = one_in(10) ? below(256) : 0x10 + 2 * below(2);
        (queued_ ? fis.features : fis.count) = 1;
        if (queued_) fis.count = static_cast<std::uint16_t>(fis.count | 0x0100);
        break;
      case 0x63:
        fis.features = static_cast<std::uint16_t>(below(one_in(10) ? 0x80 : 4) << 4);
        break;
      case 0x64:
        fis.features = static_cast<std::uint16_t>(1 + below(2));
        break;
      case 0xC6:
        fis.count = static_cast<std::uint16_t>(1U << below(5));
        break;
      case 0xEF:
        fis.features = one_in(4) ? 0x82 : 0x10;
        fis.count = static_cast<std::uint16_t>(below(11));
        break;
      default:
        break;
    }
    return fis;
  }

 private:
  unsigned next_tag() { return one_in(50) ? static_cast<unsigned>(below(32)) : tag_++ % 32; }

  sim::Stream stream_;
  bool queued_ = false;
  unsigned tag_ = 0;
};

// What the drive did under all of it, by the beginnings of its frames.
using Tally = std::map<std::string, int>;

void torment(std::uint64_t seed, int steps, Tally& tally) {
  Anything anything(seed);
  AtaHost host(everything());
  host.start();
  for (int i = 0; i < 200; ++i) host.drive.mark_unreadable(anything.below(39'900));
  for (int step = 0; step < steps; ++step) {
    switch (anything.below(60)) {
      case 0:
        host.send_data(AtaHost::filled(static_cast<std::uint32_t>(anything.below(17)), 0x77));
        break;
      case 1:
        host.damage(anything.one_in(2) ? 0x46 : 0x27);
        break;
      case 2:
        host.refuse_frames(anything.one_in(2) ? "Data" : "", static_cast<unsigned>(anything.below(3)));
        break;
      case 3:
        host.hold();
        break;
      case 4:
        host.drive.accepts_power(sata::LinkPower::partial);
        host.set_power(anything.one_in(2) ? sata::LinkPower::active : sata::LinkPower::partial);
        break;
      case 5:
        if (anything.one_in(8)) host.comreset();
        break;
      default:
        host.outgoing.resize(anything.one_in(20) ? 100 : std::size_t{3000} * kSector_bytes);
        host.send(anything.fis());
        break;
    }
    if (anything.one_in(2)) host.release();
    host.run_until(host.now() + static_cast<sim::Time>(anything.below(4000)) * kUs);
    const bool failed = !host.sent.empty() && (host.last_status().status & kStatusErr) != 0;
    for (const AtaHost::Sent& frame : host.sent) ++tally[frame.line.substr(0, 6)];
    host.sent.clear();
    if (failed || anything.one_in(30)) host.command(0x2F, 0x10, 1);
  }
  host.release();
  host.refuse_frames("", 0);
  host.start();
  host.command(0xEC);
  host.run();
  EXPECT_EQ(host.data().size(), 512U) << "seed " << seed;
  host.sent.clear();
  host.queued(0x60, 0, 39'950, 1);
  host.run();
  EXPECT_EQ(host.sent.back().line, "SDB 40 00000001 I") << "seed " << seed;
}

TEST(DriveHostile, AnythingAtAnyTimeLeavesADriveThatWorks) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) ASSERT_NO_THROW(torment(seed, 400, tally)) << "seed " << seed;
  for (const char* seen : {"D2H 40", "D2H 50", "D2H 51", "SDB 40", "SDB 41", "Setup ", "Activa", "PIO in", "PIO ou"}) {
    EXPECT_GT(tally[seen], 25) << seen;
  }
}

// ---- any bytes

// Whatever a command FIS says, a status or a request for data follows, unless the drive sleeps; and a reset heals.
TEST(DriveHostile, AnyBytesAsACommandAreAnswered) {
  Anything anything(7);
  static constexpr std::uint8_t kFeatureSets[] = {0x0B, 0x2F, 0x37, 0x3F, 0x45, 0x47, 0x57, 0x78, 0x92, 0x93,
                                                  0xB0, 0xB0, 0xB0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE8, 0xE9, 0xEB,
                                                  0xEF, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF8, 0xF9, 0x27};
  AtaHost host(everything());
  host.start();
  int answered = 0;
  for (int step = 0; step < 20'000; ++step) {
    sata::RegisterH2D fis;
    fis.command_bit = true;
    fis.command = anything.one_in(4) ? static_cast<std::uint8_t>(anything.below(256))
                                     : kFeatureSets[anything.below(std::size(kFeatureSets))];
    fis.lba =
        anything.one_in(3) ? anything.below(std::uint64_t{1} << 48) : anything.below(256) << 8 | anything.below(256);
    if (fis.command == 0xB0) fis.lba = 0xC2'4F00 | anything.below(256);
    fis.count = static_cast<std::uint16_t>(anything.below(anything.one_in(10) ? 0x1'0000 : 20));
    fis.features = static_cast<std::uint16_t>(anything.below(anything.one_in(4) ? 0x1'0000 : 8));
    if (fis.command == 0xB0) fis.features = static_cast<std::uint16_t>(0xD0 + anything.below(12));
    fis.device = 0x40;
    host.outgoing = AtaHost::Bytes(std::size_t{70'000} * 8, static_cast<std::uint8_t>(anything.below(256)));
    host.outgoing[0] = static_cast<std::uint8_t>(anything.below(8));
    host.outgoing[2] = static_cast<std::uint8_t>(anything.below(4));
    host.sent.clear();
    ASSERT_NO_THROW(host.send(fis));
    ASSERT_NO_THROW(host.run());
    if (!host.sent.empty()) ++answered;
    if (host.sent.empty() || anything.one_in(50)) {
      if (anything.one_in(4)) host.drive.power_on();
      host.start();
      ASSERT_EQ(host.drive.power_mode() == PowerModes::Mode::sleep, false);
    }
  }
  EXPECT_GT(answered, 15'000);
}

// ---- packets

TEST(OpticalHostile, AnyPacketIsAnswered) {
  OpticalProfile profile;
  profile.identity = {"M", "S", "F"};
  const StripedFactory contents;
  Anything anything(1);
  static constexpr std::uint8_t kOpcodes[] = {0x00, 0x03, 0x12, 0x1B, 0x1E, 0x25, 0x28, 0x43, 0x4A, 0x5A, 0xA8};
  LogicalUnit unit(profile, {&contents, 1000});
  std::vector<std::uint8_t> buffer;
  for (int i = 0; i < 20'000; ++i) {
    LogicalUnit::Packet packet{};
    for (std::uint8_t& byte : packet) byte = static_cast<std::uint8_t>(anything.below(anything.one_in(2) ? 4 : 256));
    if (!anything.one_in(10)) packet[0] = kOpcodes[anything.below(std::size(kOpcodes))];
    const PacketResult result = unit.execute(packet);
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(result.total_bytes(), 65'536));
    buffer.resize(bytes);
    if (bytes != 0) unit.read(result, result.total_bytes() - bytes, bytes, buffer.data());
    if (anything.one_in(20)) unit.reset();
    if (anything.one_in(20)) unit.open_tray();
    if (anything.one_in(20)) unit.insert({anything.one_in(2) ? &contents : nullptr, 100});
    if (anything.one_in(10)) unit.close_tray();
  }
}

}  // namespace
}  // namespace ncqlab::drive
