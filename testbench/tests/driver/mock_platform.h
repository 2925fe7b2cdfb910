// A platform and a controller with disks for the driver's tests: each call of the driver is recorded with its time, and
// the tests decide when commands end and how. Registers are those of AHCI 1.3.1, written down once more here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/ahci.h"

namespace ncqlab::driver {

inline constexpr std::uint64_t kMs = 1'000'000;
inline constexpr std::uint64_t kStuck = UINT64_MAX;

struct Call {
  enum class Kind { read, write, barrier, delay, timer, mask, unmask, sync_for_device, sync_for_cpu };
  Kind kind;
  std::uint32_t offset = 0;
  std::uint64_t value = 0;
  std::uint64_t time_ns = 0;
};

// A command as the controller would have read it when PxCI was written.
struct SeenCommand {
  unsigned slot = 0;
  std::vector<std::uint8_t> fis;     // 20 bytes
  std::vector<std::uint8_t> header;  // 32 bytes
  std::vector<std::uint8_t> prds;    // PRDTL * 16 bytes
};

struct MockPort {
  // How the device behaves.
  bool device = true;
  std::uint32_t signature = 0x00000101;
  std::uint64_t link_delay_ns = 2 * kMs;    // from the end of COMRESET
  std::uint64_t ready_delay_ns = 10 * kMs;  // from link up
  std::uint64_t stop_delay_ns = 0;          // CR and FR after ST and FRE
  bool answers_identify = true;
  bool identify_fails = false;
  std::vector<std::uint8_t> identify;

  // Registers.
  std::uint32_t clb = 0, clbu = 0, fb = 0, fbu = 0;
  std::uint32_t is = 0, ie = 0, cmd = 0, sctl = 0, serr = 0, sact = 0, ci = 0;
  std::uint32_t forced_tfd = 0;  // instead of what the state gives, if not 0
  std::uint64_t link_up_ns = kStuck;
  std::uint64_t engine_stops_ns = 0;
  std::uint64_t receive_stops_ns = 0;

  std::vector<SeenCommand> commands;  // without IDENTIFY
  unsigned identifies = 0;
  unsigned comresets = 0;
};

class MockPlatform final : public Platform {
 public:
  explicit MockPlatform(Ahci& ahci);

  std::uint32_t read32(std::uint32_t offset) override;
  void write32(std::uint32_t offset, std::uint32_t value) override;
  bool allocate_dma(std::size_t bytes, std::size_t alignment, DmaMemory& out) override;
  void sync_for_device(const DmaMemory& memory, std::size_t offset, std::size_t bytes) override;
  void sync_for_cpu(const DmaMemory& memory, std::size_t offset, std::size_t bytes) override;
  void write_barrier() override;
  std::uint64_t now_ns() override { return now; }
  void set_timer(std::uint64_t deadline_ns) override;
  void delay_ns(std::uint32_t ns) override;
  void mask_interrupt() override;
  void unmask_interrupt() override;
  void log(LogLevel, const char* message) override { log_lines.emplace_back(message); }

  // Delivers interrupts and the timer, and lets time pass, for `duration_ns`, or until `done` says so.
  void run(
      std::uint64_t duration_ns, const std::function<bool()>& done = [] { return false; });
  // The same without any interrupt.
  void run_deaf(std::uint64_t duration_ns);

  // One interrupt, as the platform delivers it. What ahci.interrupt() said.
  bool deliver();

  // The device ends commands: all bits at once, then one interrupt. `queued` by PxSACT, else by PxCI.
  void complete(unsigned port, std::uint32_t slots);
  void raise(unsigned port, std::uint32_t status);
  void fail_task_file(unsigned port, std::uint8_t status, std::uint8_t error);
  void unplug(unsigned port);

  bool interrupt_pending() const;
  std::uint8_t* memory_at(std::uint64_t bus_address, std::size_t bytes);
  // Register writes from call number `from` on, as "PxCI=00000001" lines; the port's number is left out.
  std::vector<std::string> writes(std::size_t from = 0) const;
  std::vector<std::string> accesses(std::size_t from = 0) const;

  Ahci& ahci;
  std::uint64_t now = 1'000'000'000;
  std::uint64_t access_ns = 100;
  std::uint64_t timer_ns = kNever;
  std::vector<Call> calls;
  std::vector<std::string> log_lines;
  std::map<unsigned, MockPort> ports;  // those that PI names
  bool removed = false;
  std::size_t removed_after = SIZE_MAX;  // register accesses
  std::size_t allocations_left = SIZE_MAX;
  std::uint64_t next_bus_address = 0x1'2340'0000;
  // Interrupts the driver inside its accesses and delays whenever one is pending and not masked.
  bool interrupts_inside = false;

  // Generic registers.
  std::uint32_t cap = 0xC0001F00 | 5;  // S64A, SNCQ, 32 slots, "6 ports"
  std::uint32_t ghc = 0, is = 0, cap2 = 0, bohc = 0;
  std::uint64_t hba_reset_ns = 3 * kMs;
  std::uint64_t reset_ends_ns = 0;
  std::uint64_t firmware_lets_go_ns = 0;  // BOS clears so long after OOS was set
  std::uint64_t firmware_asked_ns = kStuck;
  bool firmware_busy = false;  // BB stands while BOS does

 private:
  static constexpr std::uint64_t kMostAccesses = 1'000'000;
  struct Piece {
    std::uint64_t bus_address;
    std::vector<std::uint8_t> bytes;
  };

  std::uint32_t generic_register(std::uint32_t offset);
  std::uint32_t port_register(MockPort& port, std::uint32_t offset);
  void write_generic(std::uint32_t offset, std::uint32_t value);
  void write_port(unsigned number, std::uint32_t offset, std::uint32_t value);
  void write_command(MockPort& port, std::uint32_t value);
  void write_control(MockPort& port, std::uint32_t value);
  void issue(unsigned number, std::uint32_t slots);
  SeenCommand fetch(const MockPort& port, unsigned slot);
  void answer_identify(unsigned number, const SeenCommand& command);
  std::uint32_t task_file(const MockPort& port) const;
  void update_interrupt_status();
  void maybe_interrupt();

  std::vector<std::unique_ptr<Piece>> pieces_;
  void pass_access();

  std::uint64_t accesses_ = 0;
  bool masked_ = false;
  bool in_interrupt_ = false;
};

// 512 bytes of IDENTIFY DEVICE data of an ordinary NCQ disk.
std::vector<std::uint8_t> identify_data(std::uint64_t sectors = 1953525168, unsigned queue_depth = 32);
void set_word(std::vector<std::uint8_t>& identify, unsigned index, std::uint16_t value);

}  // namespace ncqlab::driver
