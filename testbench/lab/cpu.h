// The processor that runs the driver core: the seam of driver/platform.h on a Machine.
//
// The driver is a plain program outside the event queue. A register read is an event with its own key: issued at t,
// sampled by the controller at t + request time, answered at t + round trip; everything with a smaller key has run by
// then, nothing with a larger one. Writes are posted, and held on their way where the profile says so. On PCI and PCI-X
// both contend with DMA for the bus. Interrupts reach the driver only between two accesses or inside a
// delay or a wait, one level deep, and not while it masks them; a delay's deadline is absolute.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/ahci.h"
#include "driver/platform.h"
#include "model/sim/actor.h"
#include "testbench/lab/machine.h"

namespace ncqlab::lab {

class InProcessCpu final : public driver::Platform, public hba::InterruptSink, private sim::Actor {
 public:
  explicit InProcessCpu(Machine& machine);
  ~InProcessCpu();

  // Starts the driver and runs until every port has settled. False: it did not within `limit`, or refused to start.
  // `seam`: what the driver gets for its platform in this processor's place, for whoever wants to stand in between.
  bool attach(const driver::Options& options, sim::Time limit = 60 * sim::kSecond, driver::Platform* seam = nullptr);
  driver::Ahci& ahci() { return *ahci_; }
  Machine& machine() { return machine_; }

  // Runs the machine, interrupt handler, driver and wake-ups, until finished() or until simulated time would pass
  // `until`. False in the second case, and when nothing is left that could happen.
  bool run(const std::function<bool()>& finished, sim::Time until = sim::kTimeLimit);

  // Calls `wake` at `when` from run(), outside the queue.
  class Sleeper {
   public:
    virtual void wake(std::uint64_t user) = 0;

   protected:
    ~Sleeper() = default;
  };
  void wake_at(sim::Time when, Sleeper& sleeper, std::uint64_t user);

  std::uint64_t interrupts() const { return interrupts_; }
  std::uint64_t register_reads() const { return register_reads_; }
  std::uint64_t register_writes() const { return register_writes_; }

  // driver::Platform
  std::uint32_t read32(std::uint32_t offset) override;
  void write32(std::uint32_t offset, std::uint32_t value) override;
  bool allocate_dma(std::size_t bytes, std::size_t alignment, driver::DmaMemory& out) override;
  void sync_for_device(const driver::DmaMemory& memory, std::size_t offset, std::size_t bytes) override;
  void sync_for_cpu(const driver::DmaMemory& memory, std::size_t offset, std::size_t bytes) override;
  void write_barrier() override { machine_.memory().write_barrier(); }
  std::uint64_t now_ns() override;
  void set_timer(std::uint64_t deadline_ns) override;
  void delay_ns(std::uint32_t ns) override;
  void mask_interrupt() override { masked_ = true; }
  void unmask_interrupt() override;
  void log(driver::LogLevel level, const char* message) override;

  // hba::InterruptSink, from queue events
  void level(bool asserted) override;
  void message(std::uint32_t vector) override;

 private:
  enum class Waiting : std::uint8_t { no, for_answer, interruptibly };

  bool read_without_events(sim::Time sampled_at, std::uint32_t offset);
  void read_arrives(std::uint64_t offset);
  void sample(std::uint64_t offset);
  void answer(std::uint64_t);
  void send_write(std::uint64_t offset_and_value);
  void write_arrives(std::uint64_t offset_and_value);
  void apply_write(std::uint64_t offset_and_value);
  void release_held_writes();
  void hold_over(std::uint64_t serial);
  void delay_over(std::uint64_t serial);
  void timer_due(std::uint64_t serial);
  void wake_due(std::uint64_t index);
  void limit_reached(std::uint64_t serial);

  void interrupt_arrived();
  void deliver_interrupts();
  bool work();

  Machine& machine_;
  sim::Time read_request_;
  sim::Time read_reply_;
  sim::Time write_way_;
  sim::Time writes_held_;
  bool contends_;  // accesses cross the bus that DMA uses
  std::unique_ptr<driver::Ahci> ahci_;

  Waiting waiting_ = Waiting::no;
  bool answered_ = false;
  std::uint32_t sampled_ = 0;
  sim::Time last_write_arrival_ = 0;
  std::vector<std::uint64_t> held_writes_;
  std::uint64_t hold_serial_ = 0;
  bool masked_ = false;
  bool in_handler_ = false;
  bool message_pending_ = false;
  bool line_asserted_ = false;
  bool service_wanted_ = false;
  std::uint64_t delay_serial_ = 0;
  bool delay_over_ = false;
  std::uint64_t timer_serial_ = 0;
  std::uint64_t limit_serial_ = 0;
  bool limit_reached_ = false;

  struct Wake {
    Sleeper* sleeper;
    std::uint64_t user;
  };
  std::vector<Wake> wakes_;
  std::vector<std::uint64_t> free_wakes_;
  std::vector<std::uint64_t> due_wakes_;  // the outbox: drained outside the queue

  std::uint64_t interrupts_ = 0;
  std::uint64_t register_reads_ = 0;
  std::uint64_t register_writes_ = 0;
};

}  // namespace ncqlab::lab
