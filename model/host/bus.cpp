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
    : queue_(&queue), trace_(&trace), profile_(profile), target_(&target) {
  if (profile.bandwidth_bytes_per_second == 0) throw std::invalid_argument("a bus without bandwidth");
  if (profile.max_burst_bytes == 0) throw std::invalid_argument("a bus with bursts of 0 bytes");
}

sim::Time Bus::occupancy(const DmaAccess* pieces, std::size_t count) const {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t size = pieces[i].bytes;
    const std::uint32_t bursts = (size - 1) / profile_.max_burst_bytes + 1;
    bytes += size + std::uint64_t{bursts} * profile_.burst_overhead_bytes;
  }
  return sim::transfer_time(bytes, profile_.bandwidth_bytes_per_second);
}

void Bus::start(Transfer& transfer, std::uint32_t source, const DmaAccess* pieces, std::size_t count, sim::Time delay) {
  if (transfer.busy()) throw std::logic_error("a transfer is started while it is under way");
  transfer.bus_ = this;
  transfer.source_ = source;
  transfer.pieces_ = pieces;
  transfer.count_ = count;
  transfer.next_ = 0;

  const bool to_memory = pieces[0].to_memory;
  sim::Time& busy_until = busy_until_[profile_.full_duplex && to_memory ? 1 : 0];
  busy_until = std::max(queue_->now(), busy_until) + occupancy(pieces, count);
  const sim::Time latency = to_memory ? profile_.dma_write_latency : profile_.dma_read_latency;
  transfer.post_at<&Transfer::due>(busy_until + latency + delay);
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
