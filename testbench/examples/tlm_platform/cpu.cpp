#include "cpu.h"

#include <cstdio>
#include <cstring>

#include "script.h"

namespace example {

namespace {

// AHCI 1.3.1, clause 3: the registers that this program needs, of port 0.
constexpr std::uint64_t kGHC = 0x04;
constexpr std::uint64_t kIS = 0x08;
constexpr std::uint64_t kPort = 0x100;
constexpr std::uint64_t kPxCLB = kPort + 0x00;
constexpr std::uint64_t kPxFB = kPort + 0x08;
constexpr std::uint64_t kPxIS = kPort + 0x10;
constexpr std::uint64_t kPxIE = kPort + 0x14;
constexpr std::uint64_t kPxCMD = kPort + 0x18;
constexpr std::uint64_t kPxTFD = kPort + 0x20;
constexpr std::uint64_t kPxSSTS = kPort + 0x28;
constexpr std::uint64_t kPxSERR = kPort + 0x30;
constexpr std::uint64_t kPxSACT = kPort + 0x34;
constexpr std::uint64_t kPxCI = kPort + 0x38;

// Each controller's part of memory.
constexpr std::uint64_t kList = 0x0000;
constexpr std::uint64_t kReceived = 0x1000;
constexpr std::uint64_t kTables = 0x2000;  // 256 bytes a slot
constexpr std::uint64_t kBuffers = 0x10000;
constexpr std::uint64_t kBuffer_bytes = kMost_sectors * kSector_bytes;
constexpr std::uint64_t kPart_bytes = kMemory_bytes / 2;
static_assert(kBuffers + 16 * kBuffer_bytes <= kPart_bytes);

std::uint64_t part(unsigned controller) { return controller * kPart_bytes; }

void store32(std::uint8_t* at, std::uint32_t value) { std::memcpy(at, &value, 4); }

}  // namespace

Cpu::Cpu(const sc_core::sc_module_name& name, Memory& memory, const InterruptController& interrupts)
    : sc_module(name), socket("socket"), memory_(memory), interrupts_(interrupts) {
  SC_THREAD(run);
  tlm::tlm_global_quantum::instance().set(sc_core::sc_time(10, sc_core::SC_US));
  quantum_.reset();
}

void Cpu::run() {
  for (unsigned controller = 0; controller < 2; ++controller) bring_up(controller);
  for (unsigned controller = 0; controller < 2; ++controller) run_script(controller);
  read_own_registers(0);
  finished_ = true;
  sc_core::sc_pause();
}

void Cpu::expect(bool good, const char* what) {
  if (good) return;
  ++errors_;
  std::printf("FAILED at %s: %s\n", sc_core::sc_time_stamp().to_string().c_str(), what);
}

void Cpu::access(tlm::tlm_command command, std::uint64_t address, std::uint32_t& value) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time ahead = quantum_.get_local_time();
  socket->b_transport(payload, ahead);
  expect(payload.is_response_ok(), "a register access was refused");
  quantum_.set(ahead);
  if (quantum_.need_sync()) quantum_.sync();
}

std::uint32_t Cpu::read32(std::uint64_t address) {
  std::uint32_t value = 0;
  access(tlm::TLM_READ_COMMAND, address, value);
  return value;
}

void Cpu::write32(std::uint64_t address, std::uint32_t value) { access(tlm::TLM_WRITE_COMMAND, address, value); }

// AHCI 1.3.1, 10.1.2, for a controller that nobody else uses.
void Cpu::bring_up(unsigned controller) {
  const std::uint64_t registers = kRegisterBase[controller];
  const std::uint64_t memory = kMemoryBase + part(controller);
  write32(registers + kGHC, 1U << 31 | 1U << 1);  // AE, IE
  write32(registers + kPxCLB, static_cast<std::uint32_t>(memory + kList));
  write32(registers + kPxFB, static_cast<std::uint32_t>(memory + kReceived));
  write32(registers + kPxCMD, read32(registers + kPxCMD) | 1U << 4);  // FRE
  while ((read32(registers + kPxSSTS) & 0xF) != 3 || (read32(registers + kPxTFD) & 0x88) != 0) {
    wait(10, sc_core::SC_US);
  }
  write32(registers + kPxSERR, 0xFFFFFFFF);
  write32(registers + kPxIS, 0xFFFFFFFF);
  write32(registers + kIS, 0xFFFFFFFF);
  write32(registers + kPxIE, 1U << 3 | 1U << 30);                // SDBE, TFEE
  write32(registers + kPxCMD, read32(registers + kPxCMD) | 1U);  // ST
}

// Command header (4.2.2), command FIS (SATA 3.x, 10.5.5) of READ or WRITE FPDMA QUEUED, and one PRD (4.2.3.3).
void Cpu::build(unsigned controller, bool write, unsigned tag, std::uint64_t lba, std::uint32_t sectors,
                std::uint64_t buffer) {
  const std::uint64_t table = part(controller) + kTables + tag * 256;
  std::uint8_t* header = memory_.at(part(controller) + kList + tag * 32);
  store32(header, 5U | (write ? 1U << 6 : 0U) | 1U << 16);
  store32(header + 4, 0);
  store32(header + 8, static_cast<std::uint32_t>(kMemoryBase + table));
  store32(header + 12, 0);
  std::uint8_t* fis = memory_.at(table);
  std::memset(fis, 0, 128);
  fis[0] = 0x27;
  fis[1] = 0x80;
  fis[2] = write ? 0x61 : 0x60;
  fis[3] = static_cast<std::uint8_t>(sectors);
  fis[7] = 0x40;
  fis[11] = static_cast<std::uint8_t>(sectors >> 8);
  for (unsigned i = 0; i < 3; ++i) {
    fis[4 + i] = static_cast<std::uint8_t>(lba >> (8 * i));
    fis[8 + i] = static_cast<std::uint8_t>(lba >> (24 + 8 * i));
  }
  fis[12] = static_cast<std::uint8_t>(tag << 3);
  std::uint8_t* prd = memory_.at(table + 128);
  store32(prd, static_cast<std::uint32_t>(buffer));
  store32(prd + 4, 0);
  store32(prd + 12, sectors * kSector_bytes - 1);
}

void Cpu::issue_and_wait(unsigned controller, std::uint32_t tags) {
  const std::uint64_t registers = kRegisterBase[controller];
  quantum_.sync();  // what was stored to memory is there before the doorbell
  write32(registers + kPxSACT, tags);
  write32(registers + kPxCI, tags);
  while (read32(registers + kPxSACT) != 0) {
    quantum_.sync();
    if (!interrupts_.pending(controller)) wait(sc_core::sc_time(1, sc_core::SC_MS), interrupts_.raised());
    const std::uint32_t status = read32(registers + kPxIS);
    write32(registers + kPxIS, status);
    write32(registers + kIS, 1);
    expect((status & 1U << 30) == 0, "the device reported an error");
    if ((status & 1U << 30) != 0) return;
  }
}

void Cpu::run_script(unsigned controller) {
  std::uint32_t batch = 0;
  const Command* first = kScript;
  for (const Command& command : kScript) {
    const std::uint64_t buffer =
        part(controller) + kBuffers + static_cast<std::uint64_t>(&command - kScript) * kBuffer_bytes;
    const std::uint32_t bytes = command.sectors * kSector_bytes;
    for (std::uint32_t i = 0; i < bytes; ++i) {
      *memory_.at(buffer + i) = command.write ? pattern(command.lba, i) : 0;
    }
    build(controller, command.write, command.tag, command.lba, command.sectors, kMemoryBase + buffer);
    batch |= 1U << command.tag;
    if (!command.ends_batch) continue;
    issue_and_wait(controller, batch);
    batch = 0;
    for (; first <= &command; ++first) {
      const std::uint64_t at =
          part(controller) + kBuffers + static_cast<std::uint64_t>(first - kScript) * kBuffer_bytes;
      bool same = true;
      for (std::uint32_t i = 0; i < first->sectors * kSector_bytes; ++i) {
        same = same && *memory_.at(at + i) == pattern(first->lba, i);
      }
      expect(same, "data differ");
    }
  }
}

// A command whose PRD points at the controller's own registers: the bus master reads them through the interconnect,
// while its own command is under way, and writes them to the disk.
void Cpu::read_own_registers(unsigned controller) {
  constexpr std::uint64_t kLba = 12345;
  build(controller, true, 4, kLba, 1, kRegisterBase[controller]);
  issue_and_wait(controller, 1U << 4);
  const std::uint64_t buffer = part(controller) + kBuffers;
  build(controller, false, 5, kLba, 1, kMemoryBase + buffer);
  issue_and_wait(controller, 1U << 5);
  std::uint32_t capabilities = 0;
  std::uint32_t ports = 0;
  std::memcpy(&capabilities, memory_.at(buffer), 4);
  std::memcpy(&ports, memory_.at(buffer + 12), 4);
  expect(capabilities == read32(kRegisterBase[controller]), "CAP on the disk is not the controller's");
  expect(ports == read32(kRegisterBase[controller] + 12), "PI on the disk is not the controller's");
}

}  // namespace example
