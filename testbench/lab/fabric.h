// What lies between CPU, controller and memory, and who owns time: the pure bus on the bare queue, or the controller's
// TLM shell and sockets on the SystemC host. Both give the same record sequence, and so the same fingerprint.
#pragma once

#include <cstdint>
#include <memory>

#include "model/hba/controller.h"
#include "model/hba/profile.h"
#include "model/host/bus.h"
#include "model/host/memory.h"
#include "model/sata/frame.h"
#include "model/sim/host.h"
#include "model/sim/trace.h"

namespace ncqlab::lab {

enum class HostKind : std::uint8_t { bare, systemc };

// The controller's interrupt output may be connected after it was made: the fabric passes it on.
class InterruptRelay final : public hba::InterruptSink {
 public:
  void connect(hba::InterruptSink* sink) { sink_ = sink; }
  void level(bool asserted) override {
    if (sink_ != nullptr) sink_->level(asserted);
  }
  void message(std::uint32_t vector) override {
    if (sink_ != nullptr) sink_->message(vector);
  }

 private:
  hba::InterruptSink* sink_ = nullptr;
};

class Fabric {
 public:
  virtual ~Fabric() = default;
  virtual sim::Host& host() = 0;
  virtual hba::Controller& controller() = 0;
  virtual host::Bus& bus() = 0;
  // One register access at its sampling instant, from an event of the queue.
  virtual std::uint32_t register_read(std::uint32_t offset) = 0;
  virtual void register_write(std::uint32_t offset, std::uint32_t value) = 0;
  virtual void connect_interrupts(hba::InterruptSink* sink) = 0;
};

struct FabricParts {
  sim::Trace& trace;
  host::Memory& memory;
  sata::FramePool& frames;
  const hba::ControllerProfile& controller;
};

std::unique_ptr<Fabric> make_bare_fabric(const FabricParts& parts);
// Throws std::invalid_argument in a build without SystemC.
std::unique_ptr<Fabric> make_systemc_fabric(const FabricParts& parts);

}  // namespace ncqlab::lab
