#include "testbench/tests/model/pci_rig.h"

namespace ncqlab::test {

using namespace hba;  // NOLINT: registers on every line

ControllerProfile PciRig::profile_with_everything() {
  ControllerProfile profile = HbaRig::default_profile();
  profile.messages = 1;
  profile.pci.vendor = 0x1234;
  profile.pci.device = 0x5678;
  profile.pci.revision = 0x9A;
  profile.pci.subsystem_vendor = 0x4321;
  profile.pci.subsystem = 0x8765;
  profile.pci.io_bar_bytes = {8, 4, 8, 4, 32};
  profile.pci.register_bar_bytes = 0x2000;
  profile.pci.power_management = true;
  profile.pci.index_data_pair = true;
  profile.pci.index_data_offset_bytes = 16;
  return profile;
}

PciRig::PciRig(const ControllerProfile& wanted)
    : HbaRig(wanted), function({host_.queue(), trace, pool, profile, memory, notes}) {
  connect(host_, function.controller());
}

void PciRig::enable() {
  set_config(0x24, kRegisters);
  set_config(0x20, kIo);
  set_config(0x04, 0x0007, 2);
}

void PciRig::complete_a_command() {
  build_command(0, command(0xE7), {});
  issue(0);
  run();
  device.send_status(0x50, true);
  run();
}

void PciRig::acknowledge() {
  set_port(kPxIS, kPxIS_DHRS);
  write(kIS, 1);
}

}  // namespace ncqlab::test
