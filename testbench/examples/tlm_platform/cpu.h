// The platform's processor: a loosely timed initiator with a quantum of 10 us that brings two controllers up, runs the
// script on both and checks the data.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <systemc>
#include <tlm>

#include "interrupt_controller.h"
#include "memory.h"

namespace example {

// Where everything lies.
inline constexpr std::uint64_t kMemoryBase = 0x8000'0000;
inline constexpr std::uint64_t kMemory_bytes = 4 << 20;
inline constexpr std::uint64_t kRegisterBase[2] = {0xF000'0000, 0xF001'0000};
inline constexpr std::uint64_t kRegister_bytes = 0x1'0000;

class Cpu final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Cpu);
  Cpu(const sc_core::sc_module_name& name, Memory& memory, const InterruptController& interrupts);

  tlm_utils::simple_initiator_socket<Cpu> socket;

  bool finished() const { return finished_; }
  unsigned errors() const { return errors_; }

 private:
  void run();  // SC_THREAD
  void bring_up(unsigned controller);
  void run_script(unsigned controller);
  void read_own_registers(unsigned controller);
  void build(unsigned controller, bool write, unsigned tag, std::uint64_t lba, std::uint32_t sectors,
             std::uint64_t buffer);
  void issue_and_wait(unsigned controller, std::uint32_t tags);
  void expect(bool good, const char* what);

  std::uint32_t read32(std::uint64_t address);
  void write32(std::uint64_t address, std::uint32_t value);
  void access(tlm::tlm_command command, std::uint64_t address, std::uint32_t& value);

  Memory& memory_;
  const InterruptController& interrupts_;
  tlm_utils::tlm_quantumkeeper quantum_;
  bool finished_ = false;
  unsigned errors_ = 0;
};

}  // namespace example
