#include "testbench/workload/elevator.h"

namespace ncqlab::workload {

bool parse_elevator(std::string_view name, Elevator& elevator) {
  for (const Elevator candidate : {Elevator::fifo, Elevator::c_look}) {
    if (name != name_of(candidate)) continue;
    elevator = candidate;
    return true;
  }
  return false;
}

std::string_view name_of(Elevator elevator) { return elevator == Elevator::fifo ? "fifo" : "c-look"; }

void RequestQueue::push(Io& command) {
  if (elevator_ == Elevator::fifo || command.kind == IoKind::flush) {
    in_order_.push_back(&command);
  } else {
    sorted_.emplace(std::pair(command.lba, arrivals_++), &command);
  }
}

Io* RequestQueue::pop() {
  if (!in_order_.empty()) {
    Io* const command = in_order_.front();
    in_order_.pop_front();
    return command;
  }
  if (sorted_.empty()) return nullptr;
  auto next = sorted_.lower_bound({position_, 0});
  if (next == sorted_.end()) next = sorted_.begin();
  Io* const command = next->second;
  sorted_.erase(next);
  position_ = command->lba + command->sectors;
  return command;
}

}  // namespace ncqlab::workload
