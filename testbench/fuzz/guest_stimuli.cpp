// What a guest does that keeps no rule.
#include <algorithm>
#include <cstring>

#include "testbench/fuzz/stimuli.h"

namespace ncqlab::fuzz {

using namespace hba;  // NOLINT: registers on every line

void Stimuli::step() {
  switch (input_.below(20)) {
    case 0:
      return start_port();
    case 1:
      return write_port();
    case 2:
      return write_anywhere();
    case 3:
      return read_anywhere();
    case 4:
      return machine_.pass(sim::Time{input_.word()} * 100 * sim::kNanosecond);
    case 5:
      return machine_.pass(sim::Time{input_.byte()} * sim::kMillisecond);
    case 6:
      return machine_.settle(100 * sim::kMillisecond);
    case 7:
    case 8:
      return build_command();
    case 9:
      return issue();
    case 10:
      return store_anything();
    case 11:
      return access_configuration();
    case 12:
      return access_through_bars();
    case 13:
      return change_memory();
    case 14:
      return reset_something();
    case 15:
      return choose_manner();
    case 16:
      return send_known_frame();
    case 17:
      return send_any_frame();
    case 18:
      return disturb_frames();
    default:
      return disturb_link();
  }
}

// Mostly somewhere in memory; else among the registers, or anywhere.
std::uint64_t Stimuli::any_address() {
  switch (input_.below(8)) {
    case 0:
      return Machine::kRegisters + input_.below(0x2010);
    case 1:
      return input_.little_endian(8);
    default:
      return machine_.memory.address(input_.word());
  }
}

void Stimuli::start_port() {
  const unsigned port = any_port();
  machine_.place_structures(port);
  if (input_.flag()) machine_.set_port(port, kPxIE, 0xFFFFFFFF);
  if (input_.flag()) machine_.settle(100 * sim::kMillisecond);
  machine_.start(port);
}

void Stimuli::write_port() {
  const unsigned port = any_port();
  const std::uint32_t offset = input_.below(kPxDEVSLP / 4 + 1) * 4;
  const std::uint32_t before = machine_.port(port, offset);
  // As often a bit that changes as any value.
  machine_.set_port(port, offset, input_.flag() ? input_.dword() : before ^ 1U << input_.below(32));
}

void Stimuli::write_anywhere() {
  const std::uint64_t offset = input_.word() % 0x2100;
  const unsigned bytes = 1 + input_.below(8);
  machine_.controller().write(offset, input_.little_endian(bytes), bytes);
}

void Stimuli::read_anywhere() {
  const std::uint64_t offset = input_.word() % 0x2100;
  machine_.controller().read(offset, 1 + input_.below(8));
}

void Stimuli::issue() {
  const unsigned port = any_port();
  std::uint32_t slots = 1U << input_.below(32);
  const std::uint8_t how = input_.byte();
  if ((how & 2) != 0) slots |= input_.dword();
  if ((how & 1) != 0) machine_.set_port(port, kPxSACT, slots);
  if ((how & 4) == 0) machine_.set_port(port, kPxCI, slots);
}

// A command that is right in most of what it says.
void Stimuli::build_command() {
  static constexpr std::uint8_t kCommands[] = {0x25, 0x35, 0x60, 0x61, 0xEC, 0x24, 0x34, 0x2F,
                                               0x63, 0x64, 0x65, 0xEF, 0xE7, 0x06, 0xA0, 0x47};
  const unsigned port = any_port();
  const unsigned slot = input_.below(32);
  sata::RegisterH2D fis;
  const std::uint8_t which = input_.byte();
  fis.command_bit = which != 255;
  fis.command = which < 240 ? kCommands[which % 16] : input_.byte();
  fis.control = which == 255 ? input_.byte() : 0;
  fis.device = 0x40;
  fis.lba = input_.word();
  const bool queued = fis.command >= 0x60 && fis.command <= 0x65;
  fis.count = queued ? static_cast<std::uint16_t>(slot << 3 | input_.byte() % 8) : input_.byte();
  fis.features = input_.byte();
  fis.auxiliary = input_.byte();
  const sata::Frame frame = sata::encode(machine_.pool, fis);
  std::uint8_t* table = machine_.table(slot);
  std::memcpy(table, frame.data(), frame.size());
  if (fis.command == 0xA0) {
    for (std::uint32_t i = 0; i < 6; ++i) table[kAtapiOffset + i] = input_.byte();
  }

  // DW0 of the header: CFL of 5, and bits of A, W, P, R, B, C in one byte.
  std::uint32_t prds = input_.below(8);
  const std::uint32_t described = prds;
  if (prds == 7) prds = input_.word();
  machine_.write_header(port, slot, 5 | std::uint32_t{input_.byte()} << 5 | prds << 16);
  for (std::uint32_t i = 0; i < described; ++i) {
    const std::uint64_t address = any_address();
    std::uint8_t* prd = table + kPrdTableOffset + i * kPrd_bytes;
    store32(prd, static_cast<std::uint32_t>(address));
    store32(prd + 4, static_cast<std::uint32_t>(address >> 32));
    store32(prd + 12, std::uint32_t{input_.word()} | (input_.flag() ? 1U << 31 : 0));
  }
}

void Stimuli::store_anything() {
  const std::uint32_t at = input_.word();
  const std::uint32_t count = std::min(1 + input_.below(16), GuestMemory::kBytes - at);
  for (std::uint32_t i = 0; i < count; ++i) *machine_.memory.cpu(at + i) = input_.byte();
}

void Stimuli::access_configuration() {
  const std::uint32_t offset = input_.below(0x110) & 0xFF;
  const unsigned bytes = 1 + input_.below(4);
  if (input_.flag()) {
    machine_.function.config_write(offset, input_.dword(), bytes);
  } else {
    machine_.function.config_read(offset, bytes);
  }
}

void Stimuli::access_through_bars() {
  const unsigned bytes = 1 + input_.below(8);
  const bool io = input_.flag();
  const std::uint32_t offset = input_.word();
  const unsigned count = io ? std::min(bytes, 4U) : bytes;
  const auto target = io ? machine_.function.io_target(Machine::kIo + offset % 64, count)
                         : machine_.function.memory_target(Machine::kRegisters + std::uint64_t{offset}, count);
  if (!target) return;
  if (input_.flag()) {
    machine_.function.write(*target, input_.little_endian(count), count);
  } else {
    machine_.function.read(*target, count);
  }
}

void Stimuli::change_memory() {
  switch (input_.below(4)) {
    case 0:
      return machine_.memory.set_delay(sim::Time{input_.word()} * 100 * sim::kNanosecond);
    case 1:
      return machine_.memory.poison(any_address());
    case 2: {  // a list or an area that lies somewhere else
      const unsigned port = any_port();
      const std::uint64_t address = any_address();
      const std::uint32_t offset = input_.flag() ? kPxCLB : kPxFB;
      machine_.set_port(port, offset, static_cast<std::uint32_t>(address));
      return machine_.set_port(port, offset + 4, static_cast<std::uint32_t>(address >> 32));
    }
    default:
      return machine_.memory.behave();
  }
}

void Stimuli::reset_something() {
  switch (input_.below(4)) {
    case 0:
      return machine_.controller().write(kGHC, kGHC_AE | kGHC_IE | kGHC_HR, 4);
    case 1: {
      const unsigned port = any_port();
      machine_.set_port(port, kPxSCTL, input_.flag() ? 0x301 : 0x300);
      return;
    }
    case 2:
      machine_.watch.excuse();
      return machine_.function.reset();
    default:
      return let_firmware_claim();
  }
}

void Stimuli::let_firmware_claim() {
  machine_.controller().claim({input_.byte() * sim::kMillisecond, input_.byte() * sim::kMillisecond});
}

}  // namespace ncqlab::fuzz
