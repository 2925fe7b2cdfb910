// What every sector of one disk must hold, and whether each read returned it.
//
// Every write gets a generation, a number that no other write has, and fills its sectors with the pattern of it. A read
// may return generation g of a sector unless a write that was submitted after g had been answered was itself answered
// before the read was submitted. So of writes that overlap in time either may be found, a read that overlaps a write
// may see it or not, and once a write is answered nothing that had been answered before its start may come back. Every
// sector counts for itself: ATA promises that a sector is whole, not that a command is.
//
//   WriteTicket w = oracle.write_submitted(lba, sectors);   // then fill(buffer, lba, sectors, w.generation) and submit
//   oracle.write_completed(w, ok);
//   ReadTicket r = oracle.read_submitted(lba, sectors);     // then submit
//   oracle.read_completed(r, buffer, now);                  // or read_failed(r)
//
// Call each when the request enters the driver, and when the driver has answered it. Only what was written is stored,
// as extents: a run that only reads stores nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "model/sim/time.h"
#include "testbench/oracle/versions.h"

namespace ncqlab::oracle {

struct WriteTicket {
  std::uint64_t lba = 0;
  std::uint32_t sectors = 0;
  std::uint64_t generation = 0;
  Moment submitted = 0;
};

struct ReadTicket {
  std::uint64_t lba = 0;
  std::uint32_t sectors = 0;
  Moment submitted = 0;
  std::uint64_t number = 0;
};

class DataOracle {
 public:
  static constexpr std::size_t kMaxTexts = 20;

  WriteTicket write_submitted(std::uint64_t lba, std::uint32_t sectors);
  // A write that failed (ok false) may have happened or not: it replaces nothing, and may be found.
  void write_completed(const WriteTicket& write, bool ok);

  ReadTicket read_submitted(std::uint64_t lba, std::uint32_t sectors);
  // True when every sector holds something that it may hold; otherwise errors() tells.
  bool read_completed(const ReadTicket& read, const void* buffer, sim::Time now);
  void read_failed(const ReadTicket& read) { close(read); }

  // Sectors that held what they must not; the first kMaxTexts of them as text:
  // "LBA 123, read at 4.567890 ms: expected generation 5, found generation 3, which was overwritten".
  std::uint64_t bad_sectors() const { return bad_sectors_; }
  const std::vector<std::string>& errors() const { return errors_; }

  std::uint64_t sectors_checked() const { return sectors_checked_; }
  std::size_t stored_extents() const { return extents_.size(); }

 private:
  struct Extent {
    std::uint64_t end = 0;
    Versions versions;
  };
  using Extents = std::map<std::uint64_t, Extent>;  // by first LBA

  void split_at(std::uint64_t lba);
  void settle(std::uint64_t lba, std::uint64_t end);
  void check_run(const ReadTicket& read, std::uint64_t lba, std::uint64_t end, const Versions& versions,
                 const std::uint8_t* buffer, sim::Time now);
  void report(const ReadTicket& read, std::uint64_t lba, const Versions& versions, const std::uint8_t* sector,
              sim::Time now);
  Moment oldest_open_read() const;
  void close(const ReadTicket& read);

  Extents extents_;
  Moment moment_ = 0;
  std::uint64_t last_generation_ = 0;

  struct OpenRead {
    Moment submitted;
    bool closed;
  };
  std::deque<OpenRead> reads_;  // the first is open; numbers count from first_read_
  std::uint64_t first_read_ = 0;

  std::uint64_t sectors_checked_ = 0;
  std::uint64_t bad_sectors_ = 0;
  std::vector<std::string> errors_;
};

}  // namespace ncqlab::oracle
