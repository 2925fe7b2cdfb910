// QMP, QEMU's machine protocol, as much of it as qtest clients use: the handshake, running and stopping, trays,
// migration, and the events that come of them (docs/interop/qmp-spec.txt of QEMU). Time stamps of events are the
// machine's time.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "testbench/frontend/qtest/session.h"

namespace ncqlab::qtest {

class Monitor {
 public:
  explicit Monitor(Session& session) : session_(&session) {}

  // What a connection begins with.
  std::string greeting() const;
  // Carries out one JSON object and returns what to send, the events that it caused in front of its answer.
  std::string execute(std::string_view object);
  // For bytes that are no JSON object.
  std::string refuse() const;
  // What has happened since the last call. Nothing before the handshake is over.
  std::string events();

  bool quit_requested() const { return quit_; }

 private:
  struct Commands;  // in monitor.cpp, with the JSON library

  Session* session_;
  bool negotiated_ = false;
  bool quit_ = false;
  std::map<std::string, std::string> nodes_;  // blockdev-add: files by name
  const char* migration_ = "";                // query-migrate's status; empty: there was none
};

}  // namespace ncqlab::qtest
