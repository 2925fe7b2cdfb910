// -drive, -blockdev, -device, -global: what is in which bay.
#include <algorithm>

#include "testbench/frontend/qtest/system_options.h"
#include "testbench/frontend/qtest/text.h"

namespace ncqlab::qtest {

namespace {

constexpr unsigned kMostPorts = 32;
constexpr std::uint64_t kNullBytes = 1ULL << 30;  // null-co's size when none is given
constexpr std::string_view kIdeBus = "ide.";      // ide.N is port N

OnError on_error(OptionString& option, std::string_view key) {
  const std::string value = option.take(key).value_or("report");
  if (value == "stop") return OnError::stop;
  if (value == "report" || value == "enospc") return OnError::report;  // a disk that never is full
  option.fail("'" + std::string(key) + "' is stop, report or enospc here");
}

bool is_format(const std::string& format) { return format == "raw" || format == "qcow2"; }

unsigned parse_port(const OptionString& option, const std::string& bus) {
  const auto number =
      bus.substr(0, kIdeBus.size()) == kIdeBus ? parse_number(bus.substr(kIdeBus.size())) : std::nullopt;
  if (!number || *number >= kMostPorts) option.fail("the buses are ide.0, ide.1 and so on");
  return static_cast<unsigned>(*number);
}

void take_identity(OptionString& option, DiskDevice& disk) {
  disk.model = option.take("model").value_or("");
  disk.serial = option.take("serial").value_or("");
  disk.firmware = option.take("ver").value_or("");
}

void check_length(const std::string& text, std::size_t longest, const char* what) {
  if (text.size() > longest) {
    throw ArgumentError(std::string("a disk's ") + what + " has at most " + std::to_string(longest) + " characters");
  }
}

}  // namespace

void parse_file_name(const OptionString& option, std::string name, BlockNode& node) {
  constexpr std::string_view kBlkdebug = "blkdebug:";
  if (name.substr(0, kBlkdebug.size()) == kBlkdebug) {
    const std::size_t colon = name.find(':', kBlkdebug.size());
    if (colon == std::string::npos) option.fail("expected blkdebug:CONFIGURATION:FILE");
    node.blkdebug = name.substr(kBlkdebug.size(), colon - kBlkdebug.size());
    name.erase(0, colon + 1);
  }
  if (name.substr(0, 5) == "file:") name.erase(0, 5);
  if (name == "null-co://" || name == "null-aio://") {
    node.null_bytes = kNullBytes;
    return;
  }
  if (name.find("://") != std::string::npos || name.substr(0, 5) == "json:") {
    option.fail("images are files, or null-co://");
  }
  node.file = name;
}

void BlockOptions::add_drive(const std::string& text) {
  OptionString option("-drive", text, "file");
  BlockNode node;
  node.id = option.take("id").value_or("");
  if (const auto file = option.take("file")) parse_file_name(option, *file, node);
  if (const auto size = option.take("file.size")) {
    const auto bytes = parse_size(*size, 1);
    if (!bytes || node.null_bytes == 0) option.fail("file.size is null-co's size");
    node.null_bytes = *bytes;
  }
  const std::string format = option.take("format").value_or("raw");
  if (!is_format(format)) option.fail("'format' is raw, or qcow2 for a file whose contents are raw");
  node.read_only = option.take_flag("readonly").value_or(option.take_flag("read-only").value_or(false));
  node.on_read_error = on_error(option, "rerror");
  node.on_write_error = on_error(option, "werror");
  // How the host's files are cached and paced has no place in a machine whose time is the model's.
  for (const char* key : {"cache", "aio", "discard", "detect-zeroes", "snapshot", "file.read-zeroes", "file.latency-ns",
                          "throttling.bps-write", "throttling.bps-read", "throttling.bps-total", "copy-on-read"}) {
    option.ignore(key);
  }
  const std::string interface = option.take("if").value_or("ide");
  const std::string media = option.take("media").value_or("disk");
  if (media != "disk" && media != "cdrom") option.fail("'media' is disk or cdrom");
  const auto index = option.take("index");
  if (interface == "none") {
    if (node.id.empty()) option.fail("'id' is missing");
    nodes_.push_back(node);
  } else if (interface == "ide") {
    DiskDevice disk;
    disk.kind = media == "cdrom" ? DiskDevice::Kind::cdrom : DiskDevice::Kind::disk;
    disk.id = node.id;
    disk.node = node;
    if (index) disk.port = parse_port(option, std::string(kIdeBus) + *index);
    ide_drives_.push_back(disk);
  } else {
    option.fail("'if' is ide or none");
  }
  option.check_all_taken();
}

void BlockOptions::add_blockdev(const std::string& text) {
  OptionString option("-blockdev", text, "driver");
  BlockNode node;
  node.id = option.require("node-name");
  const std::string driver = option.require("driver");
  node.read_only = option.take_flag("read-only").value_or(false);
  if (driver == "null-co" || driver == "null-aio") {
    node.null_bytes = parse_size(option.take("size").value_or("1G"), 1).value_or(kNullBytes);
    option.ignore("read-zeroes");
  } else if (driver == "file") {
    node.file = option.require("filename");
  } else if (is_format(driver)) {
    if (const auto below = option.take("file")) {
      const BlockNode* file = find_node(*below);
      if (file == nullptr) option.fail("there is no node '" + *below + "'");
      const std::string id = node.id;
      node = *file;
      node.id = id;
    } else {
      if (option.require("file.driver") != "file") option.fail("images are files");
      node.file = option.require("file.filename");
    }
  } else {
    option.fail("'driver' is file, raw, qcow2 or null-co");
  }
  option.check_all_taken();
  nodes_.push_back(node);
}

void BlockOptions::add_device(const std::string& text) {
  OptionString option("-device", text, "driver");
  const std::string driver = option.require("driver");
  Device device;
  if (driver == "ide-cd") {
    device.disk.kind = DiskDevice::Kind::cdrom;
  } else if (driver != "ide-hd") {
    option.fail("the machine has its own AHCI controller at 00:1f.2; what can be added is ide-hd and ide-cd");
  }
  device.disk.id = option.take("id").value_or("");
  device.drive = option.take("drive").value_or("");
  if (device.drive.empty() && device.disk.kind == DiskDevice::Kind::disk) option.fail("'drive' is missing");
  if (const auto bus = option.take("bus")) device.disk.port = parse_port(option, *bus);
  const auto unit = option.take("unit");
  if (unit && *unit != "0") option.fail("a SATA port holds one device, unit 0");
  take_identity(option, device.disk);
  for (const char* key : {"bootindex", "write-cache", "rerror", "werror"}) option.ignore(key);
  option.check_all_taken();
  devices_.push_back(device);
}

void BlockOptions::add_global(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos) {
    throw ArgumentError("-global " + text + ": expected DRIVER.PROPERTY=VALUE");
  }
  const Global global{text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1)};
  const bool known = global.property == "serial" || global.property == "ver" || global.property == "model";
  if ((global.driver != "ide-hd" && global.driver != "ide-cd") || !known) {
    throw ArgumentError("-global " + text + ": known are serial, ver and model of ide-hd and ide-cd");
  }
  globals_.push_back(global);
}

const BlockNode* BlockOptions::find_node(const std::string& id) const {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(), [&](const BlockNode& node) { return node.id == id; });
  return found == nodes_.end() ? nullptr : &*found;
}

std::vector<DiskDevice> BlockOptions::resolve() const {
  std::vector<DiskDevice> disks;
  for (const Device& device : devices_) {
    DiskDevice disk = device.disk;
    if (!device.drive.empty()) {
      const BlockNode* node = find_node(device.drive);
      if (node == nullptr) throw ArgumentError("there is no drive '" + device.drive + "'");
      disk.node = *node;
    }
    disks.push_back(disk);
  }
  disks.insert(disks.end(), ide_drives_.begin(), ide_drives_.end());

  for (DiskDevice& disk : disks) {
    const std::string driver = disk.kind == DiskDevice::Kind::disk ? "ide-hd" : "ide-cd";
    for (const Global& global : globals_) {
      if (global.driver != driver) continue;
      std::string& value =
          global.property == "serial" ? disk.serial : (global.property == "ver" ? disk.firmware : disk.model);
      if (value.empty()) value = global.value;
    }
    check_length(disk.model, 40, "model");
    check_length(disk.serial, 20, "serial number");
    check_length(disk.firmware, 8, "version");
    if (disk.kind == DiskDevice::Kind::disk && disk.node.file.empty() && disk.node.null_bytes == 0) {
      throw ArgumentError("the disk '" + disk.id + "' has no file");
    }
  }
  return disks;
}

}  // namespace ncqlab::qtest
