#include "testbench/workload/host_layer.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ncqlab::workload {

namespace {

void check(const HostOptions& options) {
  if (options.queue_depth == 0) throw std::invalid_argument("queue depth must be at least 1");
  if (options.max_request_bytes == 0 || options.max_request_bytes % kSector_bytes != 0 ||
      options.max_request_bytes / kSector_bytes > kMaxCommand_sectors) {
    throw std::invalid_argument("longest request must be a multiple of 512 bytes up to 32 MiB, not " +
                                std::to_string(options.max_request_bytes));
  }
  if (options.overhead < 0) throw std::invalid_argument("host overhead must not be negative");
  if (!(options.jitter >= 0 && options.jitter <= 1)) throw std::invalid_argument("host jitter must be in 0..1");
}

template <class T>
std::uint32_t take_slot(std::vector<T>& slots, std::vector<std::uint32_t>& free_slots, const T& value) {
  if (free_slots.empty()) {
    slots.push_back(value);
    return static_cast<std::uint32_t>(slots.size() - 1);
  }
  const std::uint32_t slot = free_slots.back();
  free_slots.pop_back();
  slots[slot] = value;
  return slot;
}

}  // namespace

HostLayer::HostLayer(BlockDevice& device, const HostOptions& options)
    : device_(&device), options_(options), jitter_(options.seed, "host/jitter"), queue_(options.elevator) {
  check(options);
}

void HostLayer::start(Workload& workload) {
  workload_ = &workload;
  device_->set_client(this);
  workload.start(*this);
}

void HostLayer::submit(Io& io) {
  const std::uint32_t request = take_slot(requests_, free_requests_, Request{&io, 0, true});
  const sim::Time overhead = next_overhead();
  if (overhead == 0) {
    enter(request);
  } else {
    wake_device_at(now() + overhead, {true, request});
  }
}

void HostLayer::wake_at(sim::Time when, std::uint64_t user) { wake_device_at(when, {false, user}); }

void HostLayer::wake_device_at(sim::Time when, Wake wake) {
  device_->wake_at(when, take_slot(wakes_, free_wakes_, wake));
}

void HostLayer::device_woken(std::uint64_t user) {
  const Wake wake = wakes_[user];
  free_wakes_.push_back(static_cast<std::uint32_t>(user));
  if (wake.is_entry) {
    enter(static_cast<std::uint32_t>(wake.value));
  } else {
    workload_->woken(wake.value);
  }
}

sim::Time HostLayer::next_overhead() {
  if (options_.overhead == 0 || options_.jitter == 0) return options_.overhead;
  const double deviation = options_.jitter * (2 * jitter_.unit() - 1);
  return sim::from_ns(static_cast<double>(options_.overhead) / sim::kNanosecond * (1 + deviation));
}

void HostLayer::enter(std::uint32_t request) {
  Io& io = *requests_[request].io;
  io.submitted = now();
  const std::uint32_t longest_sectors = options_.max_request_bytes / kSector_bytes;
  std::uint32_t left_sectors = io.sectors;
  std::uint64_t lba = io.lba;
  do {
    Io& piece = new_piece();
    piece.kind = io.kind;
    piece.force_unit_access = io.force_unit_access;
    piece.lba = lba;
    piece.sectors = std::min(left_sectors, longest_sectors);
    piece.user = request;
    lba += piece.sectors;
    left_sectors -= piece.sectors;
    ++requests_[request].pieces_left;
    queue_.push(piece);
  } while (left_sectors > 0);
  fill_driver();
}

Io& HostLayer::new_piece() {
  if (free_pieces_.empty()) return pieces_.emplace_back();
  Io& piece = *free_pieces_.back();
  free_pieces_.pop_back();
  piece = Io{};
  return piece;
}

void HostLayer::fill_driver() {
  while (in_driver_ < options_.queue_depth && !queue_.empty()) {
    ++in_driver_;
    device_->submit(*queue_.pop());
  }
}

void HostLayer::command_completed(Io& command) {
  const auto slot = static_cast<std::uint32_t>(command.user);
  Request& request = requests_[slot];
  request.ok = request.ok && command.ok;
  const bool last = --request.pieces_left == 0;
  free_pieces_.push_back(&command);
  --in_driver_;
  // A driver starts what waits from its interrupt handler, before the process that is woken gets to run.
  fill_driver();
  if (!last) return;
  const Request done = requests_[slot];
  free_requests_.push_back(slot);
  done.io->ok = done.ok;
  done.io->completed = now();
  workload_->completed(*done.io);
}

}  // namespace ncqlab::workload
