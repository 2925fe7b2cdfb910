// A conversation between driver, controller and device as trace records, one call a record, for the legality tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "testbench/oracle/ahci_legality.h"

namespace ncqlab::oracle {

inline constexpr std::uint8_t kReady = 0x50;
inline constexpr std::uint8_t kReadQueued = 0x60;
inline constexpr std::uint8_t kWriteQueued = 0x61;
inline constexpr std::uint8_t kReadDma = 0x25;
inline constexpr std::uint8_t kWriteDma = 0x35;
inline constexpr std::uint8_t kIdentify = 0xEC;
inline constexpr std::uint8_t kWritePio = 0x34;

class AhciConversation : public testing::Test {
 protected:
  void record(sim::Kind kind, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    now_ += sim::kMicrosecond;
    legality_.on_record({now_, kind, 0, a, b, c});
  }
  void write(std::uint64_t offset, std::uint32_t value) { record(sim::Kind::register_write, offset, value, 4); }
  void port_write(std::uint64_t offset, std::uint32_t value) { write(0x100 + offset, value); }
  static std::uint64_t head(std::uint8_t type, std::uint8_t flags, std::uint8_t third, std::uint32_t second_dword) {
    return std::uint64_t{second_dword} << 32 | std::uint64_t{third} << 16 | std::uint64_t{flags} << 8 | type;
  }
  void to_host(std::uint8_t type, std::uint64_t bytes, std::uint64_t value) {
    record(sim::Kind::fis_to_host, type, bytes, value);
  }

  void start() { port_write(0x18, 1U << 4 | 1U); }  // PxCMD: FRE, ST
  void stop() { port_write(0x18, 1U << 4); }
  void set_active(std::uint32_t bits) { port_write(0x34, bits); }
  void issue(std::uint32_t bits) { port_write(0x38, bits); }
  void command(std::uint8_t code) { record(sim::Kind::fis_to_device, 0x27, 20, head(0x27, 0x80, code, 0)); }
  void read_log(std::uint8_t address) { record(sim::Kind::fis_to_device, 0x27, 20, head(0x27, 0x80, 0x2F, address)); }
  void control() { record(sim::Kind::fis_to_device, 0x27, 20, head(0x27, 0x00, 0, 0)); }
  void data_to_device() { record(sim::Kind::fis_to_device, 0x46, 4100, head(0x46, 0, 0, 0)); }
  void data_to_host(std::uint64_t bytes = 4100) { to_host(0x46, bytes, head(0x46, 0, 0, 0)); }
  void d2h(std::uint8_t status, bool interrupt) { to_host(0x34, 20, head(0x34, interrupt ? 0x40 : 0, status, 0)); }
  void release() { d2h(kReady, false); }
  void done(std::uint32_t tags, std::uint8_t status = kReady) { to_host(0xA1, 8, head(0xA1, 0x40, status, tags)); }
  void setup_read(std::uint32_t tag) { to_host(0x41, 28, head(0x41, 0x20, 0, tag)); }
  void setup_write(std::uint32_t tag, bool activate) { to_host(0x41, 28, head(0x41, activate ? 0x80 : 0, 0, tag)); }
  void activate() { to_host(0x39, 4, head(0x39, 0, 0, 0)); }
  void pio_setup(bool data_in) { to_host(0x5F, 20, head(0x5F, data_in ? 0x20 : 0, 0x58, 0)); }

  void queued(std::uint8_t code, std::uint32_t tag) {
    set_active(1U << tag);
    issue(1U << tag);
    command(code);
    release();
  }
  void non_queued(std::uint8_t code) {
    issue(1);
    command(code);
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
