#include "testbench/tests/driver/mock_platform.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ncqlab::driver {
namespace {

std::uint32_t le32(const std::uint8_t* p) {
  return static_cast<std::uint32_t>(p[0] | p[1] << 8 | p[2] << 16) | static_cast<std::uint32_t>(p[3]) << 24;
}

}  // namespace

MockPlatform::MockPlatform(Ahci& driver) : ahci(driver) {}

void MockPlatform::pass_access() {
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

std::uint32_t MockPlatform::generic_register(std::uint32_t offset) {
  switch (offset) {
    case 0x00:
      return cap;
    case 0x04:
      if (now >= reset_ends_ns) ghc &= ~1U;
      return ghc;
    case 0x08:
      update_interrupt_status();
      return is;
    case 0x0C: {
      std::uint32_t implemented = 0;
      for (const auto& entry : ports) implemented |= 1U << entry.first;
      return implemented;
    }
    case 0x10:
      return 0x00010301;
    case 0x24:
      return cap2;
    case 0x28:
      if (firmware_asked_ns != kStuck && now - firmware_asked_ns >= firmware_lets_go_ns) bohc &= ~0x11U;
      return bohc;
    default:
      ADD_FAILURE() << "read of generic register " << offset;
      return 0;
  }
}

void MockPlatform::write_generic(std::uint32_t offset, std::uint32_t value) {
  switch (offset) {
    case 0x04:
      ghc = value & 0x80000003;
      if ((value & 1) != 0) {
        ghc = 1;
        is = 0;
        reset_ends_ns = hba_reset_ns == kStuck ? kStuck : now + hba_reset_ns;
      }
      break;
    case 0x08:
      is &= ~value;
      update_interrupt_status();
      break;
    case 0x28:
      bohc |= value & 2;
      if (firmware_busy && (bohc & 1) != 0) bohc |= 0x10;
      firmware_asked_ns = now;
      break;
    default:
      ADD_FAILURE() << "write to generic register " << offset;
  }
}

std::uint32_t MockPlatform::task_file(const MockPort& port) const {
  if (port.forced_tfd != 0) return port.forced_tfd;
  if (now < port.link_up_ns) return 0x7F;
  return now - port.link_up_ns < port.ready_delay_ns ? 0x80 : 0x50;
}

std::uint32_t MockPlatform::port_register(MockPort& port, std::uint32_t offset) {
  switch (offset) {
    case 0x10:
      return port.is;
    case 0x18:
      if (now >= port.engine_stops_ns && (port.cmd & 1U) == 0) port.cmd &= ~0x8000U;
      if (now >= port.receive_stops_ns && (port.cmd & 0x10U) == 0) port.cmd &= ~0x4000U;
      return port.cmd;
    case 0x20:
      return task_file(port);
    case 0x24:
      return task_file(port) == 0x50 ? port.signature : 0xFFFFFFFF;
    case 0x28:
      return now >= port.link_up_ns ? 0x123 : 0;
    case 0x30:
      return port.serr;
    case 0x34:
      return port.sact;
    case 0x38:
      return port.ci;
    default:
      ADD_FAILURE() << "read of port register " << offset;
      return 0;
  }
}

void MockPlatform::write_port(unsigned number, std::uint32_t offset, std::uint32_t value) {
  MockPort& port = ports[number];
  switch (offset) {
    case 0x00:
      port.clb = value;
      break;
    case 0x04:
      port.clbu = value;
      break;
    case 0x08:
      port.fb = value;
      break;
    case 0x0C:
      port.fbu = value;
      break;
    case 0x10:
      EXPECT_EQ(value != 0xFFFFFFFF && (value & port.is & 0x00400050) != 0 && port.serr != 0, false)
          << "PxIS bits that hang on PxSERR written before it";
      port.is &= ~value;
      break;
    case 0x14:
      port.ie = value;
      break;
    case 0x18:
      write_command(port, value);
      break;
    case 0x2C:
      write_control(port, value);
      break;
    case 0x30:
      port.serr &= ~value;
      break;
    case 0x34:
      EXPECT_NE(port.cmd & 1U, 0U) << "PxSACT written with ST off";
      port.sact |= value;
      break;
    case 0x38:
      EXPECT_NE(port.cmd & 1U, 0U) << "PxCI written with ST off";
      issue(number, value);
      break;
    default:
      ADD_FAILURE() << "write to port register " << offset;
  }
}

void MockPlatform::write_command(MockPort& port, std::uint32_t value) {
  const std::uint32_t running = port.cmd & 0xC000;
  if ((value & 1) != 0 && (port.cmd & 1) == 0) {
    EXPECT_EQ(task_file(port) & 0x88U, 0U) << "ST set with BSY or DRQ";
    EXPECT_NE(port.cmd & 0x10U, 0U) << "ST set without FRE";
  }
  if ((value & 1) == 0 && (port.cmd & 1) != 0) {
    port.engine_stops_ns = port.stop_delay_ns == kStuck ? kStuck : now + port.stop_delay_ns;
    port.ci = 0;
    port.sact = 0;
  }
  if ((value & 0x10) == 0 && (port.cmd & 0x10) != 0) {
    EXPECT_EQ(port.cmd & 0x8000U, 0U) << "FRE cleared while the command list runs";
    port.receive_stops_ns = port.stop_delay_ns == kStuck ? kStuck : now + port.stop_delay_ns;
  }
  port.cmd = (value & 0x1F) | running | (value & 0x10) << 10 | (value & 1) << 15 | (port.cmd & 0x100000);
}

void MockPlatform::write_control(MockPort& port, std::uint32_t value) {
  const bool was_reset = (port.sctl & 0xF) == 1;
  if ((value & 0xF) == 1) {
    EXPECT_EQ(port.cmd & 1U, 0U) << "COMRESET with ST set";
    if (!was_reset) ++port.comresets;
    port.link_up_ns = kStuck;
    port.forced_tfd = 0;
  } else if (was_reset && port.device && port.link_delay_ns != kStuck) {
    port.link_up_ns = now + port.link_delay_ns;
    port.serr |= 0x04050000;  // what COMRESET leaves: X, N, W
  }
  port.sctl = value;
}

SeenCommand MockPlatform::fetch(const MockPort& port, unsigned slot) {
  SeenCommand command;
  command.slot = slot;
  const std::uint64_t list = port.clb | std::uint64_t{port.clbu} << 32;
  const std::uint8_t* header = memory_at(list + slot * 32, 32);
  command.header.assign(header, header + 32);
  const std::uint64_t table = le32(header + 8) | std::uint64_t{le32(header + 12)} << 32;
  const std::uint32_t prds = le32(header) >> 16;
  const std::uint8_t* bytes = memory_at(table, 0x80 + prds * 16);
  command.fis.assign(bytes, bytes + 20);
  command.prds.assign(bytes + 0x80, bytes + 0x80 + prds * 16);
  return command;
}

void MockPlatform::issue(unsigned number, std::uint32_t slots) {
  MockPort& port = ports[number];
  for (unsigned slot = 0; slot < 32; ++slot) {
    if ((slots >> slot & 1) == 0) continue;
    EXPECT_EQ(port.ci >> slot & 1, 0U) << "slot " << slot << " issued while it is outstanding";
    const SeenCommand command = fetch(port, slot);
    const bool queued = command.fis[2] == 0x60 || command.fis[2] == 0x61;
    EXPECT_EQ(port.sact >> slot & 1, queued ? 1U : 0U) << "PxSACT of slot " << slot;
    if (command.fis[2] == 0xEC) {
      port.ci |= 1U << slot;
      answer_identify(number, command);
      continue;
    }
    // The device accepts a queued command at once.
    if (!queued) port.ci |= 1U << slot;
    port.commands.push_back(command);
  }
}

void MockPlatform::answer_identify(unsigned number, const SeenCommand& command) {
  MockPort& port = ports[number];
  ++port.identifies;
  if (port.identify_fails) {
    fail_task_file(number, 0x51, 0x04);
    return;
  }
  if (!port.answers_identify) return;
  const std::uint64_t buffer = le32(&command.prds[0]) | std::uint64_t{le32(&command.prds[4])} << 32;
  std::memcpy(memory_at(buffer, 512), port.identify.data(), 512);
  port.ci &= ~(1U << command.slot);
  raise(number, 0x2);
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
