#include "model/host/bus.h"

#include <algorithm>
#include <stdexcept>

namespace ncqlab::host {

void Transfer::due(std::uint64_t /*unused*/) { bus_->proceed(*this); }

void Transfer::dma_completed(DmaResult result) {
  if (bus_ == nullptr) return;
  if (result != DmaResult::ok) return bus_->finish(*this, result);
  ++next_;
  bus_->proceed(*this);
}

Bus::Bus(sim::EventQueue& queue, sim::Trace& trace, const BusProfile& profile, DmaTarget& target)
    : queue_(&queue), trace_(&trace), profile_(profile), cost_(profile), target_(&target) {}

void Bus::start(Transfer& transfer, std::uint32_t source, const DmaAccess* pieces, std::size_t count, sim::Time delay) {
  if (transfer.busy()) throw std::logic_error("a transfer is started while it is under way");
  transfer.bus_ = this;
  transfer.source_ = source;
  transfer.pieces_ = pieces;
  transfer.count_ = count;
  transfer.next_ = 0;

  const bool to_memory = pieces[0].to_memory;
  const bool upwards = to_memory && !cost_.shared();
  const Occupancy occupied = cost_.of(pieces, count);
  sim::Time& busy_until = busy_until_[upwards ? 1 : 0];
  sim::Time& other = busy_until_[upwards ? 0 : 1];
  sim::Time from = queue_->now();
  if (occupied.request != 0) from = other = std::max(from, other) + occupied.request;
  if (occupied.answers != 0) other = std::max(from, other) + occupied.answers;
  if (busy_until < from) busy_since_ = from;
  busy_until = std::max(from, busy_until) + occupied.data;
  const sim::Time latency = to_memory ? profile_.dma_write_latency : profile_.dma_read_latency;
  transfer.post_at<&Transfer::due>(busy_until + latency + delay);
}

sim::Time Bus::cross(bool read) {
  const sim::Time now = queue_->now();
  const sim::Time cost = cost_.register_access(read);
  if (cost == 0) return now;
  sim::Time& busy_until = busy_until_[0];
  sim::Time free = now;
  if (now < busy_until) {
    const sim::Time into_burst = (now - busy_since_) % cost_.longest_burst();
    if (into_burst != 0) free = std::min(busy_until, now + cost_.longest_burst() - into_burst);
  }
  crossed_until_ = std::max(free, crossed_until_) + cost;
  if (busy_until < now) busy_since_ = now;
  busy_until = std::max(now, busy_until) + cost;
  return crossed_until_;
}

void Bus::proceed(Transfer& transfer) {
  while (transfer.next_ < transfer.count_) {
    const DmaAccess& piece = transfer.pieces_[transfer.next_];
    trace_->record({queue_->now(), piece.to_memory ? sim::Kind::dma_write : sim::Kind::dma_read, transfer.source_,
                    piece.address, piece.bytes, 0});
    switch (target_->access(piece, &transfer)) {
      case DmaTarget::Answer::done:
        ++transfer.next_;
        break;
      case DmaTarget::Answer::error:
        return finish(transfer, DmaResult::aborted);
      case DmaTarget::Answer::bad_data:
        return finish(transfer, DmaResult::bad_data);
      case DmaTarget::Answer::pending:
        return;
    }
  }
  finish(transfer, DmaResult::ok);
}

void Bus::finish(Transfer& transfer, DmaResult result) {
  transfer.bus_ = nullptr;
  transfer.client_->transfer_done(transfer, result);
}

}  // namespace ncqlab::host
