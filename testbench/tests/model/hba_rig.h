// A controller with a scripted device on its first port, for tests of the controller alone: no drive, no driver.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "model/hba/controller.h"
#include "model/host/bus.h"
#include "model/host/memory.h"
#include "model/sata/fis.h"
#include "model/sim/host.h"

namespace ncqlab::test {

using Bytes = std::vector<std::uint8_t>;

// Plays the device: sends its signature after a reset, and what the test tells it to, one frame after another.
class ScriptedDevice final : public sata::Device {
 public:
  explicit ScriptedDevice(sata::FramePool& pool) : pool_(pool) {}
  void connect(sata::DeviceLink* link) { link_ = link; }

  // Queues a frame towards the host.
  void send(sata::Frame frame);
  template <class Fis>
  void send(const Fis& fis) {
    send(sata::encode(pool_, fis));
  }
  void send_data(const Bytes& payload);
  // D2H Register FIS, SDB, DMA Setup towards the host or the device.
  void send_status(std::uint8_t status, bool interrupt, std::uint8_t error = 0);
  void complete_tags(std::uint32_t active, std::uint8_t status = 0x40, std::uint8_t error = 0);
  void set_up_dma(unsigned tag, bool to_host, std::uint32_t count, std::uint32_t offset = 0, bool activate = false);

  sata::Generation highest_generation() const override { return 3; }
  void hardware_reset(sata::Generation generation) override;
  void phy_lost() override;
  void frame_received(const sata::Frame& frame) override;
  void frame_sent() override;

  bool frame_refused(const sata::Frame& frame, sata::Refusal refusal, unsigned attempts) override;
  bool accepts_power(sata::LinkPower /*power*/) override { return accepted_power; }

  bool signature_after_reset = true;
  bool accepted_power = false;
  std::vector<Bytes> received;
  std::function<void(const Bytes&)> on_frame;  // called for each received frame
  unsigned resets = 0;
  unsigned losses = 0;

 private:
  void send_next();

  sata::FramePool& pool_;
  sata::DeviceLink* link_ = nullptr;
  std::deque<sata::Frame> to_send_;
  bool sending_ = false;
};

// Notes what the interrupt output did, and how PxIS and IS stood then.
class InterruptNotes final : public hba::InterruptSink {
 public:
  void level(bool is_asserted) override {
    asserted = is_asserted;
    edges.push_back(is_asserted);
    if (on_interrupt) on_interrupt();
  }
  void message(std::uint32_t vector) override {
    messages.push_back(vector);
    if (on_interrupt) on_interrupt();
  }
  bool asserted = false;
  std::vector<bool> edges;
  std::vector<std::uint32_t> messages;
  std::function<void()> on_interrupt;
};

class RecordList final : public sim::Observer {
 public:
  void on_record(const sim::Record& record) override { records.push_back(record); }
  std::vector<sim::Record> of(sim::Kind kind) const;
  std::vector<sim::Record> records;
};

// Memory whose data are bad at one address.
class PoisonedMemory final : public host::DmaTarget {
 public:
  explicit PoisonedMemory(host::Memory& memory) : memory_(&memory) {}
  Answer access(const host::DmaAccess& access, host::DmaCompletion* completion) override {
    const bool hit = bad_address - access.address < access.bytes;
    return hit ? Answer::bad_data : memory_->access(access, completion);
  }
  std::uint64_t bad_address = UINT64_MAX;

 private:
  host::Memory* memory_;
};

struct Piece {
  std::uint64_t address;
  std::uint32_t bytes;  // even
  bool interrupt = false;
};

// What is the same on every host: memory, command list, received FIS area, the device, shorthand for registers.
class HbaRig {
 public:
  explicit HbaRig(const hba::ControllerProfile& profile);
  virtual ~HbaRig() = default;
  void connect(sim::Host& host, hba::Controller& controller);

  static hba::ControllerProfile default_profile();

  std::uint32_t read(std::uint32_t offset) { return static_cast<std::uint32_t>(controller_->read(offset, 4)); }
  void write(std::uint32_t offset, std::uint32_t value) { controller_->write(offset, value, 4); }
  // Port 0.
  std::uint32_t port(std::uint32_t offset) { return read(hba::kPortsBase + offset); }
  void set_port(std::uint32_t offset, std::uint32_t value) { write(hba::kPortsBase + offset, value); }

  void run();
  void run_for(sim::Time duration);
  // To the signature, with interrupts of all kinds enabled and what came up so far cleared; then starts the port.
  void bring_up();
  void start_port();

  // Writes header and table of `slot`. `flags` are bits of the header's DW0 beside CFL and PRDTL.
  void build_command(unsigned slot, const sata::RegisterH2D& fis, const std::vector<Piece>& pieces,
                     std::uint32_t flags = 0);
  void issue(unsigned slot) { set_port(hba::kPxCI, 1U << slot); }
  void issue_queued(unsigned slot);
  std::uint64_t table_address(unsigned slot) const { return tables.address + slot * kTableBytes; }
  std::uint8_t* header(unsigned slot) const { return list.cpu + slot * 32; }
  std::uint32_t byte_count(unsigned slot) const;
  Bytes received_fis(std::uint32_t offset, std::uint32_t bytes) const;
  bool violated(hba::Violation code) const;

  static constexpr std::uint64_t kTableBytes = 0x80 + 512 * 16;
  static constexpr std::uint32_t kWrite = 1U << 6;
  static constexpr std::uint32_t kReset = 1U << 8;
  static constexpr std::uint32_t kClearBusy = 1U << 10;

  hba::ControllerProfile profile;
  sim::Trace trace;
  RecordList records;
  host::Memory memory;
  PoisonedMemory poisoned{memory};  // what the bare rig's bus reaches
  sata::FramePool pool;
  InterruptNotes interrupts;
  ScriptedDevice device{pool};
  host::Block list;
  host::Block received;
  host::Block tables;
  host::Block data;

  sim::Host& host() { return *host_; }
  sim::EventQueue& queue() { return host_->queue(); }
  hba::Controller& controller() { return *controller_; }

 private:
  sim::Host* host_ = nullptr;
  hba::Controller* controller_ = nullptr;
};

class BareRig : public HbaRig {
 public:
  explicit BareRig(const hba::ControllerProfile& wanted = default_profile());

 private:
  sim::BareHost host_;
  host::Bus bus_;
  hba::Controller controller_;
};

sata::RegisterH2D command(std::uint8_t opcode, std::uint64_t lba = 0, std::uint16_t count = 1);
sata::RegisterH2D queued_command(std::uint8_t opcode, unsigned tag, std::uint16_t count = 1);
// Bytes that differ from their neighbours and from those of another `seed`.
Bytes pattern(std::size_t bytes, unsigned seed = 1);

}  // namespace ncqlab::test
