#include "testbench/tests/unit/drive_durability_history.h"

#include <array>
#include <cstring>

#include "model/sim/random.h"
#include "testbench/tests/unit/drive_durability_reference.h"
#include "testbench/tests/unit/drive_varied_profile.h"

namespace ncqlab::drive {
namespace {

constexpr std::uint64_t kRegion_sectors = 160;  // on two tracks: 0 is the first sector
constexpr std::uint16_t kMost_sectors = 24;
constexpr std::uint8_t kFua = 0xC0;  // device field: LBA and FUA
constexpr std::uint64_t kUnreadable = ~std::uint64_t{0};

Profile profile_of(std::uint64_t seed) {
  sim::Stream stream(seed, "test/durability-profile");
  Profile profile = varied(seed);
  profile.write_cache.enabled = stream.below(4) != 0;
  profile.write_cache.destage_after_idle = static_cast<sim::Time>(1 + stream.below(40)) * kMs;
  profile.serial_ata.data_phase_sectors = static_cast<std::uint32_t>(stream.below(2) * 8);
  profile.power_loss.saved_bytes = stream.below(3) == 0 ? stream.below(60) * kSector_bytes : 0;
  return profile;
}

PhysicalSectors physical_sectors_of(const Profile& profile) {
  return {profile.physical_sectors.bytes / kSector_bytes, profile.physical_sectors.lba_0_offset};
}

class Run {
 public:
  explicit Run(const DurabilityHistory& history)
      : history_(history),
        stream_(history.seed, "test/durability"),
        physical_(physical_sectors_of(profile_of(history.seed))),
        host_(profile_of(history.seed), nullptr, history.seed),
        cached_(host_.drive.disk().write_cache_enabled()) {}

  std::string run() {
    if (history_.prepare) prepared_ = history_.prepare(host_.drive);
    host_.start();
    for (unsigned step = 0; step < history_.steps && error_.empty(); ++step) one_step();
    if (error_.empty()) lose_power();
    return error_;
  }

 private:
  struct Outstanding {
    std::uint64_t number = 0;
    bool durable = false;
  };

  void one_step() {
    switch (stream_.below(16)) {
      case 0:
        return flush();
      case 1:
        return switch_cache();
      case 2:
        return reset();
      case 3:
        return lose_power();
      case 4:
        return check(false);
      case 5:
        return standby();
      case 6:
      case 7:
        return write_alone();
      case 8:
      case 9:
      case 10:
        return let_time_pass();
      default:
        return write_queued();
    }
  }

  static AtaHost::Bytes contents_of(std::uint64_t lba, std::uint64_t number, std::uint32_t sectors) {
    AtaHost::Bytes bytes(std::size_t{sectors} * kSector_bytes);
    for (std::size_t word = 0; word < bytes.size() / 8; ++word) {
      const std::uint64_t at = lba + word / (kSector_bytes / 8);
      const std::uint64_t value =
          word % (kSector_bytes / 8) == 0 ? number : sim::mix64(at << 32 ^ number << 8 ^ word % 64);
      std::memcpy(bytes.data() + word * 8, &value, 8);
    }
    return bytes;
  }

  void let_time_pass() {
    host_.run_until(host_.now() + static_cast<sim::Time>(stream_.below(30'000)) * kUs);
    take_answers();
  }
  void wait_for_queue() {
    while (outstanding_mask_ != 0 && host_.run_one()) take_answers();
  }

  // What the drive has said since the last time.
  void take_answers() {
    for (; seen_ < host_.sent.size(); ++seen_) {
      const AtaHost::Bytes& frame = host_.sent[seen_].bytes;
      if (frame[0] == 0x34) status_ = frame[2];
      if (frame[0] != 0xA1) continue;
      std::uint32_t active = 0;
      std::memcpy(&active, frame.data() + 4, 4);
      for (unsigned tag = 0; tag < 32; ++tag) {
        if ((active & outstanding_mask_) >> tag & 1) reference_.write_answered(tags_[tag].number, tags_[tag].durable);
      }
      outstanding_mask_ &= ~active;
    }
  }

  struct Target {
    std::uint64_t lba;
    std::uint16_t sectors;
  };
  // Often the last one again: what replaces what matters most.
  Target any_target() {
    if (stream_.below(3) == 0) return last_target_;
    last_target_.lba = stream_.below(kRegion_sectors - kMost_sectors);
    last_target_.sectors = static_cast<std::uint16_t>(1 + stream_.below(kMost_sectors));
    return last_target_;
  }

  void write_queued() {
    unsigned tag = 0;
    while (tag < 32 && (outstanding_mask_ >> tag & 1) != 0) ++tag;
    if (tag == 32) return;
    const auto [lba, sectors] = any_target();
    const bool fua = stream_.below(4) == 0;
    tags_[tag] = {reference_.write_sent(lba, sectors), fua || !cached_};
    outstanding_mask_ |= 1U << tag;
    host_.queued_data[tag] = contents_of(lba, tags_[tag].number, sectors);
    host_.queued(0x61, tag, lba, sectors, fua ? kFua : 0x40);
    take_answers();
    // Until the drive has released BSY no other command may come.
    host_.run_until(host_.now() + 5 * kUs);
    take_answers();
  }

  // True when the drive answered without an error.
  bool execute(std::uint8_t opcode, std::uint64_t lba = 0, std::uint16_t count = 0, std::uint16_t features = 0) {
    status_ = 0;
    host_.command(opcode, lba, count, features);
    take_answers();
    while (status_ == 0 && host_.run_one()) take_answers();
    return (status_ & 1) == 0 && status_ != 0;
  }

  void write_alone() {
    wait_for_queue();
    const auto [lba, sectors] = any_target();
    const std::uint8_t opcode = std::array<std::uint8_t, 3>{0x35, 0x34, 0x3D}[stream_.below(3)];  // DMA, PIO, DMA FUA
    const std::uint64_t number = reference_.write_sent(lba, sectors);
    host_.outgoing = contents_of(lba, number, sectors);
    if (stream_.below(8) == 0) {  // a reset or a loss of power comes meanwhile
      host_.command(opcode, lba, sectors);
      host_.run_until(host_.now() + static_cast<sim::Time>(stream_.below(20'000)) * kUs);
      host_.outgoing.clear();
      status_ = 0;
      take_answers();
      if ((status_ & 0x89) == 0 && status_ != 0) reference_.write_answered(number, opcode == 0x3D || !cached_);
      return stream_.below(2) == 0 ? reset() : lose_power();
    }
    if (execute(opcode, lba, sectors)) reference_.write_answered(number, opcode == 0x3D || !cached_);
  }

  void flush() {
    wait_for_queue();
    const auto sent = reference_.flush_sent();
    if (execute(stream_.below(2) == 0 ? 0xEA : 0xE7)) reference_.flush_answered(sent);
  }
  void standby() {
    wait_for_queue();
    const auto sent = reference_.flush_sent();
    if (execute(0xE0)) reference_.flush_answered(sent);
  }
  void switch_cache() {
    wait_for_queue();
    const bool enable = stream_.below(2) == 0;
    const auto sent = reference_.flush_sent();
    if (!execute(0xEF, 0, 0, enable ? 0x02 : 0x82)) return fail("SET FEATURES failed");
    if (!enable) reference_.flush_answered(sent);  // what was in the cache had to go to the platter
    cached_ = enable;
  }

  void forget_outstanding() {
    outstanding_mask_ = 0;
    host_.outgoing.clear();
    host_.queued_data.clear();
    host_.sent.clear();
    seen_ = 0;
  }
  void reset() {
    const bool hard = stream_.below(2) == 0;
    if (hard) {
      host_.comreset();
    } else {
      host_.control(0x04);
      host_.control(0x00);
    }
    take_answers();
    forget_outstanding();
    while (host_.time_of("D2H 50 01") == sim::kNever && host_.run_one()) {
    }
    host_.run_until(host_.now() + 10 * kUs);
    forget_outstanding();
    if (stream_.below(2) == 0) flush();  // what had been answered before the reset is kept all the same
  }

  void lose_power() {
    take_answers();
    host_.cut_power(stream_.below(2) == 0 ? PowerCut::sudden : PowerCut::with_reserve);
    forget_outstanding();
    host_.run_until(host_.now() + static_cast<sim::Time>(stream_.below(1000)) * kMs);
    host_.power_on();
    host_.run_until(host_.now() + 10 * kUs);
    cached_ = host_.drive.disk().write_cache_enabled();
    check(true);
  }

  // Reads every sector.
  void check(bool power_was_lost) {
    wait_for_queue();
    std::array<std::uint64_t, kRegion_sectors> all{};
    for (std::uint64_t lba = 0; lba < kRegion_sectors && error_.empty(); ++lba) {
      const std::uint64_t found = all[lba] = read_number(lba);
      const bool right =
          found == kUnreadable ? power_was_lost && may_be_torn(lba) : reference_.may_hold(lba, found, power_was_lost);
      if (!right && !torn_[lba]) {
        fail("LBA " + std::to_string(lba) + (power_was_lost ? " after a loss of power" : "") + ": expected write " +
             reference_.expected(lba, power_was_lost) + ", found " +
             (found == kUnreadable ? "an unreadable sector" : std::to_string(found)));
      }
    }
    if (!power_was_lost) return;
    for (std::uint64_t lba = 0; lba < kRegion_sectors; ++lba) {
      torn_[lba] = all[lba] == kUnreadable;
      reference_.settle(lba, all[lba]);
    }
    flush();  // so that what was found is durable
  }

  // A physical sector is torn as a whole.
  bool may_be_torn(std::uint64_t lba) const {
    const Extent torn = physical_.extent(physical_.of(lba));
    for (std::uint64_t at = torn.first; at < std::min(torn.end, kRegion_sectors); ++at) {
      if (reference_.may_be_unreadable(at)) return true;
    }
    return false;
  }

  std::uint64_t read_number(std::uint64_t lba) {
    host_.sent.clear();
    seen_ = 0;
    if (!execute(0x25, lba, 1)) return kUnreadable;
    const AtaHost::Bytes data = host_.data();
    if (data == AtaHost::factory(lba, 1)) return 0;
    std::uint64_t number = 0;
    std::memcpy(&number, data.data(), 8);
    if (data != contents_of(lba, number, 1)) fail("LBA " + std::to_string(lba) + " holds parts of different writes");
    return number;
  }

  void fail(const std::string& what) {
    if (error_.empty()) error_ = what;
  }

  const DurabilityHistory& history_;
  std::shared_ptr<void> prepared_;
  sim::Stream stream_;
  PhysicalSectors physical_;
  AtaHost host_;
  bool cached_;
  Target last_target_{0, 1};
  DurabilityReference reference_{kRegion_sectors};
  std::array<bool, kRegion_sectors> torn_{};
  std::array<Outstanding, 32> tags_{};
  std::uint32_t outstanding_mask_ = 0;
  std::size_t seen_ = 0;
  std::uint8_t status_ = 0;  // of the last Register FIS; 0: none since it was set so
  std::string error_;
};

}  // namespace

unsigned steps_of_history(std::uint64_t seed) {
  return static_cast<unsigned>(5 + sim::Stream(seed, "test/durability-length").below(30));
}

std::string run_history(const DurabilityHistory& history) { return Run(history).run(); }

}  // namespace ncqlab::drive
