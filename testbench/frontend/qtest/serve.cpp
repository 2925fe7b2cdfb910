#include "testbench/frontend/qtest/serve.h"

#include <cstdio>

#include "testbench/frontend/qtest/assemble.h"
#include "testbench/frontend/qtest/server.h"
#include "testbench/frontend/qtest/session.h"

namespace ncqlab::qtest {

namespace {

RunState initial_state(const SystemOptions& options) {
  if (!options.incoming.empty()) return RunState::inmigrate;
  return options.stopped ? RunState::prelaunch : RunState::running;
}

}  // namespace

void serve(const SystemOptions& options) {
  SessionOptions session_options;
  session_options.machine = assemble(options);
  session_options.step = options.step;
  session_options.state = initial_state(options);
  // Only a monitor can ask for migration.
  session_options.keep_history = options.monitor.kind != Endpoint::Kind::none;
  Session session(session_options);
  Server(session, options).run();
  session.write_back();
  if (options.fingerprint) {
    std::fprintf(stderr, "fingerprint %016llx after %.6f s\n",
                 static_cast<unsigned long long>(session.machine().fingerprint()),
                 sim::to_seconds(session.machine().now()));
  }
}

}  // namespace ncqlab::qtest
