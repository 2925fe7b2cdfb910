// What the mock controller's registers do.
#include <gtest/gtest.h>

#include <cstring>

#include "testbench/tests/driver/mock_platform.h"

namespace ncqlab::driver {
namespace {

std::uint32_t le32(const std::uint8_t* p) {
  return static_cast<std::uint32_t>(p[0] | p[1] << 8 | p[2] << 16) | static_cast<std::uint32_t>(p[3]) << 24;
}

}  // namespace

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

}  // namespace ncqlab::driver
