#include "testbench/frontend/qtest/q35.h"

#include <utility>

namespace ncqlab::qtest {

namespace {

// Enhanced configuration: 4 KiB a function, where QEMU's firmware puts it.
constexpr std::uint64_t kEcamBase = 0xB000'0000;
constexpr std::uint64_t kEcamBytes = 0x1000'0000;
constexpr unsigned kEcamFunctionShift = 12;
constexpr std::uint64_t kBusFunctions = 256;  // of bus 0; the other buses are empty

// INTA# to INTD# of the south bridge's devices reach the I/O APIC at 16 to 19 (D31IR as reset, Intel 82801IB).
constexpr unsigned kFirstPciIrq = 16;

std::uint32_t ones(unsigned bytes) { return static_cast<std::uint32_t>((1ULL << (8 * bytes)) - 1); }

}  // namespace

Q35::Q35(const Parts& parts)
    : ram_(parts.ram_bytes),
      ahci_({parts.queue, parts.trace, parts.frames, parts.profile, *this, *this}),
      pci_(ahci_, parts.profile.pci),
      fw_cfg_(parts.ram_bytes),
      irq_(kFirstPciIrq + parts.profile.pci.interrupt_pin - 1) {}

std::uint32_t Q35::port_read(std::uint16_t port, unsigned bytes) {
  if (PciBus::owns_port(port)) return pci_.port_read(port, bytes);
  if (port == FwCfg::kDataPort && bytes == 1) return fw_cfg_.read_byte();
  if (const auto target = ahci_.io_target(port, bytes)) return static_cast<std::uint32_t>(ahci_.read(*target, bytes));
  return ones(bytes);
}

void Q35::port_write(std::uint16_t port, std::uint32_t value, unsigned bytes) {
  if (PciBus::owns_port(port)) return pci_.port_write(port, value, bytes);
  if (port == FwCfg::kSelectorPort && bytes == 2) return fw_cfg_.select(static_cast<std::uint16_t>(value));
  if (const auto target = ahci_.io_target(port, bytes)) ahci_.write(*target, value, bytes);
}

unsigned Q35::piece(std::uint64_t address, std::uint64_t bytes) {
  if (address % 4 == 0 && bytes >= 4) return 4;
  return address % 2 == 0 && bytes >= 2 ? 2 : 1;
}

bool Q35::is_configuration(std::uint64_t address) const {
  return address >= kEcamBase && address - kEcamBase < kEcamBytes;
}

std::uint32_t Q35::register_read(std::uint64_t address, unsigned bytes) {
  if (is_configuration(address)) {
    const std::uint64_t function = (address - kEcamBase) >> kEcamFunctionShift;
    if (function >= kBusFunctions) return ones(bytes);
    return pci_.read(static_cast<unsigned>(function), static_cast<std::uint32_t>(address & 0xFFF), bytes);
  }
  const auto target = ahci_.memory_target(address, bytes);
  return target ? static_cast<std::uint32_t>(ahci_.read(*target, bytes)) : 0;  // as QEMU; a PC reads ones
}

void Q35::register_write(std::uint64_t address, std::uint32_t value, unsigned bytes) {
  if (is_configuration(address)) {
    const std::uint64_t function = (address - kEcamBase) >> kEcamFunctionShift;
    if (function >= kBusFunctions) return;
    return pci_.write(static_cast<unsigned>(function), static_cast<std::uint32_t>(address & 0xFFF), value, bytes);
  }
  if (const auto target = ahci_.memory_target(address, bytes)) ahci_.write(*target, value, bytes);
}

void Q35::memory_read(std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
  while (bytes > 0) {
    std::uint64_t count = ram_.run(address, bytes);
    if (count > 0) {
      ram_.read(address, to, count);
    } else {
      count = piece(address, bytes);
      const std::uint32_t value = register_read(address, static_cast<unsigned>(count));
      for (unsigned i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
    address += count;
    to += count;
    bytes -= count;
  }
}

void Q35::memory_write(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) {
  while (bytes > 0) {
    std::uint64_t count = ram_.run(address, bytes);
    if (count > 0) {
      ram_.write(address, from, count);
    } else {
      count = piece(address, bytes);
      std::uint32_t value = 0;
      for (unsigned i = 0; i < count; ++i) value |= std::uint32_t{from[i]} << (8 * i);
      register_write(address, value, static_cast<unsigned>(count));
    }
    address += count;
    from += count;
    bytes -= count;
  }
}

std::vector<IrqEdge> Q35::take_irq_edges() { return std::exchange(edges_, {}); }

void Q35::interrupt_line(bool asserted) { edges_.push_back({irq_, asserted}); }

// A message is a write to memory. Aimed at RAM, as clients without an interrupt controller do, it can be read there.
void Q35::interrupt_message(std::uint64_t address, std::uint32_t data) {
  std::uint8_t bytes[4];
  for (unsigned i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(data >> (8 * i));
  if (ram_.run(address, sizeof bytes) == sizeof bytes) ram_.write(address, bytes, sizeof bytes);
}

Q35::Answer Q35::access(const host::DmaAccess& access, host::DmaCompletion* /*completion*/) {
  std::uint64_t address = access.address;
  std::uint64_t left = access.bytes;
  std::uint8_t* buffer = access.buffer;
  while (left > 0) {
    std::uint64_t count = ram_.run(address, left);
    if (count > 0) {
      if (access.to_memory) {
        ram_.write(address, buffer, count);
      } else {
        ram_.read(address, buffer, count);
      }
    } else {
      count = piece(address, left);
      if (!ahci_.memory_target(address, static_cast<unsigned>(count))) return Answer::error;
      if (access.to_memory) {
        memory_write(address, buffer, count);
      } else {
        memory_read(address, buffer, count);
      }
    }
    address += count;
    buffer += count;
    left -= count;
  }
  return Answer::done;
}

}  // namespace ncqlab::qtest
