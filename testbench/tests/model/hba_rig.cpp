#include "testbench/tests/model/hba_rig.h"

#include <cstring>

namespace ncqlab::test {

using namespace hba;  // NOLINT: the tests speak of registers on every line

void ScriptedDevice::send(sata::Frame frame) {
  to_send_.push_back(std::move(frame));
  send_next();
}

void ScriptedDevice::send_next() {
  if (sending_ || to_send_.empty()) return;
  sending_ = true;
  sata::Frame frame = std::move(to_send_.front());
  to_send_.pop_front();
  link_->send(std::move(frame));
}

void ScriptedDevice::send_data(const Bytes& payload) {
  sata::Frame frame = sata::make_data(pool_, 0, static_cast<std::uint32_t>(payload.size()));
  std::memcpy(sata::payload(frame), payload.data(), payload.size());
  send(std::move(frame));
}

void ScriptedDevice::send_status(std::uint8_t status, bool interrupt, std::uint8_t error) {
  sata::RegisterD2H fis;
  fis.status = status;
  fis.error = error;
  fis.interrupt = interrupt;
  send(fis);
}

void ScriptedDevice::complete_tags(std::uint32_t active, std::uint8_t status, std::uint8_t error) {
  sata::SetDeviceBits fis;
  fis.active = active;
  fis.status = status;
  fis.error = error;
  fis.interrupt = true;
  send(fis);
}

void ScriptedDevice::set_up_dma(unsigned tag, bool to_host, std::uint32_t count, std::uint32_t offset, bool activate) {
  sata::DmaSetup fis;
  fis.buffer_identifier = tag;
  fis.to_host = to_host;
  fis.transfer_count = count;
  fis.buffer_offset = offset;
  fis.auto_activate = activate;
  send(fis);
}

void ScriptedDevice::hardware_reset(sata::Generation /*generation*/) {
  ++resets;
  if (!signature_after_reset) return;
  sata::RegisterD2H signature;  // an ATA device's, ACS-3 table 9
  signature.status = 0x50;
  signature.error = 0x01;
  signature.lba = 0x000001;
  signature.count = 1;
  send(signature);
}

void ScriptedDevice::phy_lost() {
  ++losses;
  to_send_.clear();
  sending_ = false;
}

void ScriptedDevice::frame_received(const sata::Frame& frame) {
  received.emplace_back(frame.data(), frame.data() + frame.size());
  if (on_frame) on_frame(received.back());
}

void ScriptedDevice::frame_sent() {
  sending_ = false;
  send_next();
}

bool ScriptedDevice::frame_refused(const sata::Frame& frame, sata::Refusal /*refusal*/, unsigned /*attempts*/) {
  if (sata::is_retransmitted(frame)) return true;
  sending_ = false;
  send_next();
  return false;
}

std::vector<sim::Record> RecordList::of(sim::Kind kind) const {
  std::vector<sim::Record> found;
  for (const sim::Record& record : records) {
    if (record.kind == kind) found.push_back(record);
  }
  return found;
}

HbaRig::HbaRig(const ControllerProfile& wanted)
    : profile(wanted),
      memory(wanted.capabilities.addresses_64bit ? host::MemoryOptions{} : host::MemoryOptions::below_4gib()),
      list(memory.allocate(1024, 1024)),
      received(memory.allocate(256, 256)),
      tables(memory.allocate(32 * kTableBytes, 128)),
      data(memory.allocate(1 << 20, 4096)) {
  trace.add_observer(&records);
}

void HbaRig::connect(sim::Host& host, Controller& controller) {
  host_ = &host;
  controller_ = &controller;
  device.connect(&controller.link(0).device_side());
  controller.link(0).plug(&device);
}

ControllerProfile HbaRig::default_profile() {
  ControllerProfile profile;
  profile.name = "test";
  profile.ports = 2;
  profile.ports_implemented = 0x3;
  profile.latencies.command_fetch = 200 * sim::kNanosecond;
  profile.latencies.fis_processing = 100 * sim::kNanosecond;
  profile.latencies.reset = 100 * sim::kMicrosecond;
  profile.bus.dma_read_latency = 700 * sim::kNanosecond;
  profile.bus.dma_write_latency = 300 * sim::kNanosecond;
  profile.bus.burst_overhead_bytes = 20;
  return profile;
}

void HbaRig::run() {
  while (host_->run() == sim::Host::Ended::stop_requested) {
  }
}

void HbaRig::run_for(sim::Time duration) {
  const sim::Time end = queue().now() + duration;
  while (queue().next_time() <= end) queue().run_one();
  queue().advance_to(end);
}

void HbaRig::bring_up() {
  run();
  set_port(kPxSERR, 0xFFFFFFFF);
  set_port(kPxIS, 0xFFFFFFFF);
  set_port(kPxIE, 0xFFFFFFFF);
  write(kIS, 0xFFFFFFFF);
  write(kGHC, kGHC_AE | kGHC_IE);
  start_port();
  run();
}

void HbaRig::start_port() {
  set_port(kPxCLB, static_cast<std::uint32_t>(list.address));
  set_port(kPxCLBU, static_cast<std::uint32_t>(list.address >> 32));
  set_port(kPxFB, static_cast<std::uint32_t>(received.address));
  set_port(kPxFBU, static_cast<std::uint32_t>(received.address >> 32));
  set_port(kPxCMD, port(kPxCMD) | kPxCMD_FRE);
  set_port(kPxCMD, port(kPxCMD) | kPxCMD_ST);
}

void HbaRig::build_command(unsigned slot, const sata::RegisterH2D& fis, const std::vector<Piece>& pieces,
                           std::uint32_t flags) {
  std::uint8_t* h = header(slot);
  store32(h, 5 | flags | static_cast<std::uint32_t>(pieces.size()) << 16);
  store32(h + 4, 0);
  store32(h + 8, static_cast<std::uint32_t>(table_address(slot)));
  store32(h + 12, static_cast<std::uint32_t>(table_address(slot) >> 32));
  std::uint8_t* table = tables.cpu + slot * kTableBytes;
  const sata::Frame frame = sata::encode(pool, fis);
  std::memcpy(table, frame.data(), frame.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::uint8_t* prd = table + 0x80 + i * 16;
    store32(prd, static_cast<std::uint32_t>(pieces[i].address));
    store32(prd + 4, static_cast<std::uint32_t>(pieces[i].address >> 32));
    store32(prd + 12, (pieces[i].bytes - 1) | (pieces[i].interrupt ? 1U << 31 : 0));
  }
}

void HbaRig::issue_queued(unsigned slot) {
  set_port(kPxSACT, 1U << slot);
  set_port(kPxCI, 1U << slot);
}

std::uint32_t HbaRig::byte_count(unsigned slot) const { return load32(header(slot) + 4); }

Bytes HbaRig::received_fis(std::uint32_t offset, std::uint32_t bytes) const {
  return Bytes(received.cpu + offset, received.cpu + offset + bytes);
}

bool HbaRig::violated(Violation code) const {
  for (const sim::Record& record : records.records) {
    if (record.kind == sim::Kind::violation && record.a == static_cast<std::uint64_t>(code)) return true;
  }
  return false;
}

BareRig::BareRig(const ControllerProfile& wanted)
    : HbaRig(wanted),
      bus_(host_.queue(), trace, profile.bus, poisoned),
      controller_(host_.queue(), trace, bus_, pool, profile, interrupts) {
  connect(host_, controller_);
}

sata::RegisterH2D command(std::uint8_t opcode, std::uint64_t lba, std::uint16_t count) {
  sata::RegisterH2D fis;
  fis.command_bit = true;
  fis.command = opcode;
  fis.lba = lba;
  fis.count = count;
  fis.device = 0x40;
  return fis;
}

sata::RegisterH2D queued_command(std::uint8_t opcode, unsigned tag, std::uint16_t count) {
  sata::RegisterH2D fis = command(opcode, 0, static_cast<std::uint16_t>(tag << 3));
  fis.features = count;
  return fis;
}

Bytes pattern(std::size_t bytes, unsigned seed) {
  Bytes made(bytes);
  for (std::size_t i = 0; i < bytes; ++i) made[i] = static_cast<std::uint8_t>(i * 7 + (i >> 8) + seed * 31);
  return made;
}

}  // namespace ncqlab::test
