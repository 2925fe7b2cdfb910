// For the tests of the port state machine (AHCI 1.3.1, 5.3): a port that runs, steps of time, frames by name. The
// tests' names are the specification's: HbaStates.IdleToSelectCmd is the transition from P:Idle to P:SelectCmd.
#pragma once

#include <functional>

#include "testbench/tests/model/hba_damage.h"
#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {

struct StateRig : BareRig {
  // Up to the signature; the port is started when `started`.
  explicit StateRig(bool started = true, const hba::ControllerProfile& wanted = default_profile()) : BareRig(wanted) {
    if (started) {
      bring_up();
    } else {
      run();
      set_port(hba::kPxSERR, 0xFFFFFFFF);
      set_port(hba::kPxIS, 0xFFFFFFFF);
      set_port(hba::kPxIE, 0xFFFFFFFF);
      write(hba::kIS, 0xFFFFFFFF);
      write(hba::kGHC, hba::kGHC_AE | hba::kGHC_IE);
      interrupts.messages.clear();
    }
  }

  // Runs event by event; true as soon as `reached` holds, false when nothing is left to happen.
  bool run_until(const std::function<bool()>& reached) {
    while (!reached()) {
      if (!queue().run_one()) return false;
    }
    return true;
  }

  // A command that is not queued, in `slot`, up to the moment when the device has it.
  void send_command(unsigned slot, std::uint8_t opcode, const std::vector<Piece>& pieces = {},
                    std::uint32_t flags = 0) {
    build_command(slot, command(opcode), pieces, flags);
    issue(slot);
    run();
  }
  // A queued command that the device has accepted.
  void send_queued(unsigned tag, std::uint8_t opcode, std::uint32_t bytes, std::uint32_t flags = 0) {
    build_command(tag, queued_command(opcode, tag), {{data.address, bytes}}, flags);
    issue_queued(tag);
    run();
    device.send_status(0x40, false);
    run();
  }
  void send_pio_setup(bool to_host, std::uint16_t bytes, std::uint8_t status, std::uint8_t end_status, bool interrupt) {
    sata::PioSetup fis;
    fis.to_host = to_host;
    fis.transfer_count = bytes;
    fis.status = status;
    fis.end_status = end_status;
    fis.interrupt = interrupt;
    device.send(fis);
    run();
  }
  void send_bist(std::uint8_t pattern_definition) {
    sata::Frame frame = pool.make(12);
    std::fill(frame.data(), frame.data() + 12, std::uint8_t{0});
    frame.data()[0] = static_cast<std::uint8_t>(sata::FisType::bist_activate);
    frame.data()[2] = pattern_definition;
    device.send(std::move(frame));
    run();
  }
  void activate_dma() {
    device.send(sata::encode_dma_activate(pool, 0));
    run();
  }

  std::uint32_t status() { return port(hba::kPxTFD) & 0xFF; }
  std::uint32_t detection() { return port(hba::kPxSSTS) & hba::kDET_mask; }
  bool command_list_runs() { return (port(hba::kPxCMD) & hba::kPxCMD_CR) != 0; }
  unsigned current_slot() { return port(hba::kPxCMD) >> hba::kPxCMD_CCS_shift & 0x1F; }

  // Befalls the next frame of that type.
  void damage(sata::Direction direction, sata::FisType type, sata::Damage what = sata::Damage::crc) {
    faults.where = direction;
    faults.type = type;
    faults.what = what;
    faults.times = 1;
    controller().link(0).inject(&faults);
  }

  Damaging faults;
};

}  // namespace ncqlab::test
