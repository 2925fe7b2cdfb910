// A link between two ends that note what they are told, for the tests of the link.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "model/sata/fis.h"
#include "model/sata/link.h"

namespace ncqlab::sata {

using sim::Time;

struct Note {
  Time time;
  std::string what;
  bool operator==(const Note& other) const { return time == other.time && what == other.what; }
};

inline std::ostream& operator<<(std::ostream& out, const Note& note) { return out << note.what << " at " << note.time; }

using Notes = std::vector<Note>;

// One end: notes each call, and answers as the test has set it.
template <class Interface>
class NotingEnd : public Interface {
 public:
  NotingEnd(std::string name, sim::EventQueue& queue, Notes& notes)
      : name_(std::move(name)), queue_(queue), notes_(notes) {}
  void phy_lost() override { note("lost"); }
  void phy_recovered(Generation generation) override { note("recovered " + std::to_string(generation)); }
  void frame_received(const Frame& frame) override {
    note("got " + std::to_string(frame.size()));
    last_received.assign(frame.data(), frame.data() + frame.size());
    if (refuses) side->refuse();
  }
  void frame_damaged(const Frame& frame, Damage damage) override {
    note("damaged " + std::to_string(frame.size()) + " by " + std::to_string(static_cast<int>(damage)));
  }
  void frame_sent() override { note("sent"); }
  bool frame_refused(const Frame& frame, Refusal refusal, unsigned attempts) override {
    note((refusal == Refusal::sync ? "escaped " : "refused ") + std::to_string(frame.size()) + ", " +
         std::to_string(attempts));
    return retries && Interface::frame_refused(frame, refusal, attempts);
  }
  bool accepts_power(LinkPower power) override {
    note("asked " + std::to_string(static_cast<int>(power)));
    return accepts;
  }
  void power_changed(LinkPower power) override { note("power " + std::to_string(static_cast<int>(power))); }
  void power_refused(LinkPower power) override { note("not " + std::to_string(static_cast<int>(power))); }

  LinkSide* side = nullptr;
  std::function<void(const std::string& what)> reaction;  // inside each call, once it is noted
  bool refuses = false;
  bool retries = true;
  bool accepts = true;
  std::vector<std::uint8_t> last_received;

 protected:
  ~NotingEnd() = default;
  void note(const std::string& what) {
    notes_.push_back({queue_.now(), name_ + " " + what});
    if (reaction) reaction(what);
  }

 private:
  std::string name_;
  sim::EventQueue& queue_;
  Notes& notes_;
};

class Host final : public NotingEnd<HostEnd> {
 public:
  Host(sim::EventQueue& queue, Notes& notes) : NotingEnd("host", queue, notes) {}
  void device_detected() override { note("detected"); }
  void device_gone() override { note("gone"); }
  void phy_ready(Generation generation) override { note("ready " + std::to_string(generation)); }
  void presence_changed(bool present) override { presence.push_back(present); }
  std::vector<bool> presence;
};

class Disk final : public NotingEnd<Device> {
 public:
  Disk(sim::EventQueue& queue, Notes& notes) : NotingEnd("device", queue, notes) {}
  Generation highest_generation() const override { return highest; }
  Time cominit_delay() const override { return delay; }
  void hardware_reset(Generation generation) override { note("reset " + std::to_string(generation)); }
  Generation highest = 3;
  Time delay = 0;
};

class LinkTest : public testing::Test, public sim::Observer {
 protected:
  void SetUp() override {
    trace.add_observer(this);
    link.attach(&host);
    host.side = &link.host_side();
    device.side = &link.device_side();
  }

  void bring_up(Generation device_highest = 3, Generation limit = 0) {
    device.highest = device_highest;
    link.plug(&device);
    link.host_side().begin_comreset();
    link.host_side().end_comreset(limit);
    run();
    notes.clear();
    records.clear();
  }
  // Begins a COMRESET inside the call in which `end` is told `what`.
  template <class End>
  void comreset_when(End& end, const std::string& what) {
    end.reaction = [this, what, done = false](const std::string& told) mutable {
      if (told != what || std::exchange(done, true)) return;
      link.host_side().begin_comreset();
      link.host_side().end_comreset(0);
    };
  }
  void run() {
    while (queue.run_one()) {
    }
  }
  void run_until(Time when) {
    while (queue.next_time() <= when) queue.run_one();
    queue.advance_to(when);
  }
  Frame frame(std::uint32_t bytes) {
    Frame made = pool.make(bytes);
    for (std::uint32_t i = 0; i < bytes; ++i) made.data()[i] = static_cast<std::uint8_t>(i + 1);
    return made;
  }
  Frame data(std::uint32_t payload_bytes) {
    Frame made = make_data(pool, 0, payload_bytes);
    for (std::uint32_t i = 0; i < payload_bytes; ++i) payload(made)[i] = static_cast<std::uint8_t>(i);
    return made;
  }
  void on_record(const sim::Record& record) override { records.push_back(record); }

  sim::EventQueue queue;
  sim::Trace trace;
  FramePool pool;
  LinkParameters parameters;
  Notes notes;
  std::vector<sim::Record> records;
  Host host{queue, notes};
  Disk device{queue, notes};
  Link link{queue, trace, 4, parameters};
};

}  // namespace ncqlab::sata
