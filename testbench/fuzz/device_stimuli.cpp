// What the hostile device does, what befalls the frames of all, and whoever pulls at the cables.
#include <algorithm>
#include <iterator>

#include "testbench/fuzz/stimuli.h"

namespace ncqlab::fuzz {

void Stimuli::choose_manner() {
  machine_.hostile.manner = static_cast<HostileDevice::Manner>(input_.below(HostileDevice::kManners));
}

void Stimuli::send_known_frame() {
  HostileDevice& device = machine_.hostile;
  switch (input_.below(7)) {
    case 0: {
      sata::RegisterD2H fis;
      fis.status = input_.byte();
      fis.error = input_.byte();
      fis.interrupt = input_.flag();
      return device.send(fis);
    }
    case 1: {
      sata::SetDeviceBits fis;
      fis.active = input_.dword();
      fis.status = input_.byte();
      fis.error = input_.byte();
      fis.interrupt = input_.flag();
      fis.notification = input_.flag();
      fis.pm_port = input_.byte() & 0xF;
      return device.send(fis);
    }
    case 2: {
      sata::DmaSetup fis;
      fis.buffer_identifier = input_.byte();
      fis.to_host = input_.flag();
      fis.auto_activate = input_.flag();
      fis.interrupt = input_.flag();
      fis.buffer_offset = input_.flag() ? input_.dword() : 0;
      fis.transfer_count = input_.word();
      return device.send(fis);
    }
    case 3: {
      sata::PioSetup fis;
      fis.to_host = input_.flag();
      fis.status = input_.byte();
      fis.end_status = input_.byte();
      fis.interrupt = input_.flag();
      fis.transfer_count = input_.word();
      return device.send(fis);
    }
    case 4:
      return device.send(sata::encode_dma_activate(machine_.pool, input_.byte() & 0xF));
    case 5:
      return device.send_data(input_.word() % (sata::kMaxDataPayload_bytes + 1), input_.byte());
    default: {  // BIST Activate
      sata::Frame frame = machine_.pool.make(12);
      std::fill_n(frame.data(), 12, std::uint8_t{0});
      frame.data()[0] = static_cast<std::uint8_t>(sata::FisType::bist_activate);
      frame.data()[2] = input_.byte();
      return device.send(std::move(frame));
    }
  }
}

// A type that is known or not, with a length and bytes that need not fit.
void Stimuli::send_any_frame() {
  sata::Frame frame = machine_.pool.make(input_.flag() ? 1 + input_.below(80) : 20);
  const std::uint32_t given = std::min<std::uint32_t>(frame.size(), 1 + input_.below(32));
  for (std::uint32_t i = 0; i < given; ++i) frame.data()[i] = input_.byte();
  std::fill(frame.data() + given, frame.data() + frame.size(), std::uint8_t{0});
  machine_.hostile.send(std::move(frame));
}

void Stimuli::disturb_frames() {
  switch (input_.below(4)) {
    case 0:
      machine_.noise.damage = static_cast<sata::Damage>(input_.below(7));
      machine_.noise.flipped_bit = 0;
      machine_.noise.frames = input_.below(8);
      return machine_.make_noise();
    case 1:
      machine_.noise.damage = sata::Damage::none;
      machine_.noise.flipped_bit = input_.word();
      machine_.noise.frames = input_.below(8);
      return machine_.make_noise();
    case 2:
      machine_.hostile.refusals = input_.below(16);
      return;
    default:
      machine_.link(any_port()).device_side().sync_escape();
      return;
  }
}

void Stimuli::disturb_link() {
  static constexpr sata::LinkPower kPowers[] = {sata::LinkPower::active, sata::LinkPower::partial,
                                                sata::LinkPower::slumber};
  HostileDevice& device = machine_.hostile;
  switch (input_.below(9)) {
    case 0:
    case 1:
      return plug_something();
    case 2:
      device.accepts_sleep = !device.accepts_sleep;
      return;
    case 3:
      machine_.link(any_port()).device_side().request_power(kPowers[input_.below(std::size(kPowers))]);
      return;
    case 4:
      return machine_.link(any_port()).interrupt_signal(sim::Time{input_.byte()} * sim::kMicrosecond);
    case 5:
      return machine_.link(any_port()).device_side().send_cominit();
    case 6:
      machine_.noise.phy_steps = input_.below(8);
      return machine_.make_noise();
    case 7:
      device.signature = input_.flag();
      device.generation = static_cast<sata::Generation>(1 + input_.below(3));
      device.delay = input_.flag() ? sim::Time{input_.byte()} * 100 * sim::kMicrosecond : 0;
      return;
    default: {
      const unsigned port = any_port();
      return machine_.controller().set_mechanical_switch(port, input_.flag());
    }
  }
}

// In or out, or both at once.
void Stimuli::plug_something() {
  const unsigned port = any_port();
  sata::Link& link = machine_.link(port);
  const bool present = link.host_side().device_present();
  if (present) link.unplug();
  if (!present || input_.flag()) link.plug(&machine_.device(port));
}

}  // namespace ncqlab::fuzz
