// `ncqlab serve qtest`: the machine of testbench/frontend/qtest with the drives that were asked for.
#include <algorithm>

#include "testbench/cli/commands.h"
#include "testbench/frontend/qtest/serve.h"
#include "testbench/frontend/qtest/sockets.h"

namespace ncqlab::cli {

int serve_qtest(const ServeQtestOptions& options) {
  qtest::SystemOptions system;
  system.ram_bytes = options.ram_bytes;
  system.controller = options.controller;
  system.step = static_cast<sim::Time>(options.step_us) * sim::kMicrosecond;
  system.fingerprint = options.fingerprint;
  if (options.socket == "-") {
    system.qtest.kind = qtest::Endpoint::Kind::standard_streams;
  } else {
    system.qtest = {qtest::Endpoint::Kind::listen, options.socket};
  }
  const std::size_t drives = std::max<std::size_t>({options.drives.size(), options.images.size(), 1});
  for (std::size_t i = 0; i < drives; ++i) {
    qtest::DiskDevice disk;
    if (i < options.drives.size()) disk.profile = options.drives[i];
    if (i < options.images.size()) disk.node.file = options.images[i];
    system.disks.push_back(disk);
  }
  try {
    qtest::serve(system);
  } catch (const qtest::ArgumentError& error) {
    throw UsageError(std::string("ncqlab serve qtest: ") + error.what());
  } catch (const qtest::SocketError& error) {
    throw UsageError(std::string("ncqlab serve qtest: ") + error.what());
  }
  return 0;
}

}  // namespace ncqlab::cli
