#include "testbench/frontend/qtest/assemble.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "model/config/optical_profile.h"

namespace ncqlab::qtest {

namespace {

constexpr std::uint8_t kQcow2Magic[] = {'Q', 'F', 'I', 0xFB};
constexpr std::uint64_t kLeastRamBytes = 1ULL << 20;
constexpr std::uint64_t kMostRamBytes = 1ULL << 40;
constexpr std::uint64_t kFewestSectors = 16;
constexpr std::uint64_t kMostCylinders = 16U << 20U;  // as model/config/drive_checks.cpp

void override_identity(const DiskDevice& device, drive::Identity& identity) {
  if (!device.model.empty()) identity.model = device.model;
  if (!device.serial.empty()) identity.serial = device.serial;
  if (!device.firmware.empty()) identity.firmware = device.firmware;
}

MachineDisk assemble_disk(const DiskDevice& device, unsigned port, const std::string& profile) {
  const BlockNode& node = device.node;
  MachineDisk disk;
  disk.port = port;
  disk.id = node.id.empty() ? "ide" + std::to_string(port) + "-hd0" : node.id;
  disk.profile = config::load_drive_profile(device.profile.empty() ? profile : device.profile);
  override_identity(device, disk.profile.identity);
  if (!node.file.empty()) {
    disk.image = open_image(node.file, node.read_only);
    fit_capacity(disk.profile, disk.image->sectors());
  } else if (node.null_bytes != 0) {
    fit_capacity(disk.profile, node.null_bytes / drive::kSector_bytes);
  }
  if (!node.blkdebug.empty()) {
    if (node.on_read_error != OnError::stop || node.on_write_error != OnError::stop) {
      throw ArgumentError("blkdebug needs rerror=stop,werror=stop: commands that fail are made by fault programs");
    }
    disk.blkdebug = Blkdebug::load(node.blkdebug);
  }
  return disk;
}

MachineOptical assemble_optical(const DiskDevice& device, unsigned port, const std::string& profile) {
  MachineOptical optical;
  optical.port = port;
  optical.id = device.id.empty() ? "ide" + std::to_string(port) + "-cd0" : device.id;
  optical.profile = config::load_optical_profile(profile);
  override_identity(device, optical.profile.identity);
  if (!device.node.file.empty()) optical.image = open_image(device.node.file, true);
  return optical;
}

// The ports of a controller, given out: those that were asked for, then the lowest free ones.
class Ports {
 public:
  explicit Ports(std::uint32_t implemented) : free_(implemented), implemented_(implemented) {}

  void take(unsigned port) {
    if ((implemented_ >> port & 1) == 0) throw ArgumentError("the controller has no port " + std::to_string(port));
    if ((free_ >> port & 1) == 0) throw ArgumentError("port " + std::to_string(port) + " holds two devices");
    free_ &= ~(1U << port);
  }
  unsigned take_any() {
    if (free_ == 0) throw ArgumentError("there are more devices than the controller has ports");
    unsigned port = 0;
    while ((free_ >> port & 1) == 0) ++port;
    take(port);
    return port;
  }

 private:
  std::uint32_t free_;
  std::uint32_t implemented_;
};

}  // namespace

std::shared_ptr<drive::ImageContents> open_image(const std::string& path, bool read_only) {
  using Access = drive::ImageContents::Access;
  const bool writable = !read_only && ::access(path.c_str(), W_OK) == 0;
  try {
    auto image = std::make_shared<drive::ImageContents>(path, writable ? Access::read_write : Access::read_only);
    std::uint8_t sector[drive::kSector_bytes];
    image->fill(0, 1, sector);
    if (std::memcmp(sector, kQcow2Magic, sizeof kQcow2Magic) == 0) {
      throw ArgumentError(path + " is a qcow2 file; make a raw one with: qemu-img convert -O raw");
    }
    return image;
  } catch (const ArgumentError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw ArgumentError(error.what());
  }
}

void fit_capacity(drive::Profile& profile, std::uint64_t sectors) {
  if (sectors < kFewestSectors) {
    throw ArgumentError("a disk has at least " + std::to_string(kFewestSectors) + " sectors of 512 bytes");
  }
  profile.capacity_sectors = sectors;
  unsigned& heads = profile.mechanics.heads;
  drive::Zones& zones = profile.mechanics.zones;
  const auto cylinder = [&] { return std::uint64_t{heads} * zones.outer_sectors_per_track; };
  const std::uint64_t most_zones = std::max<std::uint64_t>(1, sectors / cylinder());
  zones.count = static_cast<unsigned>(std::min<std::uint64_t>(zones.count, most_zones));
  if (sectors / cylinder() < 2) {
    heads = static_cast<unsigned>(std::max<std::uint64_t>(1, sectors / (2 * zones.outer_sectors_per_track)));
  }
  if (sectors / cylinder() < 2) {
    zones.outer_sectors_per_track = zones.middle_sectors_per_track = zones.inner_sectors_per_track =
        static_cast<unsigned>(sectors / 2);
  }
  while (sectors / (std::uint64_t{heads} * zones.inner_sectors_per_track) > kMostCylinders) heads *= 2;
}

MachineSpec assemble(const SystemOptions& options) {
  MachineSpec spec;
  if (options.ram_bytes < kLeastRamBytes || options.ram_bytes > kMostRamBytes) {
    throw ArgumentError("RAM is 1 MiB to 1 TiB");
  }
  spec.ram_bytes = (options.ram_bytes + 0xFFF) & ~std::uint64_t{0xFFF};
  spec.controller = config::load_controller_profile(options.controller);
  Ports ports(spec.controller.ports_implemented);
  for (const DiskDevice& device : options.disks) {
    if (device.port) ports.take(*device.port);
  }
  for (const DiskDevice& device : options.disks) {
    const unsigned port = device.port ? *device.port : ports.take_any();
    if (device.kind == DiskDevice::Kind::cdrom) {
      spec.opticals.push_back(assemble_optical(device, port, options.optical));
    } else {
      spec.disks.push_back(assemble_disk(device, port, options.drive));
    }
  }
  return spec;
}

}  // namespace ncqlab::qtest
