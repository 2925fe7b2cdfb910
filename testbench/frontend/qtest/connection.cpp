#include <unistd.h>

#include "testbench/frontend/qtest/server.h"

namespace ncqlab::qtest {

void Connection::open(const Endpoint& endpoint) {
  switch (endpoint.kind) {
    case Endpoint::Kind::none:
      break;
    case Endpoint::Kind::standard_streams:
      in_ = STDIN_FILENO;
      out_ = STDOUT_FILENO;
      break;
    case Endpoint::Kind::connect:
      socket_ = connect_unix(endpoint.path);
      in_ = out_ = socket_.get();
      break;
    case Endpoint::Kind::listen:
      listener_ = listen_unix(endpoint.path);
      break;
  }
}

int Connection::descriptor() const { return listening() ? listener_.get() : in_; }

// One peer, once.
void Connection::accept() {
  socket_ = accept_connection(listener_);
  listener_.close();
  in_ = out_ = socket_.get();
}

void Connection::close() {
  socket_.close();
  in_ = out_ = -1;
}

std::string Connection::receive() { return receive_some(in_); }

void Connection::send(std::string_view bytes) {
  if (connected() && !send_all(out_, bytes)) close();
}

}  // namespace ncqlab::qtest
