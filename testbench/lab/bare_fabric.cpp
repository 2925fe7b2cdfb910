#include "testbench/lab/fabric.h"

namespace ncqlab::lab {

namespace {

class BareFabric final : public Fabric {
 public:
  explicit BareFabric(const FabricParts& parts)
      : bus_(host_.queue(), parts.trace, parts.controller.bus, parts.memory),
        controller_(host_.queue(), parts.trace, bus_, parts.frames, parts.controller, relay_) {}

  sim::Host& host() override { return host_; }
  hba::Controller& controller() override { return controller_; }
  host::Bus& bus() override { return bus_; }
  std::uint32_t register_read(std::uint32_t offset) override { return controller_.read(offset, 4); }
  void register_write(std::uint32_t offset, std::uint32_t value) override { controller_.write(offset, value, 4); }
  void connect_interrupts(hba::InterruptSink* sink) override { relay_.connect(sink); }

 private:
  sim::BareHost host_;
  InterruptRelay relay_;
  host::Bus bus_;
  hba::Controller controller_;
};

}  // namespace

std::unique_ptr<Fabric> make_bare_fabric(const FabricParts& parts) { return std::make_unique<BareFabric>(parts); }

}  // namespace ncqlab::lab
