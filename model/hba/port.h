// One port of the controller: its registers, its end of the link, and the state machine of AHCI 1.3.1, 5.3.
//
// The names in comments like "P:Idle" are the specification's states. Where one state follows another at once they are
// one function here; what takes time is an event: a bus transfer, a frame on the link.
//
//   port_registers.cpp  register table and what writes do     port_command.cpp  5.3.2 idle, 5.3.6 command transfer
//   port_link.cpp       PHY, COMRESET, HBA reset              port_receive.cpp  5.3.8, 9, 12-14 received FIS
//   port_power.cpp      5.3.4 link power, DevSleep
//   port_data.cpp       5.3.10 data transmit, 5.3.11 receive   port_error.cpp  5.3.15 self test, 5.3.16 errors
//
// A transfer under way is never recalled: what is stopped or reset marks it stale, and PxCMD.CR (or GHC.HR) stays 1
// until it has drained, as software has to expect.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/hba/ahci.h"
#include "model/hba/ccc.h"
#include "model/hba/command_list.h"
#include "model/hba/interrupts.h"
#include "model/hba/prd_walker.h"
#include "model/hba/profile.h"
#include "model/hba/register_table.h"
#include "model/host/bus.h"
#include "model/sata/fis.h"
#include "model/sata/link.h"
#include "model/sim/actor.h"

namespace ncqlab::hba {

// What the ports share, and how they tell the controller that an HBA reset may end.
struct PortSurroundings {
  sim::EventQueue* queue;
  sim::Trace* trace;
  host::Bus* bus;
  sata::FramePool* pool;
  const ControllerProfile* profile;
  HostInterrupts* interrupts;
  CommandCompletion* coalescing;
};

class Port final : private sata::HostEnd, private host::TransferClient, private sim::Actor {
 public:
  Port(const PortSurroundings& surroundings, unsigned number);

  sata::Link& link() { return link_; }

  // GHC.AE. Without it no command is sent and no FIS posted (3.1.2): H:WaitForAhciEnable.
  void set_ahci_enabled(bool enabled);

  // The mechanical presence switch (10.11) is opened or closed; nothing where the port has none.
  void set_mechanical_switch(bool open);

  // `offset` is a multiple of 4 below kPortBytes; only the byte lanes in `lanes` are written.
  std::uint32_t read(std::uint32_t offset) const { return registers_.read(*this, offset); }
  void write(std::uint32_t offset, std::uint32_t value, std::uint32_t lanes) {
    registers_.write(*this, offset, value, lanes);
  }

  // HBA reset (10.4.3): everything stops and the PHY goes down; when drained() the reset may end.
  void begin_reset();
  bool drained() const { return !fetch_.busy() && !transfer_.busy(); }
  // Registers to their reset values; the PHY starts unless spin-up is staggered. Also power-on.
  void end_reset();

 private:
  static constexpr unsigned kNoSlot = 32;
  static constexpr std::size_t kWaitingFrames = 2;

  // What the current received FIS waits for.
  enum class Receiving : std::uint8_t {
    nothing,
    posting,     // its write to the received FIS structure
    prd_window,  // a piece of the PRD table
    data_in,     // the write of a Data FIS to memory
    data_out,    // the read of a Data FIS from memory
    sending,     // the Data FIS' way to the device
  };
  enum class Sending : std::uint8_t { nothing, command, data, stale };
  // Why a command list that was started does nothing any more, until software clears PxCMD.ST.
  enum class Halt : std::uint8_t {
    no,
    error,         // ERR:WaitForClear, or self test: no FIS is taken
    disconnected,  // P:NotRunning with ST = 1, the PHY was lost: a Register FIS is taken, as without ST
  };

  struct Slot {
    CommandHeader header;
    PrdWalker walker;
    std::uint32_t byte_count = 0;    // PRDBC
    bool count_lost = false;         // and stays 0, by one of the profile's departures
    bool atapi_command_due = false;  // pXferAtapi
  };

  // port_registers.cpp
  static const Register<Port> kTable[];
  void withhold_what_is_not_there();
  void load_port_properties();
  bool mine(std::uint32_t ports) const { return (ports >> number_ & 1) != 0; }
  std::uint32_t read_interrupt_status() const;
  void interrupts_changed(std::uint32_t, std::uint32_t) { update_interrupt(); }
  void command_written(std::uint32_t before, std::uint32_t ones);
  void errors_written(std::uint32_t before, std::uint32_t ones);
  void serial_control_written(std::uint32_t before, std::uint32_t ones);
  void device_sleep_written(std::uint32_t before, std::uint32_t ones);
  void active_written(std::uint32_t before, std::uint32_t ones);
  void issue_written(std::uint32_t before, std::uint32_t ones);
  bool refuse_slots(std::uint32_t reg, std::uint32_t before, std::uint32_t ones);
  void update_interrupt();
  void raise(std::uint32_t interrupt_status);
  void violation(Violation code, std::uint64_t detail = 0);

  // port_link.cpp
  void presence_changed(bool present) override;
  void device_detected() override;
  void phy_ready(sata::Generation generation) override;
  void phy_recovered(sata::Generation generation) override;
  void phy_lost() override;
  void start_communication();
  bool powered_up() const;
  void power_or_spin_up_changed();
  void stop();
  void abandon_transfers();

  // port_power.cpp
  bool power_allowed(sata::LinkPower power) const;
  void communication_control_written();
  void communication_control_done();
  void wake_for_software();
  void aggressive_power();
  bool accepts_power(sata::LinkPower power) override;
  void power_changed(sata::LinkPower power) override;
  void power_refused(sata::LinkPower power) override;
  bool asleep_until_may_wake();
  void may_wake(std::uint64_t);
  void start_sleep_timer();
  void idle_for_long(std::uint64_t timer);

  // port_command.cpp
  void try_start();
  void finish_stop();
  void idle();
  void select_command();
  void header_fetched();
  void table_fetched();
  void transmit_command();
  void command_sent();
  void clear_issue();
  void commands_completed(unsigned count);
  void report_outstanding() { coalescing_->outstanding(number_, (registers_[kPxCI] | registers_[kPxSACT]) != 0); }
  void frame_sent() override;
  void transfer_done(host::Transfer& transfer, host::DmaResult result) override;

  // port_receive.cpp
  void frame_received(const sata::Frame& frame) override;
  void process_waiting();
  void hold_off(bool hold);
  bool dispatch();
  bool dispatch_stopped();
  bool post(std::uint32_t offset, bool with_byte_count);
  void posted();
  void accept_register();
  void accept_pio_setup();
  void accept_dma_setup();
  void accept_set_device_bits();
  void accept_unknown();
  bool not_running() const { return !running_ || halt_ == Halt::disconnected; }
  void accept_register_stopped();
  void finish_frame();

  // port_error.cpp
  void fatal(std::uint32_t interrupt_status);
  void task_file_error(std::uint32_t fis_interrupt);
  void overflow();
  void frame_damaged(const sata::Frame& frame, sata::Damage damage) override;
  bool frame_refused(const sata::Frame& frame, sata::Refusal refusal, unsigned attempts) override;
  void begin_self_test(bool far_end_loopback);

  // port_data.cpp
  bool receive_data();
  void transmit_data();
  void continue_walk();
  void walked();
  void data_received();
  void data_fetched();
  void data_sent();
  void update_byte_count(std::uint32_t bytes);
  void pio_update();
  void forget_data_phase() {
    dma_count_ = 0;
    dma_skip_ = 0;
    pio_ = false;
  }
  Slot* data_slot();

  std::uint32_t status() const { return registers_[kPxTFD] & 0xFF; }
  bool busy() const { return (status() & (kSTS_BSY | kSTS_DRQ)) != 0; }
  void set_task_file(std::uint32_t status, std::uint32_t error) { registers_[kPxTFD] = error << 8 | status; }
  std::uint64_t address(std::uint32_t low) const { return registers_[low] | std::uint64_t{registers_[low + 4]} << 32; }
  bool takes_commands() const { return running_ && halt_ == Halt::no; }
  bool queued(unsigned slot) const { return (registers_[kPxSACT] >> slot & 1) != 0; }
  // The command of pIssueSlot is with the device; before that, nothing the device says is about it.
  bool issued() const { return issue_slot_ != kNoSlot && command_sent_; }
  void start_transfer(host::Transfer& transfer, const host::DmaAccess* pieces, std::size_t count, sim::Time delay) {
    bus_->start(transfer, number_, pieces, count, delay);
  }

  sim::Trace* trace_;
  host::Bus* bus_;
  sata::FramePool* pool_;
  const ControllerProfile* profile_;
  HostInterrupts* interrupts_;
  CommandCompletion* coalescing_;
  unsigned number_;
  sata::Link link_;
  RegisterFile<Port, kPortBytes / 4> registers_;

  bool switch_open_ = false;  // the mechanical presence switch

  // Link power.
  sim::Time slept_at_ = sim::kNever;  // DEVSLP has been asserted since
  std::uint64_t sleep_timer_ = 0;     // the one that counts

  bool ahci_enabled_ = false;  // GHC.AE

  // Command list.
  bool running_ = false;  // between P:Idle and P:StartBitCleared; PxCMD.CR follows
  Halt halt_ = Halt::no;
  std::uint32_t passed_over_ = 0;  // slots that the profile's departures never send
  bool fetch_stale_ = false;
  bool header_due_ = false;        // the fetch under way is the header's
  bool command_to_issue_ = false;  // pCmdToIssue
  bool command_sent_ = false;      // the command of pIssueSlot
  unsigned issue_slot_ = kNoSlot;  // pIssueSlot
  unsigned slot_location_ = 0;     // pSlotLoc
  Sending sending_ = Sending::nothing;
  std::array<Slot, 32> slots_;
  std::uint8_t header_[kCommandHeader_bytes];
  std::uint8_t command_fis_[kCommandFisMax_bytes];
  host::Transfer fetch_;
  host::DmaAccess fetch_pieces_[2];

  // Reception.
  Receiving receiving_ = Receiving::nothing;
  bool current_stale_ = false;
  bool update_signature_ = true;  // pUpdateSig
  sata::Frame current_;           // while receiving_ is not nothing
  std::array<sata::Frame, kWaitingFrames> waiting_;
  std::size_t waiting_count_ = 0;
  bool held_off_ = false;
  sata::Frame held_register_;  // arrived with FRE = 0: posted when FRE becomes 1
  host::Transfer transfer_;
  std::vector<host::DmaAccess> pieces_;
  host::DmaAccess prd_window_;
  std::uint8_t byte_count_[4];

  // The data phase.
  unsigned data_slot_ = kNoSlot;  // pDataSlot
  std::uint32_t dma_count_ = 0;   // pDmaXferCnt of a DMA Setup
  std::uint32_t dma_skip_ = 0;    // bytes before its buffer offset still to be walked over
  bool pio_ = false;              // pPioXfer
  bool packet_ = false;           // the Data FIS on its way is an ATAPI packet
  std::uint32_t pio_count_ = 0;
  std::uint8_t pio_end_status_ = 0;  // pPioESts
  std::uint8_t pio_error_ = 0;       // pPioErr
  bool pio_interrupt_ = false;       // pPioIbit
  bool to_memory_ = false;
  std::uint32_t walk_wanted_ = 0;
  std::uint8_t* walk_buffer_ = nullptr;
  std::uint32_t walk_total_ = 0;
  sata::Frame outgoing_;
};

}  // namespace ncqlab::hba
