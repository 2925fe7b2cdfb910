// One I/O request: owned by the caller, linked by the driver, answered exactly once.
#pragma once

#include <cstdint>

namespace ncqlab::driver {

// A piece of the caller's data buffer in bus addresses. The address is even; `bytes` is even, not 0, and may exceed
// what one PRD carries (4 MiB, AHCI 1.3.1, 4.2.3.3): the driver splits.
struct Segment {
  std::uint64_t bus_address = 0;
  std::uint32_t bytes = 0;
};

enum class Operation : std::uint8_t { read, write, flush };

enum class Queueing : std::uint8_t {
  automatic,  // a queued command when device, controller and Options::use_ncq agree
  never,
};

enum class Status : std::uint8_t {
  idle,     // never submitted
  pending,  // with the driver
  // Answers, given to done():
  ok,
  error,        // the device or the way to it failed; the data on the medium may or may not have changed
  timeout,      // no answer within Options::command_timeout_ms
  device_gone,  // the device, or the controller, isn't there any more
  // Refusals by submit(), which then returned false; done() is not called:
  bad_port,           // no such port
  not_ready,          // nothing attached there (yet)
  bad_range,          // no sectors, more than 65536, or beyond the capacity
  bad_segments,       // odd or empty segment, total other than sectors * sector size, or beyond 4 GiB without S64A
  too_many_segments,  // more PRDs than Options::max_prds
  unsupported,        // FUA where the device has no command for it
};

// The caller fills the upper part, and leaves request and segments alone from submit() until done().
struct Request {
  Operation operation = Operation::read;
  Queueing queueing = Queueing::automatic;
  bool force_unit_access = false;
  std::uint64_t lba = 0;      // in logical sectors
  std::uint32_t sectors = 0;  // 1..65536 logical sectors; ignored for flush
  const Segment* segments = nullptr;
  std::uint32_t segment_count = 0;
  // Called from Ahci::service(), never from inside submit(). May submit this request again, or others.
  void (*done)(Request& request) = nullptr;
  void* context = nullptr;  // the caller's own

  Status status = Status::idle;
  // Status and error registers (PxTFD) of a device-reported error of a command that wasn't queued; else 0.
  std::uint8_t ata_status = 0;
  std::uint8_t ata_error = 0;

  struct DriverPart {
    Request* next = nullptr;
    std::uint16_t prds = 0;
    std::uint8_t reissues = 0;
    bool queued = false;
  } driver;  // the driver's own
};

}  // namespace ncqlab::driver
