// A conversation between driver, controller and device as trace records, one call a record, for the legality tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "model/sata/link_types.h"
#include "testbench/oracle/ahci_legality.h"

namespace ncqlab::oracle {

inline constexpr std::uint8_t kReady = 0x50;
inline constexpr std::uint8_t kFailed = 0x51;
inline constexpr std::uint8_t kBusy = 0xD0;
inline constexpr std::uint8_t kReadQueued = 0x60;
inline constexpr std::uint8_t kWriteQueued = 0x61;
inline constexpr std::uint8_t kQueuedNonData = 0x63;
inline constexpr std::uint8_t kReadDma = 0x25;
inline constexpr std::uint8_t kWriteDma = 0x35;
inline constexpr std::uint8_t kIdentify = 0xEC;
inline constexpr std::uint8_t kReadPio = 0x24;
inline constexpr std::uint8_t kWritePio = 0x34;
inline constexpr std::uint8_t kFlush = 0xEA;
inline constexpr std::uint8_t kReadLog = 0x2F;
inline constexpr std::uint8_t kPacket = 0xA0;
inline constexpr std::uint8_t kDeviceReset = 0x08;

class AhciConversation : public testing::Test {
 protected:
  void record(sim::Kind kind, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    now_ += sim::kMicrosecond;
    legality_.on_record({now_, kind, 0, a, b, c});
  }
  void write(std::uint64_t offset, std::uint32_t value) { record(sim::Kind::register_write, offset, value, 4); }
  void read(std::uint64_t offset, std::uint32_t value) { record(sim::Kind::register_read, offset, value, 4); }
  void port_write(std::uint64_t offset, std::uint32_t value) { write(0x100 + offset, value); }

  // The first 8 bytes of a FIS; what FisRecord calls its detail goes beside the length.
  static std::uint64_t head(std::uint8_t type, std::uint8_t flags, std::uint8_t third, std::uint32_t second_dword) {
    return std::uint64_t{second_dword} << 32 | std::uint64_t{third} << 16 | std::uint64_t{flags} << 8 | type;
  }
  void to_host(std::uint8_t type, std::uint32_t bytes, std::uint64_t value, std::uint32_t detail = 0) {
    record(sim::Kind::fis_to_host, type, std::uint64_t{detail} << 32 | bytes, value);
  }
  void to_device(std::uint8_t type, std::uint32_t bytes, std::uint64_t value, std::uint32_t detail = 0) {
    record(sim::Kind::fis_to_device, type, std::uint64_t{detail} << 32 | bytes, value);
  }

  // ---- driver
  void start() { port_write(0x18, 1U << 4 | 1U); }  // PxCMD: FRE, ST
  void stop() { port_write(0x18, 1U << 4); }
  void set_active(std::uint32_t bits) { port_write(0x34, bits); }
  void issue(std::uint32_t bits) { port_write(0x38, bits); }

  // ---- controller
  static bool is_queued_code(std::uint8_t code) { return code >= 0x60 && code <= 0x65; }
  // `sectors` in the count field, or of a queued command in features, with the tag in count(7:3).
  void command(std::uint8_t code, std::uint32_t sectors = 8, std::uint32_t tag = 0, std::uint32_t lba = 0) {
    const bool queued = is_queued_code(code);
    const std::uint64_t features = queued ? sectors : 0;
    const std::uint32_t count = queued ? tag << 3 : sectors;
    to_device(0x27, 20, head(0x27, 0x80, code, lba) | (features & 0xFF) << 24,
              count | static_cast<std::uint32_t>(features >> 8) << 16);
  }
  void control(bool software_reset) { to_device(0x27, 20, head(0x27, 0x00, 0, 0), software_reset ? 0x04000000 : 0); }
  void data_to_device(std::uint32_t payload = 4096) { to_device(0x46, 4 + payload, head(0x46, 0, 0, 0)); }

  // ---- device
  void data_to_host(std::uint32_t payload = 4096) { to_host(0x46, 4 + payload, head(0x46, 0, 0, 0)); }
  void d2h(std::uint8_t status, bool interrupt) { to_host(0x34, 20, head(0x34, interrupt ? 0x40 : 0, status, 0)); }
  void signature() { to_host(0x34, 20, head(0x34, 0, kReady, 0x000001), 1); }
  void release() { d2h(kReady, false); }
  void end() { d2h(kReady, true); }
  void done(std::uint32_t tags, std::uint8_t status = kReady, bool interrupt = true) {
    to_host(0xA1, 8, head(0xA1, interrupt ? 0x40 : 0, status, tags));
  }
  void setup_read(std::uint32_t tag, std::uint32_t bytes = 4096) { to_host(0x41, 28, head(0x41, 0x20, 0, tag), bytes); }
  void setup_write(std::uint32_t tag, bool activate, std::uint32_t bytes = 4096) {
    to_host(0x41, 28, head(0x41, activate ? 0x80 : 0, 0, tag), bytes);
  }
  void activate() { to_host(0x39, 4, head(0x39, 0, 0, 0)); }
  void pio_setup(bool data_in, std::uint8_t end_status, std::uint32_t bytes = 512) {
    to_host(0x5F, 20, head(0x5F, data_in ? 0x60 : 0x40, 0x58, 0), std::uint32_t{end_status} << 24 | bytes);
  }

  // ---- link
  void phy(std::uint32_t status, sata::PhyStep step) {
    record(sim::Kind::phy, status, static_cast<std::uint64_t>(step), 0);
  }
  void phy_ready() { phy(0x123, sata::PhyStep::ready); }
  void phy_lost() { phy(0x000, sata::PhyStep::lost); }
  void power(sata::LinkPower power) { phy(static_cast<std::uint32_t>(power) << 8 | 0x23, sata::PhyStep::power); }
  void link_error(std::uint8_t type, sata::Direction direction, sata::Damage damage) {
    record(sim::Kind::link_error, type, static_cast<std::uint64_t>(direction), static_cast<std::uint64_t>(damage));
  }

  // ---- several at once
  void queued(std::uint8_t code, std::uint32_t tag, std::uint32_t sectors = 8) {
    set_active(1U << tag);
    issue(1U << tag);
    command(code, sectors, tag);
    release();
  }
  void non_queued(std::uint8_t code, std::uint32_t sectors = 8) {
    issue(1);
    command(code, sectors);
  }
  // A queued read of 4 KiB from its DMA Setup on.
  void read_data(std::uint32_t tag) {
    setup_read(tag);
    data_to_host();
    done(1U << tag);
  }
  // An error of a queued command, and the driver's restart of the port.
  void queue_error() {
    done(0, kFailed);
    stop();
    start();
  }
  void read_error_log() {
    issue(1);
    command(kReadLog, 1, 0, 0x10);
    done(0xFFFFFFFF, kReady, false);
    pio_setup(true, kReady);
    data_to_host(512);
  }

  void expect_clean() { EXPECT_EQ(legality_.count(), 0U) << legality_.report(); }
  void expect_one(const std::string& text) {
    ASSERT_EQ(legality_.count(), 1U) << legality_.report();
    EXPECT_NE(legality_.findings()[0].text.find(text), std::string::npos) << legality_.report();
  }

  AhciLegality legality_;
  sim::Time now_ = 0;
};

}  // namespace ncqlab::oracle
