#include "testbench/frontend/qtest/sockets.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ncqlab::qtest {

namespace {

constexpr std::size_t kReceiveBytes = 64U << 10;

[[noreturn]] void fail(const std::string& path) { throw SocketError(path + ": " + std::strerror(errno)); }

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    throw SocketError("'" + path + "': a socket's path has 1 to " + std::to_string(sizeof address.sun_path - 1) +
                      " characters");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

FileDescriptor make_socket(const std::string& path) {
  FileDescriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!made.is_open()) fail(path);
  return made;
}

bool try_connect(const FileDescriptor& socket, const sockaddr_un& address) {
  return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// A socket that somebody has left, or the empty file that mkstemp() made for its name.
bool is_replaceable(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return false;
  return S_ISSOCK(status.st_mode) || (S_ISREG(status.st_mode) && status.st_size == 0);
}

}  // namespace

void FileDescriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

FileDescriptor connect_unix(const std::string& path) {
  const sockaddr_un address = address_of(path);
  FileDescriptor made = make_socket(path);
  if (!try_connect(made, address)) fail(path);
  return made;
}

FileDescriptor listen_unix(const std::string& path) {
  const sockaddr_un address = address_of(path);
  const auto bind = [&](const FileDescriptor& socket) {
    return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  };
  FileDescriptor made = make_socket(path);
  if (!bind(made)) {
    if (errno != EADDRINUSE) fail(path);
    if (try_connect(make_socket(path), address)) throw SocketError(path + ": somebody listens there already");
    if (!is_replaceable(path)) throw SocketError(path + " is there already, and is no socket");
    ::unlink(path.c_str());
    if (!bind(made)) fail(path);
  }
  if (::listen(made.get(), 1) != 0) fail(path);
  return made;
}

FileDescriptor accept_connection(const FileDescriptor& listener) {
  for (;;) {
    FileDescriptor accepted(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (accepted.is_open()) return accepted;
    if (errno != EINTR) fail("accept");
  }
}

bool send_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t sent = ::write(descriptor, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void end_sending(int descriptor) { ::shutdown(descriptor, SHUT_WR); }

std::string receive_all(int descriptor, std::size_t most) {
  std::string all;
  for (std::string bytes = receive_some(descriptor); !bytes.empty() && all.size() < most;
       bytes = receive_some(descriptor)) {
    all += bytes;
  }
  return all;
}

std::string receive_some(int descriptor) {
  std::string bytes(kReceiveBytes, '\0');
  for (;;) {
    const ::ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }
}

}  // namespace ncqlab::qtest
