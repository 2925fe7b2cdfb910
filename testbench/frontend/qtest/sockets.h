// File descriptors and Unix sockets, as much as the front end needs of them.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ncqlab::qtest {

class SocketError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close();

 private:
  int number_ = -1;
};

// All throw SocketError.
FileDescriptor connect_unix(const std::string& path);
// A socket that nobody listens on is replaced, and so is an empty file.
FileDescriptor listen_unix(const std::string& path);
FileDescriptor accept_connection(const FileDescriptor& listener);

// False when the other side has gone.
bool send_all(int descriptor, std::string_view bytes);
// The other side sees the end of its input; what it sends can still be received.
void end_sending(int descriptor);
// Everything up to the end of input, at most `most` bytes.
std::string receive_all(int descriptor, std::size_t most);
// What there is, at least one byte; empty at the end of input and when the other side has gone.
std::string receive_some(int descriptor);

}  // namespace ncqlab::qtest
