// A drive on a scripted link: commands in as FIS bytes, frames out as lines that can be read.
//
// The link takes a microsecond for every frame and answers by itself what a host controller answers: each DMA Activate
// and each PIO Setup for data to the device with the next Data FIS.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/drive/ata/drive.h"
#include "testbench/tests/unit/drive_frame_line.h"
#include "testbench/tests/unit/drive_quiet_link.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {

inline constexpr sim::Time kFrame = 1 * kUs;

// Sector n is full of bytes that differ from those of its neighbours.
class StripedFactory final : public FactoryContents {
 public:
  static std::uint8_t byte_of(std::uint64_t lba, std::size_t i) { return static_cast<std::uint8_t>(lba * 7 + i / 64); }
  void fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const override {
    for (std::size_t i = 0; i < std::size_t{sectors} * kSector_bytes; ++i) {
      buffer[i] = byte_of(lba + i / kSector_bytes, i % kSector_bytes);
    }
  }
};

// A base of its own, so that it outlives the actors.
struct AtaHostQueue {
  sim::EventQueue event_queue;
};

class AtaHost final : private AtaHostQueue, private QuietLink, private sim::Actor {
 public:
  using Bytes = std::vector<std::uint8_t>;
  struct Sent {
    sim::Time time;  // when the drive gave it to the link
    std::string line;
    Bytes bytes;
  };

  explicit AtaHost(Profile p = small_profile(), FlushListener* on_flush = nullptr, std::uint64_t seed = 0)
      : Actor(event_queue), profile_(std::move(p)), drive(profile_, parts(on_flush, seed)) {
    drive.connect(this);
  }

  void comreset() {
    drive.phy_lost();
    drive.hardware_reset(2);
  }
  // COMRESET, signature, and nothing of it in sent().
  void start() {
    comreset();
    run();
    sent.clear();
  }
  // The drive's power fails now; nothing under way arrives.
  void cut_power(PowerCut how = PowerCut::with_reserve) {
    drive.cut_power(how);
    drop_pending_events();
    waiting_line_.clear();
    outgoing.clear();
    queued_data.clear();
    wanted_ = 0;
  }
  // Power returns; COMRESET and signature follow, and sent() is empty then.
  void power_on() {
    drive.power_on();
    comreset();
    while (time_of("D2H 50 01") == sim::kNever) queue().run_one();
    sent.clear();
  }
  void run() {
    while (queue().run_one()) {
    }
  }
  // False when nothing is to come.
  bool run_one() { return queue().run_one(); }
  void run_until(sim::Time when) {
    while (queue().next_time() <= when) queue().run_one();
    queue().advance_to(when);
  }
  sim::Time now() const { return queue().now(); }

  void send(const sata::RegisterH2D& fis) { drive.frame_received(sata::encode(frames_, fis)); }
  void send_data(const Bytes& bytes) {
    sata::Frame frame = sata::make_data(frames_, 0, static_cast<std::uint32_t>(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), sata::payload(frame));
    drive.frame_received(frame);
  }
  void command(std::uint8_t opcode, std::uint64_t lba = 0, std::uint16_t count = 0, std::uint16_t features = 0) {
    sata::RegisterH2D fis;
    fis.command_bit = true;
    fis.command = opcode;
    fis.lba = lba;
    fis.count = count;
    fis.features = features;
    fis.device = 0x40;
    send(fis);
  }
  void queued(std::uint8_t opcode, unsigned tag, std::uint64_t lba, std::uint16_t sectors, std::uint8_t device = 0x40) {
    sata::RegisterH2D fis;
    fis.command_bit = true;
    fis.command = opcode;
    fis.lba = lba;
    fis.count = static_cast<std::uint16_t>(tag << 3);
    fis.features = sectors;
    fis.device = device;
    send(fis);
  }
  void control(std::uint8_t value) {
    sata::RegisterH2D fis;
    fis.control = value;
    send(fis);
  }

  // The next `times` frames whose line begins so are answered with R_ERR.
  void refuse_frames(const std::string& beginning, unsigned times) {
    refused_ = beginning;
    refused_times_ = times;
  }
  void damage(std::uint8_t type) {
    sata::Frame frame = frames_.make(4);
    std::memset(frame.data(), 0, 4);
    frame.data()[0] = type;
    drive.frame_damaged(frame, sata::Damage::crc);
  }
  // What the drive asked for, and the state that the link is in.
  struct PowerRequest {
    sim::Time time;
    sata::LinkPower power;
  };
  std::vector<PowerRequest> power_requests;
  void set_power(sata::LinkPower power) {
    power_ = power;
    drive.power_changed(power);
  }

  // While held, the frame under way does not arrive.
  void hold() { held_ = true; }
  void release() {
    held_ = false;
    if (!waiting_line_.empty()) arrived(0);
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    for (const Sent& frame : sent) all.push_back(frame.line);
    return all;
  }
  // Payloads of all Data FIS, one behind the other.
  Bytes data() const {
    Bytes all;
    for (const Sent& frame : sent) {
      if (frame.bytes[0] == 0x46) all.insert(all.end(), frame.bytes.begin() + 4, frame.bytes.end());
    }
    return all;
  }
  // When the first frame with that line was given to the link; kNever when none was.
  sim::Time time_of(const std::string& line) const {
    for (const Sent& frame : sent) {
      if (frame.line == line) return frame.time;
    }
    return sim::kNever;
  }
  // The last Register FIS to the host.
  sata::RegisterD2H last_status() const {
    sata::RegisterD2H fis;
    for (const Sent& frame : sent) {
      sata::FramePool pool;
      sata::Frame copy = pool.make(static_cast<std::uint32_t>(frame.bytes.size()));
      std::memcpy(copy.data(), frame.bytes.data(), frame.bytes.size());
      sata::decode(copy, fis);
    }
    return fis;
  }
  static Bytes factory(std::uint64_t lba, std::uint32_t sectors) {
    Bytes bytes(std::size_t{sectors} * kSector_bytes);
    StripedFactory().fill(lba, sectors, bytes.data());
    return bytes;
  }
  static Bytes filled(std::uint32_t sectors, std::uint8_t value) {
    return Bytes(std::size_t{sectors} * kSector_bytes, value);
  }

 private:
  DriveParts parts(FlushListener* on_flush, std::uint64_t seed) {
    DriveParts made{event_queue, trace_, frames_, tables_of(profile_)};
    made.factory = &factory_;
    made.on_flush = on_flush;
    made.seed = seed;
    return made;
  }

  sim::Trace trace_;
  sata::FramePool frames_;
  StripedFactory factory_;
  Profile profile_;

 public:
  Drive drive;
  std::vector<Sent> sent;
  Bytes outgoing;                         // what the host sends, from its front
  std::map<unsigned, Bytes> queued_data;  // the same of queued writes, by tag

 private:
  // sata::DeviceLink
  void send(sata::Frame frame) override {
    waiting_line_ = describe_frame(frame);
    waiting_bytes_.assign(frame.data(), frame.data() + frame.size());
    sent.push_back({now(), waiting_line_, waiting_bytes_});
    sata::DmaSetup setup;
    if (sata::decode(frame, setup)) {
      wanted_ = setup.transfer_count;
      if (const auto data = queued_data.find(static_cast<unsigned>(setup.buffer_identifier));
          !setup.to_host && data != queued_data.end()) {
        const auto from = data->second.begin() + setup.buffer_offset;
        outgoing.assign(from, from + setup.transfer_count);
      }
    }
    sata::PioSetup pio;
    if (sata::decode(frame, pio)) wanted_ = pio.transfer_count;
    post_after<&AtaHost::arrived>(kFrame);
  }
  bool phy_ready() const override { return true; }
  bool withdraw() override {
    if (!held_ || waiting_line_.empty()) return false;
    waiting_line_.clear();
    if (!sent.empty()) sent.pop_back();
    return true;
  }
  sata::LinkPower power() const override { return power_; }
  bool request_power(sata::LinkPower power) override {
    power_requests.push_back({now(), power});
    return true;
  }

  void arrived(std::uint64_t) {
    if (held_ || waiting_line_.empty()) return;
    if (refused_times_ > 0 && waiting_line_.rfind(refused_, 0) == 0) return refuse_frame();
    const bool wants_data = waiting_line_.rfind("Activate", 0) == 0 || waiting_line_.rfind("PIO out", 0) == 0 ||
                            waiting_line_.find(", activated") != std::string::npos;
    std::size_t most = sata::kMaxDataPayload_bytes;
    if (wanted_ != 0) most = std::min(most, wanted_);
    waiting_line_.clear();
    drive.frame_sent();
    if (wants_data && !outgoing.empty()) post_after<&AtaHost::answer>(kFrame, most);
  }
  void refuse_frame() {
    --refused_times_;
    const Bytes bytes = waiting_bytes_;
    sata::Frame frame = frames_.make(static_cast<std::uint32_t>(bytes.size()));
    std::memcpy(frame.data(), bytes.data(), bytes.size());
    const std::string line = std::exchange(waiting_line_, "");
    if (!drive.frame_refused(frame, sata::Refusal::r_err, ++attempts_)) return;
    waiting_line_ = line;
    sent.push_back({now(), line, bytes});
    post_after<&AtaHost::arrived>(kFrame);
  }
  void answer(std::uint64_t most) {
    const auto end = outgoing.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(most, outgoing.size()));
    const Bytes bytes(outgoing.begin(), end);
    outgoing.erase(outgoing.begin(), end);
    wanted_ -= std::min(wanted_, bytes.size());
    send_data(bytes);
  }

  std::string waiting_line_;
  Bytes waiting_bytes_;
  std::size_t wanted_ = 0;  // bytes of the DMA Setup or PIO Setup under way
  bool held_ = false;
  std::string refused_;
  unsigned refused_times_ = 0;
  unsigned attempts_ = 0;
  sata::LinkPower power_ = sata::LinkPower::active;
};

}  // namespace ncqlab::drive
