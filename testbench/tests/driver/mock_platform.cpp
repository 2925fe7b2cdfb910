#include "testbench/tests/driver/mock_platform.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <stdexcept>

namespace ncqlab::driver {
MockPlatform::MockPlatform(Ahci& driver) : ahci(driver) {}

void MockPlatform::pass_access() {
  // An interrupt whose cause is never cleared, a register polled for ever: the test fails instead of filling memory.
  if (++accesses_ > kMostAccesses)
    throw std::runtime_error("a million register accesses: the driver goes round in circles");
  now += access_ns;
  if (removed_after-- == 0) removed = true;
  maybe_interrupt();
}

std::uint32_t MockPlatform::read32(std::uint32_t offset) {
  pass_access();
  std::uint32_t value = 0xFFFFFFFF;
  if (!removed) {
    const unsigned number = (offset - 0x100) / 0x80;
    if (offset < 0x100) {
      value = generic_register(offset);
    } else if (ports.count(number) != 0) {
      value = port_register(ports[number], offset % 0x80);
    } else {
      ADD_FAILURE() << "read of a port that isn't implemented: " << number;
    }
  }
  calls.push_back({Call::Kind::read, offset, value, now});
  return value;
}

void MockPlatform::write32(std::uint32_t offset, std::uint32_t value) {
  pass_access();
  calls.push_back({Call::Kind::write, offset, value, now});
  if (removed) return;
  const unsigned number = (offset - 0x100) / 0x80;
  if (offset < 0x100) {
    write_generic(offset, value);
  } else if (ports.count(number) != 0) {
    write_port(number, offset % 0x80, value);
  } else {
    ADD_FAILURE() << "write to a port that isn't implemented: " << number;
  }
}

void MockPlatform::complete(unsigned number, std::uint32_t slots) {
  MockPort& port = ports[number];
  const bool queued = (port.sact & slots) != 0;
  port.sact &= ~slots;
  port.ci &= ~slots;
  raise(number, queued ? 0x8 : 0x1);
}

void MockPlatform::raise(unsigned number, std::uint32_t status) {
  ports[number].is |= status;
  update_interrupt_status();
}

void MockPlatform::fail_task_file(unsigned number, std::uint8_t status, std::uint8_t error) {
  ports[number].forced_tfd = status | static_cast<std::uint32_t>(error) << 8;
  raise(number, 0x40000000);
}

void MockPlatform::unplug(unsigned number) {
  MockPort& port = ports[number];
  port.device = false;
  port.link_up_ns = kStuck;
  port.serr |= 0x00010000;
  raise(number, 0x00400000);
}

void MockPlatform::update_interrupt_status() {
  for (const auto& entry : ports) {
    if ((entry.second.is & entry.second.ie) != 0) is |= 1U << entry.first;
  }
}

bool MockPlatform::interrupt_pending() const { return removed || ((ghc & 2) != 0 && is != 0); }

void MockPlatform::maybe_interrupt() {
  if (!interrupts_inside || masked_ || in_interrupt_ || !interrupt_pending()) return;
  deliver();
  timer_ns = now;  // service() has to follow
}

bool MockPlatform::deliver() {
  in_interrupt_ = true;
  const bool ours = ahci.interrupt();
  in_interrupt_ = false;
  return ours;
}

bool MockPlatform::allocate_dma(std::size_t bytes, std::size_t alignment, DmaMemory& out) {
  if (allocations_left == 0) return false;
  --allocations_left;
  next_bus_address = (next_bus_address + alignment - 1) & ~std::uint64_t{alignment - 1};
  pieces_.push_back(std::make_unique<Piece>(Piece{next_bus_address, std::vector<std::uint8_t>(bytes)}));
  next_bus_address += bytes;
  out = DmaMemory{pieces_.back()->bytes.data(), pieces_.back()->bus_address, bytes};
  return true;
}

std::uint8_t* MockPlatform::memory_at(std::uint64_t bus_address, std::size_t bytes) {
  for (const auto& piece : pieces_) {
    if (bus_address >= piece->bus_address && bus_address + bytes <= piece->bus_address + piece->bytes.size()) {
      return piece->bytes.data() + (bus_address - piece->bus_address);
    }
  }
  ADD_FAILURE() << "the controller looks at memory that isn't its own: " << bus_address;
  static std::vector<std::uint8_t> nowhere(1 << 20);
  return nowhere.data();
}

void MockPlatform::sync_for_device(const DmaMemory& memory, std::size_t offset, std::size_t bytes) {
  EXPECT_LE(offset + bytes, memory.bytes);
  calls.push_back({Call::Kind::sync_for_device, 0, memory.bus_address + offset, now});
}

void MockPlatform::sync_for_cpu(const DmaMemory& memory, std::size_t offset, std::size_t bytes) {
  EXPECT_LE(offset + bytes, memory.bytes);
  calls.push_back({Call::Kind::sync_for_cpu, 0, memory.bus_address + offset, now});
}

void MockPlatform::write_barrier() { calls.push_back({Call::Kind::barrier, 0, 0, now}); }

void MockPlatform::set_timer(std::uint64_t deadline_ns) {
  timer_ns = deadline_ns;
  calls.push_back({Call::Kind::timer, 0, deadline_ns, now});
}

void MockPlatform::delay_ns(std::uint32_t ns) {
  EXPECT_LE(ns, 10'000U);
  now += ns;
  calls.push_back({Call::Kind::delay, 0, ns, now});
  maybe_interrupt();
}

void MockPlatform::mask_interrupt() {
  EXPECT_FALSE(masked_) << "mask_interrupt() nested";
  masked_ = true;
  calls.push_back({Call::Kind::mask, 0, 0, now});
}

void MockPlatform::unmask_interrupt() {
  EXPECT_TRUE(masked_) << "unmask_interrupt() without mask_interrupt()";
  masked_ = false;
  calls.push_back({Call::Kind::unmask, 0, 0, now});
  maybe_interrupt();
}

void MockPlatform::run(std::uint64_t duration_ns, const std::function<bool()>& done) {
  const std::uint64_t end = now + duration_ns;
  while (!done()) {
    if (interrupt_pending() && deliver()) {
      ahci.service();
    } else if (timer_ns <= end) {
      now = now < timer_ns ? timer_ns : now;
      timer_ns = kNever;
      ahci.service();
    } else {
      now = now < end ? end : now;
      return;
    }
  }
}

void MockPlatform::run_deaf(std::uint64_t duration_ns) {
  const std::uint64_t end = now + duration_ns;
  while (timer_ns <= end) {
    now = now < timer_ns ? timer_ns : now;
    timer_ns = kNever;
    ahci.service();
  }
  now = end;
}

namespace {

std::string describe(const Call& call) {
  static const std::map<std::uint32_t, std::string> kGeneric = {
      {0x00, "CAP"}, {0x04, "GHC"}, {0x08, "IS"}, {0x0C, "PI"}, {0x10, "VS"}, {0x24, "CAP2"}, {0x28, "BOHC"}};
  static const std::map<std::uint32_t, std::string> kPort = {
      {0x00, "PxCLB"},  {0x04, "PxCLBU"}, {0x08, "PxFB"},   {0x0C, "PxFBU"}, {0x10, "PxIS"},
      {0x14, "PxIE"},   {0x18, "PxCMD"},  {0x20, "PxTFD"},  {0x24, "PxSIG"}, {0x28, "PxSSTS"},
      {0x2C, "PxSCTL"}, {0x30, "PxSERR"}, {0x34, "PxSACT"}, {0x38, "PxCI"}};
  const std::string name = call.offset < 0x100 ? kGeneric.at(call.offset) : kPort.at(call.offset % 0x80);
  char value[16];
  std::snprintf(value, sizeof(value), "%08X", static_cast<unsigned>(call.value));
  return (call.kind == Call::Kind::read ? "read " : "") + name + (call.kind == Call::Kind::read ? "" : "=") +
         (call.kind == Call::Kind::read ? "" : value);
}

}  // namespace

std::vector<std::string> MockPlatform::writes(std::size_t from) const {
  std::vector<std::string> lines;
  for (std::size_t i = from; i < calls.size(); ++i) {
    if (calls[i].kind == Call::Kind::write) lines.push_back(describe(calls[i]));
  }
  return lines;
}

std::vector<std::string> MockPlatform::accesses(std::size_t from) const {
  std::vector<std::string> lines;
  for (std::size_t i = from; i < calls.size(); ++i) {
    if (calls[i].kind == Call::Kind::write || calls[i].kind == Call::Kind::read) lines.push_back(describe(calls[i]));
  }
  return lines;
}

std::vector<std::uint8_t> identify_data(std::uint64_t sectors, unsigned queue_depth) {
  std::vector<std::uint8_t> data(512);
  const auto text = [&data](unsigned first, unsigned words, std::string string) {
    string.resize(2 * words, ' ');
    for (unsigned i = 0; i < 2 * words; ++i) data[2 * first + (i ^ 1U)] = static_cast<std::uint8_t>(string[i]);
  };
  set_word(data, 0, 0x0040);
  text(10, 10, "            9QJ00001");
  text(23, 4, "SD15");
  text(27, 20, "ST31000340AS");
  set_word(data, 49, 0x0300);
  set_word(data, 75, static_cast<std::uint16_t>(queue_depth - 1));
  set_word(data, 76, 0x0106);
  set_word(data, 82, 0x0060);
  set_word(data, 83, 0x6400);
  set_word(data, 84, 0x4040);
  set_word(data, 85, 0x0060);
  for (unsigned i = 0; i < 4; ++i) set_word(data, 100 + i, static_cast<std::uint16_t>(sectors >> (16 * i)));
  return data;
}

void set_word(std::vector<std::uint8_t>& identify, unsigned index, std::uint16_t value) {
  identify[2 * index] = static_cast<std::uint8_t>(value);
  identify[2 * index + 1] = static_cast<std::uint8_t>(value >> 8);
}

}  // namespace ncqlab::driver
