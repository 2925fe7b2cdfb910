// The order in which a host gives its waiting commands to the driver.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

#include "testbench/workload/target.h"

namespace ncqlab::workload {

enum class Elevator : std::uint8_t {
  fifo,
  // One-way elevator, as ata(4) sorts its queue (FreeBSD 7.1, sys/dev/ata/ata-queue.c) and as bioq_disksort() does:
  // commands at or ahead of the last position join the current sweep in order of LBA, those behind it wait for the
  // next sweep, which starts at the lowest LBA.
  c_look,
};

// "fifo", "c-look"; false leaves `elevator` unchanged.
bool parse_elevator(std::string_view name, Elevator& elevator);
std::string_view name_of(Elevator elevator);

class RequestQueue {
 public:
  explicit RequestQueue(Elevator elevator) : elevator_(elevator) {}

  void push(Io& command);
  // The next one for the driver, or null. Commands of one LBA leave in the order in which they came. A flush isn't
  // sorted: under c_look it is next, since it only speaks for writes that have been answered already.
  Io* pop();

  bool empty() const { return in_order_.empty() && sorted_.empty(); }
  std::size_t size() const { return in_order_.size() + sorted_.size(); }

 private:
  Elevator elevator_;
  std::deque<Io*> in_order_;                                       // all of them under fifo, flushes under c_look
  std::map<std::pair<std::uint64_t, std::uint64_t>, Io*> sorted_;  // by (LBA, arrival)
  std::uint64_t arrivals_ = 0;
  std::uint64_t position_ = 0;  // the sector behind the last command given away
};

}  // namespace ncqlab::workload
