// One machine for qtest: the board, the drives on its controller, and the bare queue that is their time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/drive/ata/drive.h"
#include "model/drive/media/image_contents.h"
#include "model/sata/frame.h"
#include "model/sim/host.h"
#include "testbench/frontend/qtest/block_errors.h"
#include "testbench/frontend/qtest/guest.h"
#include "testbench/frontend/qtest/optical_bay.h"
#include "testbench/frontend/qtest/q35.h"

namespace ncqlab::qtest {

struct MachineDisk {
  unsigned port = 0;
  std::string id;  // as the monitor calls it
  drive::Profile profile;
  std::shared_ptr<drive::ImageContents> image;  // as large as the profile says; null: zeros
  std::optional<Blkdebug> blkdebug;
};

struct MachineOptical {
  unsigned port = 0;
  std::string id;
  drive::OpticalProfile profile;
  std::shared_ptr<drive::ImageContents> image;  // null: no disc
};

struct MachineSpec {
  std::uint64_t ram_bytes = 0;
  hba::ControllerProfile controller;
  std::vector<MachineDisk> disks;
  std::vector<MachineOptical> opticals;
};

// A place in the order of events: where a run came to, so that another can be brought there.
struct Progress {
  std::uint64_t events = 0;  // executed
  sim::Time time = 0;
};

class Machine final : public Guest {
 public:
  // Throws std::invalid_argument for a port that the controller has not.
  explicit Machine(const MachineSpec& spec);
  ~Machine() override;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // While stopped, registers and memory can be accessed and no time passes.
  bool stopped() const { return stopped_; }
  void stop() { stopped_ = true; }
  // What failed is tried again; when it fails again the machine stays stopped.
  void resume();
  // Null when there is no optical drive of that name.
  OpticalBay* optical(const std::string& id);
  // Trays that have opened or closed since the last call, in order.
  std::vector<TrayMove> take_tray_moves() { return std::exchange(tray_moves_, {}); }
  std::vector<BlockError> take_block_errors() { return block_errors_.take_reports(); }

  // From now on run_until() goes to `target` and nowhere else; for replaying. Nothing: as usual.
  void follow(std::optional<Progress> target) { target_ = target; }
  Progress progress() const { return {queue_.executed(), queue_.now()}; }
  std::uint64_t fingerprint() const { return trace_.fingerprint(); }
  sim::Trace& trace() { return trace_; }

  // What the guest wrote goes into the images. Throws std::runtime_error when a file can't be written.
  void write_back() const;

  // Guest
  std::uint32_t port_read(std::uint16_t port, unsigned bytes) override { return board_.port_read(port, bytes); }
  void port_write(std::uint16_t port, std::uint32_t value, unsigned bytes) override {
    board_.port_write(port, value, bytes);
  }
  void memory_read(std::uint64_t address, std::uint8_t* to, std::size_t bytes) override {
    board_.memory_read(address, to, bytes);
  }
  void memory_write(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) override {
    board_.memory_write(address, from, bytes);
  }
  sim::Time now() const override { return queue_.now(); }
  sim::Time next_event() const override { return queue_.next_time(); }
  void run_until(sim::Time when) override;
  std::vector<IrqEdge> take_irq_edges() override { return board_.take_irq_edges(); }

 private:
  struct Bay {
    unsigned port;
    std::shared_ptr<drive::ImageContents> image;
    std::unique_ptr<drive::Profile> profile;
    std::unique_ptr<drive::Drive> drive;
  };
  void add_disk(const MachineDisk& disk);
  void add_optical(const MachineOptical& optical);
  void run_to_target(const Progress& target);

  sim::BareHost host_;
  sim::EventQueue& queue_ = host_.queue();
  sim::Trace trace_;
  sata::FramePool frames_;
  hba::ControllerProfile controller_;
  Q35 board_;
  BlockErrors block_errors_;
  std::vector<Bay> bays_;
  std::vector<std::unique_ptr<OpticalBay>> opticals_;
  std::vector<TrayMove> tray_moves_;
  bool stopped_ = false;
  std::optional<Progress> target_;
};

}  // namespace ncqlab::qtest
