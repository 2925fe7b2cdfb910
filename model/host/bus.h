// The host bus as a bus master sees it: transfers take time, one after another in each direction, and then happen.
//
// A transfer is one event: its end. In that event the target is accessed piece by piece (a scatter list is one
// transfer), and the requester goes on in the same event. A target that answers `pending` (a foreign interconnect)
// completes later with the place in the queue's order that was reserved for it; see EventQueue::Key.
//
// Time: start when the direction is free; occupy it for what the transfer costs (model/host/bus_cost.h); done after the
// direction's latency and the requester's own delay, which are pipelined. On PCIe a read's requests first pass the
// other direction, behind the writes there. On PCI and PCI-X there is one medium, which register accesses share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/host/bus_cost.h"
#include "model/host/bus_profile.h"
#include "model/host/dma_target.h"
#include "model/sim/actor.h"
#include "model/sim/trace.h"

namespace ncqlab::host {

class Bus;
class Transfer;

class TransferClient {
 public:
  // When the target answered one of the pieces with anything but ok, those behind it were not made.
  virtual void transfer_done(Transfer& transfer, DmaResult result) = 0;

 protected:
  ~TransferClient() = default;
};

// One scatter or gather list on its way. Owned and re-used by the requester: nothing is allocated for a transfer. Its
// event goes with it, so destroying it while under way is safe as long as the target has not answered `pending`.
class Transfer final : private sim::Actor, private DmaCompletion {
 public:
  Transfer(sim::EventQueue& queue, TransferClient& client) : Actor(queue), client_(&client) {}

  bool busy() const { return bus_ != nullptr; }

 private:
  friend class Bus;
  void due(std::uint64_t unused);
  void dma_completed(DmaResult result) override;

  TransferClient* client_;
  Bus* bus_ = nullptr;  // while under way
  std::uint32_t source_ = 0;
  const DmaAccess* pieces_ = nullptr;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
};

class Bus final {
 public:
  // Throws std::invalid_argument for a profile that BusCost refuses.
  Bus(sim::EventQueue& queue, sim::Trace& trace, const BusProfile& profile, DmaTarget& target);

  const BusProfile& profile() const { return profile_; }

  // Starts `transfer` of all `count` > 0 pieces, which have one direction and stay, like their buffers, until
  // transfer_done(). `source` stands in the trace. `delay` is the requester's own, added to the latency.
  void start(Transfer& transfer, std::uint32_t source, const DmaAccess* pieces, std::size_t count, sim::Time delay = 0);

  // A register access reaches the bus now: when it has crossed. Now where it does not contend with transfers (custom
  // and PCIe). On PCI and PCI-X it gets in after the burst under way, and the transfers that are started later wait for
  // it; the one under way is not lengthened.
  sim::Time cross(bool read);
  bool registers_contend() const { return cost_.longest_burst() != 0; }

 private:
  friend class Transfer;
  void proceed(Transfer& transfer);
  void finish(Transfer& transfer, DmaResult result);

  sim::EventQueue* queue_;
  sim::Trace* trace_;
  BusProfile profile_;
  BusCost cost_;
  DmaTarget* target_;
  sim::Time busy_until_[2] = {0, 0};  // memory to device, device to memory; a shared bus has the first alone
  sim::Time busy_since_ = 0;          // of a shared bus: when the transfers that follow each other began
  sim::Time crossed_until_ = 0;       // of a shared bus: by register accesses
};

}  // namespace ncqlab::host
