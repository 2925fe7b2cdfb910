// The SystemC host: the controller's TLM shell, its DMA through a socket into TLM memory, register accesses through the
// target socket.
#include <systemc>

#include "model/hba/tlm/controller_shell.h"
#include "model/hba/tlm/tlm_memory.h"
#include "model/sim/systemc/systemc_host.h"
#include "testbench/lab/fabric.h"

namespace ncqlab::lab {

namespace {

class SystemcFabric final : public Fabric {
 public:
  explicit SystemcFabric(const FabricParts& parts)
      : host_(sim::make_systemc_host()),
        shell_("controller", {*host_, parts.trace, parts.frames, parts.controller, &relay_}),
        memory_("memory", parts.memory),
        cpu_("cpu") {
    shell_.dma.bind(memory_.socket);
    cpu_.registers.bind(shell_.registers);
    // A machine of ours gives the kernel no reason to warn: a warning ends the run.
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  }

  sim::Host& host() override { return *host_; }
  hba::Controller& controller() override { return shell_.controller(); }
  host::Bus& bus() override { return shell_.bus(); }
  std::uint32_t register_read(std::uint32_t offset) override {
    std::uint32_t value = 0;
    access(tlm::TLM_READ_COMMAND, offset, value);
    return value;
  }
  void register_write(std::uint32_t offset, std::uint32_t value) override {
    access(tlm::TLM_WRITE_COMMAND, offset, value);
  }
  void connect_interrupts(hba::InterruptSink* sink) override { relay_.connect(sink); }

 private:
  struct Cpu final : sc_core::sc_module {
    explicit Cpu(const sc_core::sc_module_name& name) : sc_module(name) {}
    tlm_utils::simple_initiator_socket<Cpu> registers;
  };

  // At the sampling instant: the way there and back is InProcessCpu's, so the latency that the target adds is dropped.
  void access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    payload_.set_command(command);
    payload_.set_address(offset);
    payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload_.set_data_length(4);
    payload_.set_streaming_width(4);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    cpu_.registers->b_transport(payload_, delay);
  }

  sim::KernelGuard kernel_;
  InterruptRelay relay_;
  std::unique_ptr<sim::Host> host_;
  hba::ControllerShell shell_;
  hba::TlmMemory memory_;
  Cpu cpu_;
  tlm::tlm_generic_payload payload_;
};

}  // namespace

std::unique_ptr<Fabric> make_systemc_fabric(const FabricParts& parts) { return std::make_unique<SystemcFabric>(parts); }

}  // namespace ncqlab::lab
