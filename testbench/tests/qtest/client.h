// A qtest client for tests: a session on a machine of QEMU's make, and the steps by which a driver gets a command done.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "testbench/frontend/qtest/assemble.h"
#include "testbench/frontend/qtest/session.h"
#include "testbench/frontend/qtest/text.h"

namespace ncqlab::qtest {

class Client {
 public:
  static constexpr std::uint32_t kAbar = 0xE0000000;
  static constexpr std::uint32_t kPort = kAbar + 0x100;
  static constexpr std::uint32_t kList = 0x100000;
  static constexpr std::uint32_t kReceived = 0x101000;
  static constexpr std::uint32_t kTable = 0x102000;
  static constexpr std::uint32_t kBuffer = 0x200000;

  explicit Client(const SystemOptions& options, RunState state = RunState::running)
      : session_({assemble(options), options.step, state, true}) {}
  // One disk of zeros, a GiB large.
  static SystemOptions one_disk() {
    SystemOptions options;
    options.disks.emplace_back();
    return options;
  }

  Session& session() { return session_; }
  Machine& machine() { return session_.machine(); }

  std::string ask(const std::string& line) { return session_.execute(line); }
  std::uint64_t number(const std::string& line) {
    const std::string answer = ask(line);
    EXPECT_EQ(answer.substr(0, 5), "OK 0x") << line;
    return answer.size() > 5 ? std::stoull(answer.substr(5), nullptr, 16) : 0;
  }
  std::uint32_t readl(std::uint32_t address) { return static_cast<std::uint32_t>(number("readl " + hex(address))); }
  void writel(std::uint32_t address, std::uint32_t value) {
    EXPECT_EQ(ask("writel " + hex(address) + " " + hex(value)), "OK\n");
  }
  std::uint32_t config(std::uint32_t offset) {
    ask("outl 0xcf8 " + hex(0x8000FA00 + offset));
    return static_cast<std::uint32_t>(number("inl 0xcfc"));
  }
  void set_config(std::uint32_t offset, std::uint32_t value) {
    ask("outl 0xcf8 " + hex(0x8000FA00 + offset));
    ask("outl 0xcfc " + hex(value));
  }

  // The controller at kAbar, and port 0 started.
  void enable() {
    set_config(0x24, kAbar);
    set_config(0x04, 7);
    writel(kAbar + 4, 0x80000002);
    writel(kPort + 0x00, kList);
    writel(kPort + 0x08, kReceived);
    writel(kPort + 0x14, 0xFFFFFFFF);
    writel(kPort + 0x18, 0x10);
    writel(kPort + 0x18, 0x11);
  }
  // One command in slot 0 with `bytes` at kBuffer. Returns the answer to the write of PxCI.
  std::string issue(std::uint8_t command, std::uint64_t lba, std::uint16_t count, std::uint32_t bytes,
                    bool write = false) {
    const bool queued = command == 0x60 || command == 0x61;
    writel(kList, 5 | (write ? 0x40U : 0) | (bytes != 0 ? 0x10000U : 0));
    writel(kList + 4, 0);
    writel(kList + 8, kTable);
    Bytes fis(20);
    fis[0] = 0x27;
    fis[1] = 0x80;
    fis[2] = command;
    fis[7] = 0x40;
    for (unsigned i = 0; i < 3; ++i) {
      fis[4 + i] = static_cast<std::uint8_t>(lba >> (8 * i));
      fis[8 + i] = static_cast<std::uint8_t>(lba >> (24 + 8 * i));
    }
    fis[queued ? 3 : 12] = static_cast<std::uint8_t>(count);
    fis[queued ? 11 : 13] = static_cast<std::uint8_t>(count >> 8);
    ask("write " + hex(kTable) + " 20 0x" + to_hex(fis));
    writel(kTable + 0x80, kBuffer);
    writel(kTable + 0x84, 0);
    writel(kTable + 0x8C, bytes - 1);
    if (queued) writel(kPort + 0x34, 1);
    return ask("writel " + hex(kPort + 0x38) + " 1");
  }
  // Until PxCI and PxSACT are 0, or the poll gives up.
  bool finish() {
    for (int polls = 0; polls < 1000; ++polls) {
      if (readl(kPort + 0x38) == 0 && readl(kPort + 0x34) == 0) return true;
    }
    return false;
  }
  bool command(std::uint8_t code, std::uint64_t lba, std::uint16_t count, std::uint32_t bytes, bool write = false) {
    issue(code, lba, count, bytes, write);
    return finish();
  }

  static std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
  }

 private:
  Session session_;
};

}  // namespace ncqlab::qtest
