#include "testbench/frontend/qtest/server.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace ncqlab::qtest {

namespace {

// Answers are sent together when many lines have come together, as from a script on standard input.
constexpr std::size_t kMostUnsent = 64U << 10;

// SIGTERM and its like as something to read; a peer that goes away is seen where it is written to.
FileDescriptor open_signals() {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, number);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  FileDescriptor signals(::signalfd(-1, &set, SFD_CLOEXEC));
  if (!signals.is_open()) throw SocketError(std::string("signalfd: ") + std::strerror(errno));
  return signals;
}

Endpoint incoming_endpoint(const std::string& uri) {
  if (uri.empty()) return {};
  const Endpoint endpoint = parse_endpoint("-incoming", uri);
  if (endpoint.kind != Endpoint::Kind::connect) throw ArgumentError("-incoming " + uri + ": expected unix:PATH");
  return {Endpoint::Kind::listen, endpoint.path};
}

}  // namespace

Server::Server(Session& session, const SystemOptions& options) : session_(&session), monitor_(session) {
  if (options.qtest.kind == Endpoint::Kind::standard_streams && options.monitor.kind == options.qtest.kind) {
    throw ArgumentError("standard input and output are for qtest or for the monitor, not for both");
  }
  if (!options.log.empty()) {
    log_.open(options.log);
    if (!log_) throw ArgumentError("can't write to " + options.log);
  }
  qtest_connection_.open(options.qtest);
  monitor_connection_.open(options.monitor);
  incoming_.open(incoming_endpoint(options.incoming));
}

void Server::run() {
  const FileDescriptor signals = open_signals();
  greet();
  while (!ended_ && !monitor_.quit_requested()) {
    ::pollfd waiting[] = {{signals.get(), POLLIN, 0},
                          {qtest_connection_.descriptor(), POLLIN, 0},
                          {monitor_connection_.descriptor(), POLLIN, 0},
                          {incoming_.descriptor(), POLLIN, 0}};
    if (::poll(waiting, std::size(waiting), -1) < 0 && errno != EINTR) {
      throw SocketError(std::string("poll: ") + std::strerror(errno));
    }
    if (waiting[0].revents != 0) return;
    if (waiting[1].revents != 0) serve_qtest();
    if (waiting[2].revents != 0) serve_monitor();
    if (waiting[3].revents != 0) serve_incoming();
  }
}

void Server::serve_qtest() {
  if (qtest_connection_.listening()) return qtest_connection_.accept();
  const std::string bytes = qtest_connection_.receive();
  lines_.append(bytes);
  while (const auto line = lines_.next()) execute(*line);
  if (bytes.empty()) {
    if (const auto line = lines_.rest()) execute(*line);
    ended_ = true;
  }
  qtest_connection_.send(std::exchange(answers_, {}));
}

void Server::execute(const LineBuffer::Line& line) {
  log('R', line.text);
  const std::string answer = line.too_long ? session_->refuse_long_line() : session_->execute(line.text);
  log('S', answer);
  answers_ += answer;
  if (answers_.size() >= kMostUnsent) qtest_connection_.send(std::exchange(answers_, {}));
  send_events();
}

void Server::serve_monitor() {
  if (monitor_connection_.listening()) {
    monitor_connection_.accept();
    return greet();
  }
  const std::string bytes = monitor_connection_.receive();
  if (bytes.empty()) return monitor_connection_.close();
  objects_.append(bytes);
  while (const auto object = objects_.next()) {
    monitor_connection_.send(object->refused ? monitor_.refuse() : monitor_.execute(object->text));
  }
}

void Server::greet() {
  if (monitor_connection_.connected()) monitor_connection_.send(monitor_.greeting());
}

void Server::send_events() {
  const std::string events = monitor_.events();
  if (!events.empty()) monitor_connection_.send(events);
}

void Server::serve_incoming() {
  if (incoming_.listening()) return incoming_.accept();
  const std::string bytes = incoming_.receive();
  arriving_ += bytes;
  if (arriving_.size() > kLongestHistory) throw std::runtime_error("migration: the history is too long");
  if (!bytes.empty()) return;
  session_->migrate_here(std::exchange(arriving_, {}));
  incoming_.send(kMigrated);
  incoming_.close();
  send_events();
}

// As QEMU's log, with the machine's time.
void Server::log(char direction, std::string_view text) {
  if (!log_.is_open()) return;
  const sim::Time now = session_->machine().now();
  char stamp[64];
  std::snprintf(stamp, sizeof stamp, "[%c +%lld.%06lld] ", direction, static_cast<long long>(now / sim::kSecond),
                static_cast<long long>(now % sim::kSecond / sim::kMicrosecond));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    log_ << stamp << text.substr(0, end) << '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  log_.flush();
}

}  // namespace ncqlab::qtest
