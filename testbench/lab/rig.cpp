#include "testbench/lab/rig.h"

#include <algorithm>

#include "testbench/lab/post_mortem.h"

namespace ncqlab::lab {

namespace {

unsigned first_port(const hba::ControllerProfile& controller) {
  unsigned port = 0;
  while (port < 31 && (controller.ports_implemented >> port & 1) == 0) ++port;
  return port;
}

MachineSpec machine_spec(const RigSpec& spec, unsigned port) {
  MachineSpec machine;
  machine.host = spec.host;
  machine.controller = spec.controller;
  machine.memory = spec.memory;
  machine.non_coherent = spec.non_coherent;
  machine.drives.push_back({port, spec.drive, spec.layout, spec.write_cache, spec.bugs});
  machine.seed = spec.seed;
  return machine;
}

}  // namespace

Rig::Rig(const RigSpec& spec)
    : port_(first_port(spec.controller)), machine_(std::make_unique<Machine>(machine_spec(spec, port_))) {
  machine_->trace().add_observer(&legality_);
  cpu_ = std::make_unique<InProcessCpu>(*machine_);
  if (!cpu_->attach(spec.driver) || cpu_->ahci().port_state(port_) != driver::PortState::active) {
    give_up("the driver did not attach the drive on port " + std::to_string(port_));
  }
  disk_ = std::make_unique<DriverDisk>(*cpu_, port_);
}

void Rig::run(workload::Workload& workload, workload::HostOptions host) {
  host.queue_depth = std::min(host.queue_depth, depth());
  workload::HostLayer layer(*disk_, host);
  layer.start(workload);
  if (!cpu_->run([&workload] { return workload.finished(); })) {
    give_up("the workload did not end: " + std::to_string(layer.in_driver()) + " requests are with the driver, " +
            std::to_string(layer.queued()) + " wait in the host, and nothing is left that could happen");
  }
  check();
}

void Rig::check() {
  std::string text;
  for (const std::string& line : disk_->findings()) text += line + '\n';
  text += legality_.report(1);
  if (!text.empty()) give_up(text);
}

void Rig::give_up(const std::string& why) {
  throw Misbehaviour(why + "\n" + post_mortem(*machine_, cpu_.get(), port_, legality_.history()));
}

}  // namespace ncqlab::lab
