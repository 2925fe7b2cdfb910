// A drive with a fault program and a host that writes, flushes and sees how each command ends.
#pragma once

#include <string>

#include "model/config/fault_program.h"
#include "model/faults/drive_faults.h"
#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {

// From the text of its rules.
inline faults::Program program_of(const std::string& rules, const std::string& vars = "{}") {
  const std::string text = R"({"title": "t", "source": "this test", "evidence": "made up", "vars": )" + vars +
                           R"(, "rules": [)" + rules + "]}";
  return config::read_fault_program(config::Document::parse(text, "t.json"), "t");
}

inline Profile queued_profile() {
  Profile profile = small_profile();
  profile.interface.ncq = true;
  profile.interface.queue_depth = 32;
  return profile;
}

class FaultyDrive {
 public:
  explicit FaultyDrive(const faults::Program& program, std::uint64_t seed = 1)
      : host(queued_profile()), faults({program}, seed) {
    faults.attach(host.drive);
    host.start();
  }

  struct End {
    sim::Time took;
    std::string line;  // of the frame that ended it
  };
  End command(std::uint8_t opcode, std::uint64_t lba = 0, std::uint16_t count = 0, std::uint16_t features = 0) {
    return end_after([&] { host.command(opcode, lba, count, features); });
  }
  End write(std::uint8_t opcode, std::uint64_t lba, std::uint16_t sectors) {
    host.outgoing = AtaHost::filled(sectors, kWritten);
    return command(opcode, lba, sectors);
  }
  End write_queued(unsigned tag, std::uint64_t lba, std::uint16_t sectors, std::uint8_t device = 0x40) {
    host.outgoing = AtaHost::filled(sectors, kWritten);
    return end_after([&] { host.queued(0x61, tag, lba, sectors, device); });
  }
  End read_queued(unsigned tag, std::uint64_t lba, std::uint16_t sectors) {
    return end_after([&] { host.queued(0x60, tag, lba, sectors); });
  }

  // Runs until a frame that ends a command has gone out; at most 100 s.
  template <class Send>
  End end_after(Send send) {
    const sim::Time begun = host.now();
    host.sent.clear();
    send();
    for (std::size_t seen = 0; host.now() < begun + 100 * sim::kSecond; host.run_until(host.now() + 10 * kUs)) {
      for (; seen < host.sent.size(); ++seen) {
        const std::string& line = host.sent[seen].line;
        const bool ends = line.rfind("SDB", 0) == 0 || (line.rfind("D2H", 0) == 0 && line.back() == 'I');
        if (ends) {
          const sim::Time at = host.sent[seen].time;
          host.run_until(host.now() + 10 * kUs);
          return {at - begun, line};
        }
      }
    }
    return {sim::kNever, "nothing"};
  }

  std::uint64_t dirty() const { return host.drive.disk().dirty_sectors(); }
  std::uint64_t fired(std::size_t rule = 0) const { return faults.firings()[rule].fired; }
  AtaHost::Bytes stored(std::uint64_t lba, std::uint32_t sectors) const {
    AtaHost::Bytes bytes(std::size_t{sectors} * kSector_bytes);
    host.drive.contents().read(lba, sectors, bytes.data());
    return bytes;
  }

  static constexpr std::uint8_t kWritten = 0x5A;
  AtaHost host;
  faults::DriveFaults faults;
};

}  // namespace ncqlab::drive
