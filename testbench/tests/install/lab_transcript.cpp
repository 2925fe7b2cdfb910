// Runs the script of testbench/examples/tlm_platform on a controller without SystemC and prints what the example
// prints: the same commands in the same order, the same data.
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "model/drive/ata/drive.h"
#include "model/hba/controller.h"
#include "model/host/memory.h"
#include "model/sim/host.h"
#include "testbench/examples/tlm_platform/checksum.h"
#include "testbench/examples/tlm_platform/script.h"
#include "testbench/oracle/ahci_legality.h"

namespace {

using namespace ncqlab;

class Ear final : public sim::Observer {
 public:
  void on_record(const sim::Record& record) override {
    if (record.kind == sim::Kind::fis_to_device && record.a == 0x27) heads.push_back(record.c);
  }
  std::vector<std::uint64_t> heads;
};

class NoInterrupts final : public hba::InterruptSink {
  void level(bool) override {}
  void message(std::uint32_t) override {}
};

class Machine {
 public:
  Machine() {
    trace_.add_observer(&ear);
    trace_.add_observer(&legality);
    disk.connect(&controller_.link(0).device_side());
    controller_.link(0).plug(&disk);
  }
  ~Machine() { controller_.link(0).unplug(); }

  void run_script() {
    bring_up();
    std::uint32_t batch = 0;
    for (const example::Command& command : example::kScript) {
      build(command);
      batch |= 1U << command.tag;
      if (!command.ends_batch) continue;
      set(hba::kPxSACT, batch);
      set(hba::kPxCI, batch);
      batch = 0;
      run();
    }
  }

 private:
  void run() {
    while (host_.run() == sim::Host::Ended::stop_requested) {
    }
  }
  void set(std::uint32_t offset, std::uint64_t value) {
    controller_.write(hba::kPortsBase + offset, static_cast<std::uint32_t>(value), 4);
  }
  void set_address(std::uint32_t offset, std::uint64_t address) {
    set(offset, address);
    set(offset + 4, address >> 32);
  }

  void bring_up() {
    controller_.write(hba::kGHC, hba::kGHC_AE, 4);
    set_address(hba::kPxCLB, list_.address);
    set_address(hba::kPxFB, received_.address);
    set(hba::kPxCMD, hba::kPxCMD_FRE);
    run();
    set(hba::kPxCMD, hba::kPxCMD_FRE | hba::kPxCMD_ST);
  }

  void build(const example::Command& command) {
    const std::uint32_t bytes = command.sectors * example::kSector_bytes;
    const host::Block buffer = memory_.allocate(bytes, 2);
    for (std::uint32_t i = 0; command.write && i < bytes; ++i) buffer.cpu[i] = example::pattern(command.lba, i);
    sata::RegisterH2D fis;
    fis.command_bit = true;
    fis.command = command.write ? 0x61 : 0x60;
    fis.lba = command.lba;
    fis.features = static_cast<std::uint16_t>(command.sectors);
    fis.count = static_cast<std::uint16_t>(command.tag << 3);
    fis.device = 0x40;
    const sata::Frame frame = sata::encode(frames_, fis);
    std::uint8_t* table = tables_.cpu + command.tag * 256;
    std::memcpy(table, frame.data(), frame.size());
    store64(table + 128, buffer.address);
    hba::store32(table + 140, bytes - 1);
    std::uint8_t* header = list_.cpu + command.tag * 32;
    hba::store32(header, 5U | (command.write ? 1U << 6 : 0U) | 1U << 16);
    store64(header + 8, tables_.address + command.tag * 256);
  }

  static void store64(std::uint8_t* at, std::uint64_t value) {
    hba::store32(at, static_cast<std::uint32_t>(value));
    hba::store32(at + 4, static_cast<std::uint32_t>(value >> 32));
  }

  sim::BareHost host_;
  sim::Trace trace_;
  sata::FramePool frames_;
  host::Memory memory_;
  NoInterrupts interrupts_;
  const hba::ControllerProfile controller_profile_ = config::load_controller_profile("ich8");
  const drive::Profile drive_profile_ = config::load_drive_profile("st31000340as");
  host::Bus bus_{host_.queue(), trace_, controller_profile_.bus, memory_};
  hba::Controller controller_{host_.queue(), trace_, bus_, frames_, controller_profile_, interrupts_};
  host::Block list_ = memory_.allocate(1024, 1024);
  host::Block received_ = memory_.allocate(256, 256);
  host::Block tables_ = memory_.allocate(32 * 256, 128);

 public:
  Ear ear;
  oracle::AhciLegality legality;
  drive::Drive disk{drive_profile_,
                    {host_.queue(), trace_, frames_,
                     std::make_shared<const drive::MechanicsTables>(drive_profile_.mechanics,
                                                                    drive_profile_.capacity_sectors, drive::Layout{})}};
};

}  // namespace

int main() {
  for (unsigned i = 0; i < 2; ++i) {
    Machine machine;
    machine.run_script();
    for (const std::uint64_t head : machine.ear.heads) {
      std::printf("disk %u heard %016llx\n", i, static_cast<unsigned long long>(head));
    }
    std::printf("disk %u holds %08x\n", i, example::checksum(machine.disk));
    if (machine.legality.count() != 0) {
      std::fputs(machine.legality.report(1).c_str(), stderr);
      return 1;
    }
  }
}
