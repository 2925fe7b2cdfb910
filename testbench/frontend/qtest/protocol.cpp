#include "testbench/frontend/qtest/protocol.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "testbench/frontend/qtest/text.h"

namespace ncqlab::qtest {

namespace {

constexpr std::uint64_t kPorts = 0x10000;
constexpr std::size_t kFillPiece = 64U << 10;

std::string hex_answer(std::uint64_t value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "OK 0x%0*llx", digits, static_cast<unsigned long long>(value));
  return text;
}

std::string fail(std::string_view command, const std::string& what) {
  return "FAIL " + std::string(command) + ": " + what;
}

std::string no_number(std::string_view command, std::string_view word) {
  return fail(command, "'" + shown(word) + "' is no number");
}

std::string too_many_bytes(std::string_view command) {
  return fail(command, "more than " + std::to_string(kMostBytes) + " bytes");
}

// Of readb, outw and so on: what the command's last letter stands for.
unsigned width_of(std::string_view command) {
  switch (command.back()) {
    case 'b':
      return 1;
    case 'w':
      return 2;
    case 'l':
      return 4;
    default:
      return 8;
  }
}

// In QEMU's machine tree the I/O APIC is found by its name, with or without a path before it.
bool is_ioapic(std::string_view path) { return path.substr(path.rfind('/') + 1) == "ioapic"; }

}  // namespace

const std::map<std::string_view, Protocol::Command>& Protocol::commands() {
  static constexpr const char* kAddressValue = "ADDRESS VALUE";
  static constexpr const char* kAddressLength = "ADDRESS LENGTH";
  static constexpr const char* kAddressLengthData = "ADDRESS LENGTH DATA";
  static const std::map<std::string_view, Command> kCommands = {
      {"outb", {&Protocol::port_out, 2, kAddressValue}},
      {"outw", {&Protocol::port_out, 2, kAddressValue}},
      {"outl", {&Protocol::port_out, 2, kAddressValue}},
      {"inb", {&Protocol::port_in, 1, "ADDRESS"}},
      {"inw", {&Protocol::port_in, 1, "ADDRESS"}},
      {"inl", {&Protocol::port_in, 1, "ADDRESS"}},
      {"writeb", {&Protocol::write_value, 2, kAddressValue}},
      {"writew", {&Protocol::write_value, 2, kAddressValue}},
      {"writel", {&Protocol::write_value, 2, kAddressValue}},
      {"writeq", {&Protocol::write_value, 2, kAddressValue}},
      {"readb", {&Protocol::read_value, 1, "ADDRESS"}},
      {"readw", {&Protocol::read_value, 1, "ADDRESS"}},
      {"readl", {&Protocol::read_value, 1, "ADDRESS"}},
      {"readq", {&Protocol::read_value, 1, "ADDRESS"}},
      {"read", {&Protocol::read, 2, kAddressLength}},
      {"write", {&Protocol::write, 3, kAddressLengthData}},
      {"memset", {&Protocol::fill, 3, "ADDRESS LENGTH VALUE"}},
      {"b64read", {&Protocol::base64_read, 2, kAddressLength}},
      {"b64write", {&Protocol::base64_write, 3, kAddressLengthData}},
      {"endianness", {&Protocol::endianness, 0, ""}},
      {"clock_step", {&Protocol::clock_step, 0, "", true}},
      {"clock_set", {&Protocol::clock_set, 1, "NANOSECONDS", true}},
      {"irq_intercept_in", {&Protocol::intercept, 1, "DEVICE"}},
      {"irq_intercept_out", {&Protocol::intercept, 1, "DEVICE"}},
      {"set_irq_in", {&Protocol::set_irq_in, 4, "DEVICE NAME LINE LEVEL"}},
      {"module_load", {&Protocol::module_load, 2, "PREFIX NAME"}},
  };
  return kCommands;
}

std::string Protocol::execute(std::string_view line) {
  const Words words = words_of(line);
  if (words.empty() || words[0][0] == '#') return {};
  const auto found = commands().find(words[0]);
  std::string answer;
  bool takes_step = true;
  if (found == commands().end()) {
    answer = "FAIL Unknown command '" + shown(words[0]) + "'";
  } else if (const Command& command = found->second; words.size() <= command.arguments) {
    answer = fail(words[0], "expected " + std::string(command.form));
  } else {
    answer = (this->*command.handler)(words);
    takes_step = !command.clock;
  }
  if (takes_step) guest_->run_until(std::min(guest_->now() + step_, kClockLimit));
  return irq_lines() + answer + '\n';
}

std::string Protocol::refuse_long_line() const {
  return "FAIL A line of more than " + std::to_string(kLongestLine) + " characters\n";
}

std::string Protocol::irq_lines() {
  std::string lines;
  for (const IrqEdge& edge : guest_->take_irq_edges()) {
    if (!intercepting_ || irq_levels_[edge.line] == edge.raised) continue;
    irq_levels_[edge.line] = edge.raised;
    lines += std::string("IRQ ") + (edge.raised ? "raise " : "lower ") + std::to_string(edge.line) + '\n';
  }
  return lines;
}

std::string Protocol::port_out(const Words& words) {
  const auto port = parse_number(words[1]);
  const auto value = parse_number(words[2]);
  if (!port) return no_number(words[0], words[1]);
  if (!value) return no_number(words[0], words[2]);
  if (*port >= kPorts) return fail(words[0], "ports end at 0xffff");
  const unsigned bytes = width_of(words[0]);
  const std::uint64_t mask = (1ULL << (8 * bytes)) - 1;
  guest_->port_write(static_cast<std::uint16_t>(*port), static_cast<std::uint32_t>(*value & mask), bytes);
  return "OK";
}

std::string Protocol::port_in(const Words& words) {
  const auto port = parse_number(words[1]);
  if (!port) return no_number(words[0], words[1]);
  if (*port >= kPorts) return fail(words[0], "ports end at 0xffff");
  return hex_answer(guest_->port_read(static_cast<std::uint16_t>(*port), width_of(words[0])), 4);
}

std::string Protocol::write_value(const Words& words) {
  const auto address = parse_number(words[1]);
  const auto value = parse_number(words[2]);
  if (!address) return no_number(words[0], words[1]);
  if (!value) return no_number(words[0], words[2]);
  std::uint8_t bytes[8];
  for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(*value >> (8 * i));
  guest_->memory_write(*address, bytes, width_of(words[0]));
  return "OK";
}

std::string Protocol::read_value(const Words& words) {
  const auto address = parse_number(words[1]);
  if (!address) return no_number(words[0], words[1]);
  std::uint8_t bytes[8] = {};
  guest_->memory_read(*address, bytes, width_of(words[0]));
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 8; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return hex_answer(value, 16);
}

std::string Protocol::read(const Words& words) {
  const auto address = parse_number(words[1]);
  const auto length = parse_number(words[2]);
  if (!address) return no_number(words[0], words[1]);
  if (!length) return no_number(words[0], words[2]);
  if (*length == 0) return fail(words[0], "no bytes");  // "0x" alone would mean nothing to a client
  if (*length > kMostBytes) return too_many_bytes(words[0]);
  Bytes bytes(*length);
  guest_->memory_read(*address, bytes.data(), bytes.size());
  return "OK 0x" + to_hex(bytes);
}

// What the digits don't fill is zeros, and digits beyond the length are ignored, as in QEMU.
std::string Protocol::write(const Words& words) {
  const auto address = parse_number(words[1]);
  const auto length = parse_number(words[2]);
  if (!address) return no_number(words[0], words[1]);
  if (!length) return no_number(words[0], words[2]);
  if (*length > kMostBytes) return too_many_bytes(words[0]);
  if (words[3].size() < 3 || words[3].substr(0, 2) != "0x") return fail(words[0], "the data begin with 0x");
  auto bytes = from_hex(words[3].substr(2));
  if (!bytes) return fail(words[0], "the data are pairs of hexadecimal digits");
  bytes->resize(*length);
  guest_->memory_write(*address, bytes->data(), bytes->size());
  return "OK";
}

std::string Protocol::fill(const Words& words) {
  const auto address = parse_number(words[1]);
  const auto length = parse_number(words[2]);
  const auto value = parse_number(words[3]);
  if (!address) return no_number(words[0], words[1]);
  if (!length) return no_number(words[0], words[2]);
  if (!value) return no_number(words[0], words[3]);
  if (*length > kMostBytes) return too_many_bytes(words[0]);
  const Bytes piece(std::min<std::size_t>(*length, kFillPiece), static_cast<std::uint8_t>(*value));
  for (std::uint64_t done = 0; done < *length; done += piece.size()) {
    guest_->memory_write(*address + done, piece.data(), std::min<std::size_t>(piece.size(), *length - done));
  }
  return "OK";
}

std::string Protocol::base64_read(const Words& words) {
  const auto address = parse_number(words[1]);
  const auto length = parse_number(words[2]);
  if (!address) return no_number(words[0], words[1]);
  if (!length) return no_number(words[0], words[2]);
  if (*length > kMostBytes) return too_many_bytes(words[0]);
  Bytes bytes(*length);
  guest_->memory_read(*address, bytes.data(), bytes.size());
  return "OK " + to_base64(bytes);
}

std::string Protocol::base64_write(const Words& words) {
  const auto address = parse_number(words[1]);
  const auto length = parse_number(words[2]);
  if (!address) return no_number(words[0], words[1]);
  if (!length) return no_number(words[0], words[2]);
  if (*length > kMostBytes) return too_many_bytes(words[0]);
  const auto bytes = from_base64(words[3]);
  if (!bytes) return fail(words[0], "the data are no Base64");
  if (bytes->size() != *length) {
    return fail(words[0], "told " + std::to_string(*length) + " bytes, found " + std::to_string(bytes->size()));
  }
  guest_->memory_write(*address, bytes->data(), bytes->size());
  return "OK";
}

std::string Protocol::endianness(const Words& /*words*/) { return "OK little"; }

std::string Protocol::run_clock(sim::Time until) {
  guest_->run_until(until);
  return "OK " + std::to_string(guest_->now() / sim::kNanosecond);
}

// Without an argument: to the next thing that happens by itself.
std::string Protocol::clock_step(const Words& words) {
  if (words.size() == 1) {
    const sim::Time next = guest_->next_event();
    return run_clock(next == sim::kNever ? guest_->now() : std::min(next, kClockLimit));
  }
  const auto step = parse_number(words[1]);
  if (!step) return no_number(words[0], words[1]);
  if (*step > static_cast<std::uint64_t>((kClockLimit - guest_->now()) / sim::kNanosecond)) {
    return fail(words[0], "the clock ends at 2400 h");
  }
  return run_clock(guest_->now() + static_cast<sim::Time>(*step) * sim::kNanosecond);
}

std::string Protocol::clock_set(const Words& words) {
  const auto to = parse_number(words[1]);
  if (!to) return no_number(words[0], words[1]);
  if (*to > static_cast<std::uint64_t>(kClockLimit / sim::kNanosecond)) {
    return fail(words[0], "the clock ends at 2400 h");
  }
  return run_clock(static_cast<sim::Time>(*to) * sim::kNanosecond);
}

// The I/O APIC is the only device whose inputs there are to see; it has no outputs.
std::string Protocol::intercept(const Words& words) {
  if (!is_ioapic(words[1])) return "FAIL Unknown device";
  if (words[0] == "irq_intercept_in") intercepting_ = true;
  return "OK";
}

std::string Protocol::set_irq_in(const Words& /*words*/) { return "FAIL Unknown device"; }

std::string Protocol::module_load(const Words& /*words*/) { return "FAIL There are no modules"; }

}  // namespace ncqlab::qtest
