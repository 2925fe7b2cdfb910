// A link to a host that takes every frame and has no power states: tests override what they look at.
#pragma once

#include <utility>

#include "model/sata/link_end.h"

namespace ncqlab::drive {

class QuietLink : public sata::DeviceLink {
 public:
  void send_stalled(sata::Frame frame, sim::Time /*stall*/) override { send(std::move(frame)); }
  bool withdraw() override { return false; }
  sata::Frame take_received() override { return sata::Frame(); }
  void refuse() override {}
  bool sync_escape() override { return false; }
  void set_data_rate(std::uint64_t /*bytes_per_second*/) override {}
  bool phy_ready() const override { return true; }
  sata::LinkPower power() const override { return sata::LinkPower::active; }
  bool request_power(sata::LinkPower /*power*/) override { return false; }
  void send_cominit() override {}

 protected:
  ~QuietLink() = default;
};

}  // namespace ncqlab::drive
