// Whatever comes: every line that is no comment has one answer that begins with OK or FAIL, nothing crashes, and the
// machine still works. Lines come from a named stream, so that a failure repeats.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "model/sim/random.h"
#include "testbench/frontend/qtest/json_stream.h"
#include "testbench/frontend/qtest/line_buffer.h"
#include "testbench/frontend/qtest/monitor.h"
#include "testbench/tests/qtest/client.h"

namespace ncqlab::qtest {
namespace {

class Lines {
 public:
  explicit Lines(std::uint64_t seed) : stream_(seed, "qtest/hostile") {}

  std::string next() {
    switch (stream_.below(16)) {
      case 0:
        return noise();
      case 1:
        return word() + " " + noise();
      default:
        break;
    }
    std::string line = word();
    for (std::uint64_t arguments = stream_.below(5); arguments > 0; --arguments) line += ' ' + argument();
    return line;
  }

 private:
  template <std::size_t kCount>
  std::string pick(const char* const (&choices)[kCount]) {
    return choices[stream_.below(kCount)];
  }
  std::string word() {
    static constexpr const char* kWords[] = {"outb",
                                             "outw",
                                             "outl",
                                             "inb",
                                             "inw",
                                             "inl",
                                             "writeb",
                                             "writew",
                                             "writel",
                                             "writeq",
                                             "readb",
                                             "readw",
                                             "readl",
                                             "readq",
                                             "read",
                                             "write",
                                             "memset",
                                             "b64read",
                                             "b64write",
                                             "endianness",
                                             "clock_step",
                                             "clock_set",
                                             "irq_intercept_in",
                                             "writel",
                                             "writel",
                                             "outl",
                                             "set_irq_in",
                                             "module_load",
                                             "rtas",
                                             ""};
    return pick(kWords);
  }
  std::string noise() {
    std::string text;
    for (std::uint64_t count = stream_.below(60); count > 0; --count) {
      const char c = static_cast<char>(stream_.below(256));
      text += c == '\n' ? ' ' : c;
    }
    return text;
  }
  // Mostly addresses and values at which something happens.
  std::string argument() {
    static constexpr const char* kWords[] = {"0xcf8",      "0xcfc",
                                             "0x510",      "0x511",
                                             "0x8000fa24", "0x8000fa04",
                                             "0xe0000000", "7",
                                             "0x100000",   "0xb00fa000",
                                             "Zm9v",       "0x0102030405060708",
                                             "ioapic",     "0xffffffffffffffff",
                                             "-1",         "18446744073709551616",
                                             "0x",         "08",
                                             "="};
    switch (stream_.below(5)) {
      case 0:
        return pick(kWords);
      case 1:
        return Client::hex(Client::kAbar + stream_.below(0x1100));
      case 2:
        return Client::hex(stream_.below(0x100) << stream_.below(57));
      case 3:
        return std::to_string(stream_.below(70));
      default:
        return Client::hex(stream_.next() >> stream_.below(64));
    }
  }

  sim::Stream stream_;
};

bool is_one_answer(const std::string& text) {
  std::string_view left = text;
  while (left.substr(0, 4) == "IRQ ") left.remove_prefix(left.find('\n') + 1);
  const bool begins = left.substr(0, 2) == "OK" || left.substr(0, 4) == "FAIL";
  return begins && left.find('\n') == left.size() - 1;
}

TEST(QtestHostile, EveryLineHasOneAnswerAndTheMachineStillWorks) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Client client(Client::one_disk());
    client.enable();
    Lines lines(seed);
    for (int i = 0; i < 500; ++i) {
      const std::string line = lines.next();
      const std::string answer = client.ask(line);
      if (answer.empty()) continue;
      ASSERT_TRUE(is_one_answer(answer)) << "seed " << seed << ", line " << i << ": " << shown(line);
    }
    client.ask("outl 0xcf8 0x8000fa04");
    client.ask("outl 0xcfc 0");
    EXPECT_EQ(client.config(0), 0x29228086U) << "seed " << seed;
  }
}

// Valid accesses only, but to any register with any value: the controller and the disk are what is tried here.
TEST(QtestHostile, RegistersTakeAnyValueAtAnyTime) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Client client(Client::one_disk());
    client.enable();
    client.issue(0x60, 0, 8, 4096);
    sim::Stream stream(seed, "qtest/registers");
    for (int i = 0; i < 500; ++i) {
      const auto offset = static_cast<std::uint32_t>(stream.below(0x400));
      const std::uint64_t value = stream.next() >> stream.below(64);
      const std::uint64_t memory = Client::kList + stream.below(0x2200);
      client.ask("writeb " + Client::hex(memory) + " " + Client::hex(value & 0xFF));
      client.ask((stream.below(2) == 0 ? "writel " : "writeb ") + Client::hex(Client::kAbar + offset) + " " +
                 Client::hex(value));
    }
    EXPECT_EQ(client.config(0), 0x29228086U) << "seed " << seed;
  }
}

TEST(QtestHostile, AMonitorAnswersNoiseWithErrors) {
  Client client(Client::one_disk());
  Monitor monitor(client.session());
  sim::Stream stream(1, "qtest/monitor");
  JsonStream objects;
  for (int i = 0; i < 20'000; ++i) {
    static constexpr char kCharacters[] = "{{}}[]\"\"\\:,ae \n0-\xff";
    objects.append(std::string(1, kCharacters[stream.below(sizeof kCharacters - 1)]));
    while (const auto object = objects.next()) {
      const std::string answer = object->refused ? monitor.refuse() : monitor.execute(object->text);
      ASSERT_NE(answer.find("\"error\""), std::string::npos);
    }
  }
}

TEST(QtestHostile, AHistoryWithAnyByteChangedIsReplayedOrRefused) {
  Client source(Client::one_disk());
  source.enable();
  ASSERT_TRUE(source.command(0xEC, 0, 0, 512));
  const std::string history = source.session().history();
  sim::Stream stream(1, "qtest/history");
  for (int i = 0; i < 200; ++i) {
    std::string changed = history;
    changed[stream.below(changed.size())] = static_cast<char>(stream.below(256));
    Client target(Client::one_disk(), RunState::inmigrate);
    try {
      target.session().migrate_here(changed);
    } catch (const std::runtime_error&) {
      EXPECT_EQ(target.session().state(), RunState::inmigrate);
    }
  }
}

// ---- public reproducers of faults in QEMU's AHCI, one file each; the file says where it comes from

class QtestReproducer : public testing::TestWithParam<const char*> {};

TEST_P(QtestReproducer, EndsWithoutACrashWhateverIsPlugged) {
  std::ifstream file(std::string("testbench/tests/qtest/data/") + GetParam() + ".qtest");
  const std::string script((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  ASSERT_FALSE(script.empty());
  for (const auto kind : {DiskDevice::Kind::disk, DiskDevice::Kind::cdrom}) {
    SystemOptions options;
    options.ram_bytes = 512ULL << 20;
    for (unsigned port = 0; port < 6; ++port) {
      options.disks.emplace_back();
      options.disks.back().kind = kind;
    }
    Client client(options);
    LineBuffer lines(kLongestLine);
    lines.append(script);
    while (const auto line = lines.next()) {
      const std::string answer = client.ask(line->text);
      EXPECT_TRUE(answer.empty() || answer == "OK\n") << line->text << ": " << answer;
    }
    client.ask("clock_step 1000000000");
    EXPECT_EQ(client.config(0), 0x29228086U);
  }
}

INSTANTIATE_TEST_SUITE_P(All, QtestReproducer,
                         testing::Values("clb_outside_memory", "command_header_gone", "detection_left_armed",
                                         "detection_left_armed_as_found", "queued_read_without_prd_table",
                                         "queued_write_to_cdrom", "read_without_prd_table"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace ncqlab::qtest
