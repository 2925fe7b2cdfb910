// The event loop around a session: qtest lines from one endpoint, the monitor on another, a machine that may arrive by
// migration. Nothing here knows the time of day: the machine's time moves with the lines alone.
#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "testbench/frontend/qtest/json_stream.h"
#include "testbench/frontend/qtest/line_buffer.h"
#include "testbench/frontend/qtest/monitor.h"
#include "testbench/frontend/qtest/session.h"
#include "testbench/frontend/qtest/sockets.h"
#include "testbench/frontend/qtest/system_options.h"

namespace ncqlab::qtest {

// One endpoint, connected or waiting for its peer.
class Connection {
 public:
  // Connects, or begins to listen. Throws SocketError.
  void open(const Endpoint& endpoint);
  // What poll() should wait for; -1: nothing.
  int descriptor() const;
  bool listening() const { return listener_.is_open(); }
  bool connected() const { return in_ >= 0; }
  void accept();
  void close();

  // Both only when connected. send() to a peer that has gone closes the connection.
  std::string receive();
  void send(std::string_view bytes);

 private:
  FileDescriptor socket_;
  FileDescriptor listener_;
  int in_ = -1;
  int out_ = -1;
};

class Server {
 public:
  // Opens the qtest endpoint first, then the monitor's, as QEMU does. Throws SocketError, ArgumentError.
  Server(Session& session, const SystemOptions& options);

  // Until the qtest endpoint's input ends, the monitor says quit, or the process is asked to end (SIGTERM, SIGINT,
  // SIGHUP).
  void run();

 private:
  void serve_qtest();
  void execute(const LineBuffer::Line& line);
  void serve_monitor();
  void serve_incoming();
  void greet();
  void send_events();
  void log(char direction, std::string_view text);

  Session* session_;
  Monitor monitor_;
  Connection qtest_connection_;
  Connection monitor_connection_;
  Connection incoming_;
  std::string arriving_;  // of a machine's history
  LineBuffer lines_{kLongestLine};
  JsonStream objects_;
  std::string answers_;  // to qtest lines, not sent yet
  std::ofstream log_;
  bool ended_ = false;
};

}  // namespace ncqlab::qtest
