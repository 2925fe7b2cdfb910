// QEMU's block errors with rerror=stop and werror=stop: a command whose file access fails stops the machine before the
// drive goes on, and is tried again when the machine continues. The errors come from blkdebug.
//
// A command is seen when its FIS reaches the drive: there the machine's time is stopped, so that nothing of it is done.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/sim/event_queue.h"
#include "model/sim/trace.h"
#include "testbench/frontend/qtest/blkdebug.h"

namespace ncqlab::qtest {

// What is told to the monitor.
struct BlockError {
  std::string device;
  BlockEvent event = BlockEvent::read;
  int error = 0;
};

class BlockErrors final : public sim::Observer {
 public:
  explicit BlockErrors(sim::EventQueue& queue) : queue_(&queue) {}

  // The drive at `port`, called `device` by the monitor, has a blkdebug script.
  void add(unsigned port, std::string device, Blkdebug script);

  // Asks the queue to stop when an access fails.
  void on_record(const sim::Record& record) override;

  bool failing() const { return !failed_.empty(); }
  // The machine continues: the failed accesses are tried again, and may fail again.
  void retry();
  // Failures since the last call, in order.
  std::vector<BlockError> take_reports();

 private:
  struct Script {
    unsigned port;
    std::string device;
    Blkdebug rules;
  };
  struct Failed {
    std::size_t script;
    BlockEvent event;
  };
  void attempt(std::size_t script, BlockEvent event);

  sim::EventQueue* queue_;
  std::vector<Script> scripts_;
  std::vector<Failed> failed_;
  std::vector<BlockError> reports_;
};

}  // namespace ncqlab::qtest
