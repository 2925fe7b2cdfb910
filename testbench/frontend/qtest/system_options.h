// What ncqlab-system-x86_64 was asked for: QEMU's arguments as data. They are read in system_options.cpp (the table of
// all options) and block_options.cpp (drives and devices).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/sim/time.h"
#include "testbench/frontend/qtest/option_string.h"

namespace ncqlab::qtest {

inline constexpr sim::Time kDefaultStep = 100 * sim::kMicrosecond;
inline constexpr std::uint64_t kDefaultRamBytes = 128ULL << 20;

// The other end of a line protocol.
struct Endpoint {
  enum class Kind : std::uint8_t { none, standard_streams, connect, listen } kind = Kind::none;
  std::string path;  // of a Unix socket
};

// What to do when the file under a drive fails: blkdebug is what makes it fail.
enum class OnError : std::uint8_t { report, stop };

// A disk image. With neither file nor size: for a disk zeros of the profile's capacity, for a CD-ROM drive no medium.
struct BlockNode {
  std::string id;
  std::string file;      // empty: no medium
  std::string blkdebug;  // path of a blkdebug configuration; empty: none
  bool read_only = false;
  std::uint64_t null_bytes = 0;  // not 0: no file, a disk of zeros of that size
  OnError on_read_error = OnError::report;
  OnError on_write_error = OnError::report;
};

struct DiskDevice {
  enum class Kind : std::uint8_t { disk, cdrom } kind = Kind::disk;
  std::string id;
  std::optional<unsigned> port;  // nothing: the first free one
  BlockNode node;
  std::string profile;  // empty: SystemOptions::drive
  // Empty: as the profile has it.
  std::string model;
  std::string serial;
  std::string firmware;
};

struct SystemOptions {
  std::uint64_t ram_bytes = kDefaultRamBytes;
  Endpoint qtest;
  Endpoint monitor;
  std::string log;       // of the qtest lines; empty: none
  std::string incoming;  // migration: where to listen; empty: no migration
  bool stopped = false;  // -S
  std::vector<DiskDevice> disks;

  // Ours, not QEMU's.
  std::string controller = "qemu-ich9";
  std::string drive = "qemu-harddisk";
  std::string optical = "qemu-dvd";
  sim::Time step = kDefaultStep;
  bool fingerprint = false;

  bool show_version = false;
  bool show_help = false;
};

// What --help prints.
extern const char* const kSystemHelp;

// Throws ArgumentError.
SystemOptions parse_system_options(const std::vector<std::string>& arguments);

// "unix:PATH[,server=on][,wait=off]", "stdio" or "none".
Endpoint parse_endpoint(const std::string& option, const std::string& text);

// block_options.cpp: collects -drive, -blockdev, -device and -global, which refer to each other, and then resolves
// them.
class BlockOptions {
 public:
  void add_drive(const std::string& text);
  void add_blockdev(const std::string& text);
  void add_device(const std::string& text);
  void add_global(const std::string& text);

  std::vector<DiskDevice> resolve() const;

 private:
  struct Device {
    DiskDevice disk;
    std::string drive;
  };
  struct Global {
    std::string driver;
    std::string property;
    std::string value;
  };
  const BlockNode* find_node(const std::string& id) const;

  std::vector<BlockNode> nodes_;
  std::vector<Device> devices_;  // those of -drive if=ide come last
  std::vector<DiskDevice> ide_drives_;
  std::vector<Global> globals_;
};

// "file=" of -drive: PATH, file:PATH, blkdebug:CONFIGURATION:PATH, null-co://; fills in `node`.
void parse_file_name(const OptionString& option, std::string name, BlockNode& node);

}  // namespace ncqlab::qtest
