// ncqlab-system-x86_64: takes the arguments of qemu-system-x86_64 and serves qtest and QMP, so that qtest clients
// written for QEMU drive this project's controller. Its name is what makes them take it for QEMU.
//
// Exit status: 0 the client has gone or SIGTERM came, 1 something went wrong, as QEMU's.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "testbench/cli/version.h"
#include "testbench/frontend/qtest/serve.h"

int main(int argc, char** argv) {
  using namespace ncqlab;
  try {
    const qtest::SystemOptions options = qtest::parse_system_options({argv + 1, argv + argc});
    if (options.show_version) {
      std::printf("ncqlab %s with QEMU's arguments: AHCI over qtest\n", cli::kVersion);
      return 0;
    }
    if (options.show_help) {
      std::fputs(qtest::kSystemHelp, stdout);
      return 0;
    }
    qtest::serve(options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ncqlab-system-x86_64: %s\n", error.what());
    return 1;
  }
}
