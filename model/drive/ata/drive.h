// The drive on its SATA link: command FIS in, protocol and data FIS out, around the disk library and the contents.
//
// One file a reason: drive.cpp the device's life and its disk's clock, command.cpp commands of the media and how each
// ends, features.cpp which feature set answers what, log_commands.cpp which one serves which log, settings.cpp SET
// FEATURES, queue.cpp the queue, its management and its errors, transfer.cpp data and status frames, link.cpp what the
// link reports beside frames, hooks.cpp where fault programs reach in. The optional feature sets are classes of their
// own in the folders beside. Sections cited there are of SATA 3.x (clause 11, device command layer protocols; 13.6,
// native command queuing) and ACS-3.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "model/drive/ata/answer.h"
#include "model/drive/ata/capacity/capacity.h"
#include "model/drive/ata/command_hooks.h"
#include "model/drive/ata/command_table.h"
#include "model/drive/ata/logs/host_logs.h"
#include "model/drive/ata/logs/ncq.h"
#include "model/drive/ata/logs/sense.h"
#include "model/drive/ata/microcode/microcode.h"
#include "model/drive/ata/power/power_modes.h"
#include "model/drive/ata/registers.h"
#include "model/drive/ata/sct/sct.h"
#include "model/drive/ata/security/security.h"
#include "model/drive/ata/settings/device_settings.h"
#include "model/drive/ata/smart/smart.h"
#include "model/drive/disk.h"
#include "model/drive/media/media.h"
#include "model/drive/profile.h"
#include "model/sata/fis.h"
#include "model/sata/link_end.h"
#include "model/sim/actor.h"
#include "model/sim/trace.h"

namespace ncqlab::drive {

// What a drive is made of beside its profile. All outlive the drive.
struct DriveParts {
  sim::EventQueue& queue;
  sim::Trace& trace;
  sata::FramePool& frames;
  std::shared_ptr<const MechanicsTables> tables;
  const FactoryContents* factory = nullptr;
  std::uint32_t number = 0;                // names the drive in trace records
  FlushListener* on_flush = nullptr;       // told of each FLUSH CACHE before the host is
  const SectorPattern* pattern = nullptr;  // of contents that need not be kept byte by byte
  std::uint64_t seed = 0;                  // of what chance decides: torn sectors, tail events
};

// How the power goes: with the reserve that the drive has for this, or as if that failed too.
enum class PowerCut : std::uint8_t { with_reserve, sudden };

class Drive final : public sata::Device, private sim::Actor {
 public:
  Drive(const Profile& profile, const DriveParts& parts);

  void connect(sata::DeviceLink* link) { link_ = link; }

  // A setting that the drive keeps over power cycles, as shipped or as a host left it.
  void set_write_cache(bool enabled) {
    write_cache_ = enabled;
    disk_.set_write_cache(enabled);
  }
  bool write_cache() const { return write_cache_; }  // as IDENTIFY DEVICE says
  // What the disk does with writes, whatever the setting says, until it is set again: for faults.
  void obey_write_cache(bool enabled) { disk_.set_write_cache(enabled); }

  // Null: none. They outlive the drive, or are taken away before; not to be changed while commands are under way.
  void set_hooks(CommandHooks* commands, MediaHooks* media);
  // Reading that sector fails with UNC until it is written again. lba < capacity.
  void mark_unreadable(std::uint64_t lba) { add_defect(lba, {Defect::Kind::unreadable}); }
  void add_defect(std::uint64_t lba, const Defect& defect) { media_.add_defect(lba, defect); }

  // The power fails: nothing is heard of the drive any more, its volatile cache is gone, and a sector under the head is
  // torn. Whoever plugs drives pulls it from its link at the same time.
  void cut_power(PowerCut how = PowerCut::with_reserve);
  // Power returns: volatile settings are those of power-on, locks and passwords act. A hardware reset follows.
  void power_on();

  // The firmware revision that runs (DOWNLOAD MICROCODE).
  const std::string& firmware() const { return microcode_.revision(); }
  // The time limits that a host has set by SCT error recovery control.
  const Sct& error_recovery() const { return sct_; }
  PowerModes::Mode power_mode() const { return power_.mode(now()); }
  // What the drive has counted so far.
  LiveCounts counts() const;

  unsigned queued_commands() const { return static_cast<unsigned>(std::bitset<32>(queued_mask_).count()); }

  const Disk& disk() const { return disk_; }
  // What the head writes at this moment; none when it does not.
  std::optional<WritePassState> write_pass() { return disk_.write_pass(now()); }
  const Contents& contents() const { return media_.contents(); }
  const Defects& defects() const { return media_.defects(); }
  void keep_durable_times() { media_.contents().keep_durable_times(); }

  // sata::Device
  sata::Generation highest_generation() const override {
    return static_cast<sata::Generation>(profile_.interface.generation);
  }
  void hardware_reset(sata::Generation generation) override;
  void phy_lost() override;
  void frame_received(const sata::Frame& frame) override;
  void frame_damaged(const sata::Frame& frame, sata::Damage damage) override;
  void frame_sent() override;
  bool frame_refused(const sata::Frame& frame, sata::Refusal refusal, unsigned attempts) override;
  bool accepts_power(sata::LinkPower power) override;
  void power_changed(sata::LinkPower power) override;

 private:
  // A command whose data move between buffer and host; the tag is the disk's. Counts are in sectors.
  struct Transfer {
    const CommandEntry* entry = nullptr;
    std::uint64_t lba = 0;
    std::uint32_t sectors = 0;
    std::uint32_t left = 0;       // still to move
    std::uint32_t at = 0;         // the next to move
    std::uint32_t phase_end = 0;  // where the DMA Setup or DRQ block under way ends
    std::uint32_t readable = 0;   // so many from the first can be read
    std::uint8_t priority = 0;    // of queued commands, count(15:14)
    bool announced = false;       // the DMA Setup or PIO Setup of this phase has been sent
    bool from_media = true;       // false: buffers_[tag]
  };

  // drive.cpp
  void become_ready(std::uint64_t);
  void reset_command_layer();
  void control(const sata::RegisterH2D& fis);
  void send_signature(bool interrupt);
  void end_commands();
  void keep_received_data();
  void run_disk();
  void disk_due(std::uint64_t);
  void handle(const Happening& happening);
  void data_scheduled(unsigned tag, Transfer& transfer);
  void command_done(unsigned tag);
  void flush_done(Action action);

  // command.cpp
  void command(const sata::RegisterH2D& fis);
  void take_command(const sata::RegisterH2D& fis);
  void perform(const CommandEntry& entry, const sata::RegisterH2D& fis);
  bool barred(const CommandEntry& entry) const;
  struct Range {
    std::uint64_t lba;
    std::uint32_t sectors;
  };
  Range range_of(const CommandEntry& entry, const sata::RegisterH2D& fis) const;
  void media_command(const CommandEntry& entry, const sata::RegisterH2D& fis);
  void write_uncorrectable(const CommandEntry& entry, const sata::RegisterH2D& fis);
  void submit(const CommandEntry& entry, unsigned tag, std::uint64_t lba, std::uint32_t sectors, bool fua,
              bool high_priority = false);
  void submit_flush(const CommandEntry& entry);
  void to_disk(const Command& command);
  void spun_up(std::uint64_t);
  bool abandon(unsigned tag);
  void move_buffer(const CommandEntry& entry, unsigned tag, std::vector<std::uint8_t> bytes);
  void trim_command(const CommandEntry& entry, const sata::RegisterH2D& fis);
  void trimmed(unsigned tag);
  bool in_range(std::uint64_t lba, std::uint64_t sectors) const { return lba + sectors <= capacity_.sectors(); }
  void succeed();
  void fail(std::uint8_t error, std::uint64_t lba = 0);
  void media_error(unsigned tag);
  void end_with_error(unsigned tag, std::uint8_t error, std::uint64_t lba);
  void record_error(std::uint8_t error, std::uint64_t lba);
  static void put_address(sata::RegisterD2H& fis, const CommandEntry* entry, std::uint64_t lba);
  std::uint8_t error_status(std::uint8_t error);

  // features.cpp
  Answer answer(const CommandEntry& entry, const sata::RegisterH2D& fis);
  Answer answer_to_data(const CommandEntry& entry, const Bytes& bytes);
  void carry_out(const CommandEntry& entry, Answer answer);
  void late_answer(std::uint64_t);
  void report(const Answer& answer);
  void buffer_received(unsigned tag);
  Answer enter_standby(const CommandEntry& entry, const sata::RegisterH2D& fis);
  Answer request_sense();
  IdentifyWords identify() const;
  SmartFeatures::Situation situation() const;

  // log_commands.cpp
  Bytes general_log(std::uint8_t address);
  Bytes smart_log(std::uint8_t address);
  Bytes sct_status() const;
  Bytes log_pages(std::uint64_t lba, std::uint32_t pages, std::uint16_t features);
  Answer read_log(const sata::RegisterH2D& fis);
  Answer write_log(const sata::RegisterH2D& fis) const;
  Answer smart_read_log(const sata::RegisterH2D& fis);
  Answer smart_write_log(const sata::RegisterH2D& fis) const;
  Answer log_received(const sata::RegisterH2D& fis, bool smart, const Bytes& bytes);

  // settings.cpp
  Answer set_features(std::uint8_t feature, std::uint8_t count);
  bool set_sata_feature(std::uint8_t number, bool enable);
  bool enabled(SataFeature feature) const { return (sata_features_ >> static_cast<unsigned>(feature) & 1) != 0; }
  void settings_after_hardware_reset();
  void power_on_settings();
  Answer set_multiple(std::uint8_t sectors);

  // queue.cpp
  void queued_command(const CommandEntry& entry, const sata::RegisterH2D& fis);
  void start_queued(const CommandEntry& entry, unsigned tag, const sata::RegisterH2D& fis);
  void accept(unsigned tag);
  void manage_queue(unsigned tag, const sata::RegisterH2D& fis);
  bool set_at_once(std::uint8_t feature, std::uint8_t count);
  bool abort_queue(unsigned tag, const sata::RegisterH2D& fis);
  void send_queued(const CommandEntry& entry, unsigned tag, const sata::RegisterH2D& fis);
  void receive_queued(const CommandEntry& entry, unsigned tag, const sata::RegisterH2D& fis);
  void complete_queued(unsigned tag);
  void refuse_queued(const sata::RegisterH2D& fis, std::uint8_t error);
  void refuse_non_queued_among_queued(const sata::RegisterH2D& fis);
  void queued_command_failed(unsigned tag, std::uint8_t error, std::uint64_t lba);
  void halt_queue(const NcqError& error);
  void command_while_halted(const CommandEntry* entry, const sata::RegisterH2D& fis);

  // hooks.cpp
  CommandEvent event_of(CommandHook hook, const sata::RegisterH2D& fis) const;
  void hook_received(const sata::RegisterH2D& fis);
  void received_late(std::uint64_t);
  void go_on_received(const CommandEvent& event);
  void hook_execute(unsigned tag, const sata::RegisterH2D& fis);
  void execute_late(std::uint64_t tag);
  void execute_hooked(unsigned tag);
  bool skip_media(unsigned tag);
  void post_success(const sata::RegisterD2H& fis);
  void status_late(std::uint64_t);
  void completed_late(std::uint64_t tag);
  bool hook_done(unsigned tag);
  void fail_as_hooked(const CommandEvent& event);

  // transfer.cpp
  void transfer_due(std::uint64_t tag);
  void pump();
  void wake(std::uint64_t) { pump(); }
  bool link_free() const { return !frame_under_way_ && link_ != nullptr && link_->phy_ready(); }
  void send(sata::Frame frame);
  void send_register(std::uint8_t status, std::uint8_t error, bool interrupt);
  void send_register(const sata::RegisterD2H& fis);
  void send_completions();
  void step_transfer(unsigned tag, Transfer& transfer);
  bool wait_for_media(unsigned tag, const Transfer& transfer, std::uint32_t sectors);
  void set_up_dma(unsigned tag, Transfer& transfer);
  void set_up_pio(unsigned tag, Transfer& transfer);
  void send_data(unsigned tag, Transfer& transfer);
  void data_received(const sata::Frame& frame);
  void moved(unsigned tag, Transfer& transfer, std::uint32_t sectors);
  void finish_transfer(unsigned tag, Transfer& transfer);

  // link.cpp
  void transfer_damaged(unsigned tag);
  bool idle() const;
  void went_idle();
  void idle_for_partial(std::uint64_t serial);
  void idle_for_slumber(std::uint64_t serial);

  const Profile& profile_;
  sim::Trace& trace_;
  sata::FramePool& frames_;
  FlushListener* on_flush_;
  std::uint32_t number_;
  sata::DeviceLink* link_ = nullptr;
  Disk disk_;
  Media media_;

  sata::Generation generation_ = 1;
  bool powered_ = true;
  bool ready_ = false;                  // the signature has been sent
  bool soft_reset_ = false;             // SRST is set
  bool busy_ = false;                   // a non-queued command is being executed
  std::vector<sim::Time> disk_events_;  // posted, the next one last: each was posted because it came before the others

  std::unique_ptr<HookedCommands> hooked_;  // null as a rule: no hooks

  // Settings.
  bool write_cache_ = false;
  bool read_look_ahead_ = true;
  std::uint8_t multiple_sectors_ = 0;  // DRQ block of READ and WRITE MULTIPLE; 0: not set
  std::uint32_t sata_features_ = 0;    // bit n: SataFeature n is enabled

  // Feature sets.
  DeviceSettings settings_;
  PowerModes power_;
  Capacity capacity_;
  Security security_;
  SmartFeatures smart_;
  Sct sct_;
  Microcode microcode_;
  HostLogs host_logs_;
  LiveCounts counts_;
  LiveCounts phy_events_base_;  // when the PHY event counters were last set to zero
  Sense sense_;                 // of the last error
  Bytes buffer_page_;           // READ BUFFER and WRITE BUFFER

  std::uint8_t opcode_ = 0;            // of the last command, and
  std::uint8_t preceding_opcode_ = 0;  // of the one before: some commands must follow another
  sata::RegisterH2D current_;          // the command that a feature set is executing
  Answer late_answer_;                 // what it ends with
  std::vector<Command> waiting_for_spin_up_;

  // The queue. Tags in queued_mask_ are outstanding for the host, those in completed_mask_ wait for Set Device Bits.
  std::uint32_t queued_mask_ = 0;
  std::uint32_t completed_mask_ = 0;
  bool halted_ = false;  // by an error, until log 10h has been read (13.6.6)
  NcqError ncq_error_;

  std::array<Transfer, kTags> transfers_;
  std::array<std::vector<std::uint8_t>, kTags> buffers_;  // of transfers that are not from the media
  std::deque<unsigned> ready_transfers_;                  // in the order in which their data came or were wanted
  std::deque<sata::Frame> control_;  // Register FIS and the Set Device Bits of errors, which go before data
  bool frame_under_way_ = false;
  bool data_phase_ = false;  // between a DMA Setup and the last Data FIS that it announced
  bool awaiting_host_data_ = false;
  bool transfer_under_way_ = false;  // the last frame given to the link belongs to a transfer
  unsigned data_tag_ = 0;            // of the last Data FIS to the host

  // Link power at the drive's own initiative.
  std::uint64_t idle_serial_ = 0;  // of the last time that the drive became idle
  bool slumber_wanted_ = false;    // on the way from partial, which leads through active
};

}  // namespace ncqlab::drive
