// Two ncqlab controllers, each with a disk, on somebody else's platform. Prints what each disk heard of the script, one
// line a command, and a checksum of what it holds. Exit status: 0 when all data were right.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <systemc>
#include <vector>

#include "bus.h"
#include "checksum.h"
#include "cpu.h"
#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "model/config/error.h"
#include "model/drive/ata/drive.h"
#include "model/hba/tlm/controller_shell.h"
#include "model/sim/systemc/systemc_host.h"
#include "script.h"

namespace {

using namespace ncqlab;

// The commands that reached a disk, in order.
class Ear final : public sim::Observer {
 public:
  void on_record(const sim::Record& record) override {
    if (record.kind == sim::Kind::fis_to_device && record.a == 0x27) heads.push_back(record.c);
  }
  std::vector<std::uint64_t> heads;  // the first 8 bytes of each Register FIS
};

struct Storage {
  Storage(const char* name, sim::Host& host, const hba::ControllerProfile& controller_profile,
          const drive::Profile& drive_profile)
      : controller(name, {host, trace, frames, controller_profile, nullptr}),
        disk(drive_profile, {host.queue(), trace, frames,
                             std::make_shared<const drive::MechanicsTables>(
                                 drive_profile.mechanics, drive_profile.capacity_sectors, drive::Layout{})}) {
    trace.add_observer(&ear);
    disk.connect(&controller.controller().link(0).device_side());
    controller.controller().link(0).plug(&disk);
  }
  ~Storage() { controller.controller().link(0).unplug(); }

  sim::Trace trace;
  Ear ear;
  sata::FramePool frames;
  hba::ControllerShell controller;
  drive::Drive disk;
};

int run() {
  hba::ControllerProfile controller_profile = config::load_controller_profile("ich8");
  controller_profile.interrupt = hba::InterruptKind::intx;
  const drive::Profile drive_profile = config::load_drive_profile("st31000340as");

  const auto host = sim::make_systemc_host();
  Storage first("first", *host, controller_profile, drive_profile);
  Storage second("second", *host, controller_profile, drive_profile);
  example::Memory memory("memory", example::kMemory_bytes);
  example::Bus bus("bus");
  example::InterruptController interrupts("interrupts");
  example::Cpu cpu("cpu", memory, interrupts);
  sc_core::sc_clock clock("clock", 10, sc_core::SC_NS);
  sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> lines[2];

  bus.map(example::kMemoryBase, example::kMemory_bytes, false);
  bus.initiators.bind(memory.socket);
  cpu.socket.bind(bus.targets);
  interrupts.clock(clock);
  Storage* const storages[] = {&first, &second};
  for (unsigned i = 0; i < 2; ++i) {
    bus.map(example::kRegisterBase[i], example::kRegister_bytes, true);
    bus.initiators.bind(storages[i]->controller.registers);
    storages[i]->controller.dma.bind(bus.targets);
    storages[i]->controller.interrupt(lines[i]);
    interrupts.lines[i](lines[i]);
  }

  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_SEC));
  for (unsigned i = 0; i < 2; ++i) {
    auto& heads = storages[i]->ear.heads;
    heads.resize(std::min(heads.size(), std::size(example::kScript)));  // without those of read_own_registers()
    for (const std::uint64_t head : heads) {
      std::printf("disk %u heard %016llx\n", i, static_cast<unsigned long long>(head));
    }
    std::printf("disk %u holds %08x\n", i, example::checksum(storages[i]->disk));
  }
  if (!cpu.finished()) std::printf("FAILED: the script did not end within 1 s of simulated time\n");
  return cpu.finished() && cpu.errors() == 0 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}

// SystemC's library has a main() of its own that calls this; ours above is the one that runs.
int sc_main(int /*argc*/, char** /*argv*/) { return 4; }
