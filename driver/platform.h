// The seam: everything the driver core needs of the world, and the one thing that a port has to write. docs/PORTING.md
// leads through it step by step.
//
// Who runs when. One Ahci object is entered by one caller at a time: start(), submit() and service() never run inside
// or beside each other (except that a request's done(), which service() calls, may call submit()). Only
// Ahci::interrupt() may preempt them, at any point: between two register accesses, inside read32(), inside delay_ns().
// The driver calls mask_interrupt() around the few places where that would hurt; between mask_interrupt() and
// unmask_interrupt() the platform delivers no interrupt, and delivers one that came meanwhile afterwards. The calls
// come in pairs and are never nested.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ncqlab::driver {

// Memory that the controller and the CPU share: `bytes` bytes that are contiguous both at `cpu` and at `bus_address`.
// `bus_address` is what the controller puts on the bus, 64 bits wide; behind an IOMMU it is no physical address.
struct DmaMemory {
  void* cpu = nullptr;
  std::uint64_t bus_address = 0;
  std::size_t bytes = 0;
};

enum class LogLevel : std::uint8_t { debug, info, warning, error };

// The deadline that disarms the timer.
inline constexpr std::uint64_t kNever = UINT64_MAX;

// The longest delay_ns() that the driver asks for.
inline constexpr std::uint32_t kLongestDelay_ns = 10'000;

class Platform {
 public:
  // One aligned 32-bit access to the controller's register space: BAR5, called ABAR in AHCI 1.3.1, 2.1.11. `offset`
  // is a multiple of 4, below 0x1100. Accesses reach the controller in program order; a write may be posted. The
  // value is in the CPU's byte order. A removed controller reads as all ones.
  virtual std::uint32_t read32(std::uint32_t offset) = 0;
  virtual void write32(std::uint32_t offset, std::uint32_t value) = 0;

  // Called from Ahci::start() only: four times for each implemented port. Zeroed memory, `alignment` (a power of two,
  // at most 1024) for the bus address. False when there is none; start() then fails. It is never given back: it
  // belongs to the controller until the platform has reset it, or has cut it off from the bus. The largest piece is
  // depth * (128 + 16 * max_prds) bytes rounded up to 128 per slot. For a controller without 64-bit addressing
  // (CAP.S64A = 0) the platform allocates below 4 GiB; start() refuses what lies above.
  virtual bool allocate_dma(std::size_t bytes, std::size_t alignment, DmaMemory& out) = 0;

  // Ordering of DMA memory, for platforms whose caches the bus doesn't snoop; empty functions elsewhere.
  // sync_for_device(): what the CPU has stored in this range is seen by the controller after the next write_barrier().
  // sync_for_cpu(): what the controller has stored in this range is seen by the CPU after the return.
  // The driver calls both for its own structures. Data buffers are the caller's: he makes them visible before
  // Ahci::submit() and looks at them only after done() and his own sync.
  virtual void sync_for_device(const DmaMemory& memory, std::size_t offset, std::size_t bytes) = 0;
  virtual void sync_for_cpu(const DmaMemory& memory, std::size_t offset, std::size_t bytes) = 0;
  // All earlier stores to DMA memory are visible to the controller before the next write32() arrives there. The driver
  // calls it once before it publishes commands.
  virtual void write_barrier() = 0;

  // Monotonic nanoseconds from any origin; far from kNever.
  virtual std::uint64_t now_ns() = 0;
  // Arms the one timer: at `deadline_ns` (absolute, on the clock of now_ns(); it may be past) or soon after it the
  // platform calls Ahci::service(), once. A new call replaces an earlier one; kNever disarms. The timer is one of the
  // callers above: it doesn't preempt start(), submit() or service().
  virtual void set_timer(std::uint64_t deadline_ns) = 0;
  // Busy-waits at least `ns`, at most kLongestDelay_ns. Interrupts may arrive inside.
  virtual void delay_ns(std::uint32_t ns) = 0;

  virtual void mask_interrupt() = 0;
  virtual void unmask_interrupt() = 0;

  // One line, without a newline, valid during the call. Never called from Ahci::interrupt().
  virtual void log(LogLevel level, const char* message) = 0;

 protected:
  ~Platform() = default;
};

}  // namespace ncqlab::driver
