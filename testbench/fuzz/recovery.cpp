#include "testbench/fuzz/recovery.h"

#include <algorithm>
#include <cstring>

#include "testbench/fuzz/broken.h"

namespace ncqlab::fuzz {

namespace {

using namespace hba;  // NOLINT: registers on every line

constexpr std::uint32_t kRead = 5;  // DW0 of a header: CFL
constexpr std::uint32_t kWrite = 5 | 1U << 6;
constexpr std::uint32_t kSector = 512;
constexpr std::uint8_t kReadQueued = 0x60;
constexpr std::uint8_t kWriteQueued = 0x61;

void clear_bits(Machine& machine, unsigned port, std::uint32_t bits) {
  machine.set_port(port, kPxCMD, machine.port(port, kPxCMD) & ~bits);
}

// One command with one PRD of a sector at the beginning of the data; waits for its end.
void run_command(Machine& machine, unsigned port, unsigned slot, sata::RegisterH2D fis, std::uint32_t header) {
  const bool queued = fis.command == kReadQueued || fis.command == kWriteQueued;
  slot %= machine.profile.command_slots;
  if (queued) {
    fis.features = 1;
    fis.count = static_cast<std::uint16_t>(slot << 3);
  }
  machine.write_header(port, slot, header | 1U << 16);
  const sata::Frame frame = sata::encode(machine.pool, fis);
  std::memset(machine.table(slot), 0, Machine::kTable_bytes);
  std::memcpy(machine.table(slot), frame.data(), frame.size());
  const std::uint64_t data = machine.memory.address(Machine::kData);
  std::uint8_t* prd = machine.table(slot) + kPrdTableOffset;
  store32(prd, static_cast<std::uint32_t>(data));
  store32(prd + 4, static_cast<std::uint32_t>(data >> 32));
  store32(prd + 12, kSector - 1);
  machine.set_port(port, kPxIS, 0xFFFFFFFF);
  if (queued) machine.set_port(port, kPxSACT, 1U << slot);
  machine.set_port(port, kPxCI, 1U << slot);
  machine.settle(sim::kSecond);
  expect((machine.port(port, kPxCI) | machine.port(port, kPxSACT)) == 0, "a command does not end after a reset");
  expect((machine.port(port, kPxTFD) & kSTS_ERR) == 0, "a command fails after a reset");
}

sata::RegisterH2D command(std::uint8_t opcode, std::uint16_t count) {
  sata::RegisterH2D fis;
  fis.command_bit = true;
  fis.command = opcode;
  fis.device = 0x40;
  fis.lba = 7;
  fis.count = count;
  return fis;
}

std::uint8_t pattern(std::uint32_t at) { return static_cast<std::uint8_t>(at * 7 + (at >> 8) + 1); }

bool data_are_the_pattern(Machine& machine) {
  for (std::uint32_t i = 0; i < kSector; ++i) {
    if (*machine.memory.cpu(Machine::kData + i) != pattern(i)) return false;
  }
  return true;
}

void spoil_data(Machine& machine) { std::fill_n(machine.memory.cpu(Machine::kData), kSector, std::uint8_t{0xEE}); }

void bring_up(Machine& machine, unsigned port) {
  machine.place_structures(port);
  machine.settle(sim::kSecond);
  expect((machine.port(port, kPxSSTS) & kDET_mask) == kDET_established, "a port does not come up after a reset");
  machine.set_port(port, kPxSERR, 0xFFFFFFFF);  // DIAG.X holds the signature back
  machine.settle(sim::kSecond);
  expect((machine.port(port, kPxTFD) & (kSTS_BSY | kSTS_DRQ)) == 0, "a device stays busy after a reset");
  machine.start(port);
  expect((machine.port(port, kPxCMD) & kPxCMD_CR) != 0, "a command list does not start after a reset");
}

void use_hostile_device(Machine& machine) {
  machine.hostile.manner = HostileDevice::Manner::dma_in;
  spoil_data(machine);
  run_command(machine, 0, 3, command(0x25, 1), kRead);
  const std::uint8_t first = machine.memory.cpu(Machine::kData)[0];
  for (std::uint32_t i = 0; i < kSector; ++i) {
    const auto expected = static_cast<std::uint8_t>(first + i * 7 + (i >> 8));
    expect(machine.memory.cpu(Machine::kData)[i] == expected, "data differ after a reset");
  }
  machine.hostile.manner = HostileDevice::Manner::queued_out;
  run_command(machine, 0, 2, command(kWriteQueued, 0), kWrite);
}

// Written and read back, with and without queuing: what is on the sector is the input's affair.
void use_disk(Machine& machine) {
  for (std::uint32_t i = 0; i < kSector; ++i) *machine.memory.cpu(Machine::kData + i) = pattern(i);
  run_command(machine, 1, 0, command(0x35, 1), kWrite);
  spoil_data(machine);
  run_command(machine, 1, 5, command(0x25, 1), kRead);
  expect(data_are_the_pattern(machine), "the disk's data differ after a reset");
  spoil_data(machine);
  run_command(machine, 1, 31, command(kReadQueued, 0), kRead);
  expect(data_are_the_pattern(machine), "the disk's data differ after a reset, queued");
}

void use_optical_drive(Machine& machine) {
  spoil_data(machine);
  run_command(machine, 2, 0, command(0xA1, 0), kRead);  // IDENTIFY PACKET DEVICE
  expect(machine.memory.cpu(Machine::kData)[1] == 0x85, "the optical drive does not know what it is after a reset");
}

}  // namespace

void come_to_rest(Machine& machine) {
  machine.memory.behave();
  machine.hostile.behave();
  machine.noise = Noise();
  machine.make_noise();
  machine.pass(10 * sim::kMillisecond);  // a reset under way ignores what is written
  for (unsigned port = 0; port < kPorts; ++port) clear_bits(machine, port, kPxCMD_ST);
  machine.pass(500 * sim::kMillisecond);
  for (unsigned port = 0; port < kPorts; ++port) {
    expect((machine.port(port, kPxCMD) & kPxCMD_CR) == 0, "CR is 1 half a second after ST = 0");
    clear_bits(machine, port, kPxCMD_FRE);
  }
  machine.pass(500 * sim::kMillisecond);
  for (unsigned port = 0; port < kPorts; ++port) {
    expect((machine.port(port, kPxCMD) & kPxCMD_FR) == 0, "FR is 1 half a second after FRE = 0");
  }
  machine.controller().write(kGHC, kGHC_AE | kGHC_HR, 4);
  machine.pass(sim::kSecond);
  expect((machine.controller().read(kGHC, 4) & kGHC_HR) == 0, "an HBA reset takes more than a second");
}

void work_again(Machine& machine) {
  machine.watch.excuse();
  machine.function.reset();
  machine.pass(10 * sim::kMillisecond);
  machine.enable();
  machine.controller().write(kGHC, kGHC_AE, 4);
  for (unsigned port = 0; port < kPorts; ++port) {
    if (!machine.link(port).host_side().device_present()) machine.link(port).plug(&machine.device(port));
    bring_up(machine, port);
  }
  use_hostile_device(machine);
  use_disk(machine);
  use_optical_drive(machine);
}

}  // namespace ncqlab::fuzz
