// blkdebug, the fault script of QEMU's block layer (docs/devel/blkdebug.rst of QEMU): rules that make an event of the
// file under a drive fail, and a small state machine that arms them.
//
//   [inject-error]            [set-state]
//   event = "write_aio"       event = "write_aio"
//   errno = "5"               state = "1"
//   state = "1"               new_state = "2"
//   once = "on"
//
// Here the events are write_aio, read_aio and flush_to_disk: a command of that kind has reached the drive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ncqlab::qtest {

enum class BlockEvent : std::uint8_t { read, write, flush };

class Blkdebug {
 public:
  // `name` stands for the file in errors. Throws ArgumentError.
  static Blkdebug parse(std::string_view text, const std::string& name);
  // Throws ArgumentError when the file can't be read, too.
  static Blkdebug load(const std::string& path);

  // The event happens: the errno that it fails with, 0 when it doesn't.
  int happen(BlockEvent event);

 private:
  struct Rule {
    bool injects = false;  // else it sets the state
    BlockEvent event = BlockEvent::read;
    unsigned state = 0;  // 0: in any
    unsigned new_state = 0;
    int error = 5;  // EIO
    bool once = false;
    bool spent = false;
  };

  std::vector<Rule> rules_;
  unsigned state_ = 1;
};

}  // namespace ncqlab::qtest
