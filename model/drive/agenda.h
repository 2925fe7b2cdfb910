// The disk library's own few pending instants, in the order (time, order of entry). A disk has at most one per command
// and two for the arm, so a sorted array beats any heap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "model/sim/time.h"

namespace ncqlab::drive {

struct AgendaItem {
  enum class What : std::uint8_t { command_eligible, command_done, command_failed, write_landed, arm_free, idle };
  sim::Time when;
  What what;
  std::uint32_t argument;  // a tag, or a serial number
};

class Agenda {
 public:
  Agenda() { items_.reserve(80); }

  sim::Time next_time() const { return items_.empty() ? sim::kNever : items_.back().when; }
  void add(const AgendaItem& item) {
    auto place = items_.end();
    while (place != items_.begin() && std::prev(place)->when <= item.when) --place;
    items_.insert(place, item);
  }
  AgendaItem take() {
    const AgendaItem item = items_.back();
    items_.pop_back();
    return item;
  }
  // False when there is no such item.
  bool remove(AgendaItem::What what, std::uint32_t argument) {
    const auto item = std::find_if(items_.begin(), items_.end(), [what, argument](const AgendaItem& i) {
      return i.what == what && i.argument == argument;
    });
    if (item == items_.end()) return false;
    items_.erase(item);
    return true;
  }
  void clear() { items_.clear(); }

 private:
  std::vector<AgendaItem> items_;  // latest first
};

}  // namespace ncqlab::drive
