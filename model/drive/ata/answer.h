// What a feature set says to one of its commands. Feature sets know nothing of frames: the drive carries the answer
// out.
#pragma once

#include <cstdint>
#include <utility>

#include "model/drive/ata/bytes.h"
#include "model/drive/ata/registers.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

struct Answer {
  enum class Kind : std::uint8_t {
    done,       // a Register FIS without error, with these outputs
    refused,    // a Register FIS with this error
    to_host,    // `bytes` are sent
    from_host,  // as many bytes as `bytes` has are taken; then the feature set is asked again
    flush,      // the write cache is destaged first, then the command is done
  };
  Kind kind = Kind::done;
  std::uint8_t error = 0;
  std::uint16_t count = 0;
  std::uint64_t lba = 0;
  std::uint8_t device = 0;
  Bytes bytes;
  sim::Time takes = 0;  // done, refused: the status comes so long after the command
};

inline Answer done() { return {}; }
inline Answer done_with(std::uint16_t count, std::uint64_t lba) {
  Answer answer;
  answer.count = count;
  answer.lba = lba;
  return answer;
}
inline Answer done_after(sim::Time takes) {
  Answer answer;
  answer.takes = takes;
  return answer;
}
inline Answer refused(std::uint8_t error = kErrorAbrt) {
  Answer answer;
  answer.kind = Answer::Kind::refused;
  answer.error = error;
  return answer;
}
inline Answer to_host(Bytes bytes) {
  Answer answer;
  answer.kind = Answer::Kind::to_host;
  answer.bytes = std::move(bytes);
  return answer;
}
inline Answer from_host(std::size_t pages) {
  Answer answer;
  answer.kind = Answer::Kind::from_host;
  answer.bytes = empty_pages(pages);
  return answer;
}
inline Answer done_if(bool good) { return good ? done() : refused(); }

}  // namespace ncqlab::drive
