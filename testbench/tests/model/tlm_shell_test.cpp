// The controller as a SystemC module: the same records as without, registers and DMA through sockets, interconnects
// that wait.
#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>

#include "model/hba/tlm/controller_shell.h"
#include "model/hba/tlm/tlm_memory.h"
#include "testbench/tests/model/hba_rig.h"
#include "testbench/tests/support/systemc_fixture.h"

namespace ncqlab::test {
namespace {

using namespace hba;

class ShellRig final : public HbaRig {
 public:
  explicit ShellRig(const ControllerProfile& wanted = default_profile(),
                    const sc_core::sc_time& latency = sc_core::SC_ZERO_TIME)
      : HbaRig(wanted),
        host_(sim::make_systemc_host()),
        shell("hba", {*host_, trace, pool, profile, &interrupts}),
        tlm_memory("memory", memory, latency) {
    shell.dma.bind(tlm_memory.socket);
    connect(*host_, shell.controller());
  }

 private:
  std::unique_ptr<sim::Host> host_;

 public:
  ControllerShell shell;
  TlmMemory tlm_memory;
};

// A platform's initiator on the register socket. Runs `body` as an SC_THREAD, once the machine runs.
class Initiator final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Initiator);
  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") { SC_THREAD(run); }
  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::function<void(Initiator&)> body;

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t offset, std::uint8_t* bytes, unsigned count,
                                  sc_core::sc_time& delay) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(offset);
    payload.set_data_ptr(bytes);
    payload.set_data_length(count);
    payload.set_streaming_width(count);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  std::uint32_t read32(std::uint64_t offset, sc_core::sc_time& delay) {
    std::uint8_t bytes[4] = {};
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, offset, bytes, 4, delay), tlm::TLM_OK_RESPONSE);
    return load32(bytes);
  }
  void write32(std::uint64_t offset, std::uint32_t value) {
    std::uint8_t bytes[4];
    store32(bytes, value);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, offset, bytes, 4, delay), tlm::TLM_OK_RESPONSE);
  }

 private:
  void run() {
    if (body) body(*this);
  }
};

// The shell's register socket wants an initiator, also where the test calls the controller itself.
class ShellTest : public SystemcTest {
 protected:
  void make(const sc_core::sc_time& latency = sc_core::SC_ZERO_TIME,
            const ControllerProfile& profile = HbaRig::default_profile()) {
    rig = std::make_unique<ShellRig>(profile, latency);
    cpu = std::make_unique<Initiator>("cpu");
    cpu->socket.bind(rig->shell.registers);
  }
  void TearDown() override {
    cpu.reset();
    rig.reset();
  }
  std::unique_ptr<ShellRig> rig;
  std::unique_ptr<Initiator> cpu;
};

// Posts register writes and device actions as events: a script that is the same on every host.
class Script final : public sim::Actor {
 public:
  explicit Script(HbaRig& rig) : Actor(rig.queue()) {}
  void at(sim::Time when, std::function<void()> step) {
    steps_.push_back(std::move(step));
    post_at<&Script::run_step>(when, steps_.size() - 1);
  }

 private:
  void run_step(std::uint64_t index) { steps_[index](); }
  std::vector<std::function<void()>> steps_;
};

// Queued reads and writes on tags that overlap, a non-queued command, a COMRESET.
std::uint64_t scenario(HbaRig& rig) {
  using sim::kMicrosecond;
  using sim::kMillisecond;
  Script script(rig);
  rig.device.on_frame = [&rig](const Bytes& fis) {
    if (fis[0] != 0x27) return;
    const unsigned tag = fis[12] >> 3;
    switch (fis[2]) {
      case 0x60:
        rig.device.send_status(0x40, false);
        rig.device.set_up_dma(tag, true, 8192);
        rig.device.send_data(pattern(8192, tag));
        rig.device.complete_tags(1U << tag);
        break;
      case 0x61:
        rig.device.send_status(0x40, false);
        rig.device.set_up_dma(tag, false, 4096, 0, true);
        break;
      default:
        rig.device.send_status(0x50, true);
        break;
    }
  };
  script.at(kMillisecond, [&] {
    rig.set_port(kPxSERR, 0xFFFFFFFF);
    rig.set_port(kPxIE, 0xFFFFFFFF);
    rig.write(kGHC, kGHC_AE | kGHC_IE);
    rig.start_port();
  });
  for (unsigned tag = 0; tag < 32; ++tag) {
    const bool read = tag % 3 != 0;
    script.at(2 * kMillisecond + tag * 3 * kMicrosecond, [&rig, tag, read] {
      std::vector<Piece> pieces;
      for (std::uint32_t i = 0; i < 16; ++i) pieces.push_back({rig.data.address + 0x4000 * tag + 1024 * i, 512});
      rig.build_command(tag, queued_command(read ? 0x60 : 0x61, tag), pieces, read ? 0 : HbaRig::kWrite);
      rig.issue_queued(tag);
    });
  }
  script.at(3 * kMillisecond, [&] {
    rig.read(kIS);
    rig.set_port(kPxIS, rig.port(kPxIS));
    rig.write(kIS, rig.read(kIS));
    rig.device.complete_tags(0xFFFFFFFF);
  });
  script.at(4 * kMillisecond, [&] {
    rig.build_command(0, command(0xE7), {});
    rig.issue(0);
  });
  script.at(4 * kMillisecond + 2 * kMicrosecond, [&] { rig.set_port(kPxSCTL, 1); });
  script.at(5 * kMillisecond, [&] { rig.set_port(kPxSCTL, 0); });
  rig.run();
  EXPECT_GT(rig.records.records.size(), 400U);
  return rig.trace.fingerprint();
}

bool same(const sim::Record& a, const sim::Record& b) {
  return a.time == b.time && a.kind == b.kind && a.source == b.source && a.a == b.a && a.b == b.b && a.c == b.c;
}

TEST_F(ShellTest, TheRecordsAreThoseOfTheBareHost) {
  BareRig bare;
  const std::uint64_t expected = scenario(bare);
  make();
  const std::uint64_t got = scenario(*rig);
  ASSERT_EQ(rig->records.records.size(), bare.records.records.size());
  for (std::size_t i = 0; i < bare.records.records.size(); ++i) {
    ASSERT_TRUE(same(rig->records.records[i], bare.records.records[i])) << "record " << i;
  }
  EXPECT_EQ(got, expected);
}

TEST_F(ShellTest, TheSameTwice) {
  make();
  const std::uint64_t first = scenario(*rig);
  TearDown();
  {
    const sim::KernelGuard fresh;
    make();
    EXPECT_EQ(scenario(*rig), first);
    TearDown();
  }
}

TEST_F(ShellTest, AMemoryThatTakesTimeDelaysTheCompletion) {
  BareRig bare;
  bare.bring_up();
  bare.build_command(0, command(0xE7), {});
  bare.issue(0);
  bare.run();
  const sim::Time without = bare.records.of(sim::Kind::fis_to_device).at(0).time;

  make(sc_core::sc_time(250, sc_core::SC_NS));
  rig->bring_up();
  const sim::Time start = rig->queue().now();
  rig->build_command(0, command(0xE7), {});
  rig->issue(0);
  rig->run();
  const sim::Time with = rig->records.of(sim::Kind::fis_to_device).at(0).time;
  EXPECT_EQ(with - start, without - bare.records.of(sim::Kind::register_write).back().time + 500 * sim::kNanosecond);
}

TEST_F(ShellTest, DmaOutsideOfMemoryIsAHostBusFatalError) {
  make();
  rig->bring_up();
  rig->build_command(0, command(0xE7), {});
  store32(rig->header(0) + 12, 0xDEAD);
  rig->issue(0);
  rig->run();
  EXPECT_EQ(rig->port(kPxIS), kPxIS_HBFS);
}

TEST_F(ShellTest, ARegisterAccessWithoutDelayTakesEffectAtOnceAndAddsItsLatency) {
  ControllerProfile profile = HbaRig::default_profile();
  profile.bus.register_read_request = 350 * sim::kNanosecond;
  profile.bus.register_read_reply = 150 * sim::kNanosecond;
  make(sc_core::SC_ZERO_TIME, profile);
  bool ran = false;
  cpu->body = [&](Initiator& self) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(self.read32(kVS, delay), 0x00010301U);
    EXPECT_EQ(delay, sc_core::sc_time(500, sc_core::SC_NS));
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
    ran = true;
  };
  rig->run();
  EXPECT_TRUE(ran);
}

TEST_F(ShellTest, ARegisterAccessWithADelayWaitsItOutFirst) {
  make();
  cpu->body = [&](Initiator& self) {
    sc_core::sc_time delay(3, sc_core::SC_MS);
    self.read32(hba::kPortsBase + kPxSSTS, delay);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(3, sc_core::SC_MS));
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
  };
  rig->run();
  const auto reads = rig->records.of(sim::Kind::register_read);
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_EQ(reads[0].time, 3 * sim::kMillisecond);
  EXPECT_EQ(reads[0].b, 0x123U);
}

TEST_F(ShellTest, AForeignProcessorRunsACommand) {
  make();
  sim::Time done = 0;
  cpu->body = [&](Initiator& self) {
    wait(sc_core::sc_time(1, sc_core::SC_MS));
    self.write32(hba::kPortsBase + kPxCLB, static_cast<std::uint32_t>(rig->list.address));
    self.write32(hba::kPortsBase + kPxCLBU, static_cast<std::uint32_t>(rig->list.address >> 32));
    self.write32(hba::kPortsBase + kPxFB, static_cast<std::uint32_t>(rig->received.address));
    self.write32(hba::kPortsBase + kPxFBU, static_cast<std::uint32_t>(rig->received.address >> 32));
    self.write32(hba::kPortsBase + kPxCMD, kPxCMD_FRE);
    self.write32(hba::kPortsBase + kPxCMD, kPxCMD_FRE | kPxCMD_ST);
    rig->build_command(0, command(0xE7), {});
    self.write32(hba::kPortsBase + kPxCI, 1);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    for (int polls = 0; self.read32(hba::kPortsBase + kPxCI, delay) != 0 && polls < 1000; ++polls) {
      wait(sc_core::sc_time(100, sc_core::SC_NS));
    }
    done = rig->queue().now();
  };
  rig->device.on_frame = [&](const Bytes&) { rig->device.send_status(0x50, true); };
  rig->run();
  EXPECT_EQ(rig->device.received.size(), 1U);
  EXPECT_GT(done, sim::kMillisecond);
  EXPECT_LT(done, sim::kMillisecond + 10 * sim::kMicrosecond);
}

TEST_F(ShellTest, AccessesThatTheRegistersDoNotKnowAreRefused) {
  make();
  cpu->body = [&](Initiator& self) {
    std::uint8_t bytes[16] = {};
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const std::uint32_t space = HbaRig::default_profile().pci.register_bar_bytes;
    EXPECT_EQ(self.access(tlm::TLM_READ_COMMAND, space, bytes, 4, delay), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(self.access(tlm::TLM_READ_COMMAND, space - 2, bytes, 4, delay), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(self.access(tlm::TLM_READ_COMMAND, 0, bytes, 16, delay), tlm::TLM_BURST_ERROR_RESPONSE);
  };
  rig->run();
  EXPECT_TRUE(rig->records.of(sim::Kind::register_read).empty());
}

TEST_F(ShellTest, TheInterruptSignalFollowsIntx) {
  ControllerProfile profile = HbaRig::default_profile();
  profile.interrupt = InterruptKind::intx;
  make(sc_core::SC_ZERO_TIME, profile);
  sc_core::sc_signal<bool> line("line");
  rig->shell.interrupt.bind(line);
  rig->bring_up();
  EXPECT_FALSE(line.read());
  rig->build_command(0, command(0xE7), {});
  rig->device.on_frame = [&](const Bytes&) { rig->device.send_status(0x50, true); };
  rig->issue(0);
  rig->run();
  EXPECT_TRUE(line.read());
  EXPECT_TRUE(rig->interrupts.asserted);
}

// A bus with the controller on both sides: DMA that points at the controller's own registers.
class OwnRegisters final : public sc_core::sc_module {
 public:
  explicit OwnRegisters(const sc_core::sc_module_name& name) : sc_module(name), in("in"), memory("m"), registers("r") {
    in.register_b_transport(this, &OwnRegisters::route);
  }
  static constexpr std::uint64_t kBar = 0xFE00'0000;
  tlm_utils::simple_target_socket<OwnRegisters> in;
  tlm_utils::simple_initiator_socket<OwnRegisters> memory;
  tlm_utils::simple_initiator_socket<OwnRegisters> registers;

 private:
  void route(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    if (address < kBar || address >= kBar + 0x2000) return memory->b_transport(payload, delay);
    payload.set_address(address - kBar);
    registers->b_transport(payload, delay);
  }
};

TEST_F(SystemcTest, APrdThatPointsAtTheControllersOwnRegistersIsAnAccessLikeAnyOther) {
  class Platform final : public HbaRig {
   public:
    Platform()
        : HbaRig(default_profile()),
          host(sim::make_systemc_host()),
          shell("hba", {*host, trace, pool, profile, &interrupts}),
          tlm_memory("memory", memory),
          router("router") {
      shell.dma.bind(router.in);
      router.memory.bind(tlm_memory.socket);
      router.registers.bind(shell.registers);
      connect(*host, shell.controller());
    }
    std::unique_ptr<sim::Host> host;
    ControllerShell shell;
    TlmMemory tlm_memory;
    OwnRegisters router;
  } rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {{OwnRegisters::kBar + 0x100 + kPxIE, 4}, {rig.data.address, 508}});
  rig.issue(0);
  rig.run();
  Bytes sent = pattern(512);
  store32(sent.data(), 0x1);
  rig.device.send_data(sent);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxIE), 1U);
  EXPECT_EQ(rig.data.cpu[0], sent[4]);
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

}  // namespace
}  // namespace ncqlab::test
