// Registers as one table: each row is what the specification's register table says, and one function applies the
// access policies for all of them. All AHCI registers are 32 bits wide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ncqlab::hba {

// The bits that are in none of the three masks are read only.
template <class Unit>
struct Register {
  const char* name;
  std::uint32_t offset;
  std::uint32_t reset;      // value after power-on; what a profile decides (HwInit) is set by the unit
  std::uint32_t writable;   // RW
  std::uint32_t clearable;  // RW1C: writing 1 clears, writing 0 does nothing
  std::uint32_t settable;   // RW1S: writing 1 sets, writing 0 does nothing
  bool survives_reset;      // HwInit, or one of the addresses that HBA reset leaves alone (10.4.3)
  // What a read answers, when that is not just the stored value.
  std::uint32_t (Unit::*read)() const;
  // Called after the policy was applied: the stored value before, and the bits that were written as 1.
  void (Unit::*written)(std::uint32_t before, std::uint32_t ones);
};

template <class Unit, std::size_t kDwords>
class RegisterFile {
 public:
  template <std::size_t kRows>
  explicit RegisterFile(const Register<Unit> (&table)[kRows]) {
    for (const Register<Unit>& row : table) {
      const std::size_t at = row.offset / 4;
      rows_[at] = &row;
      policies_[at] = {row.writable, row.clearable, row.settable};
      resets_[at] = row.reset;
      values_[at] = row.reset;
    }
  }

  std::uint32_t& operator[](std::uint32_t offset) { return values_[offset / 4]; }
  std::uint32_t operator[](std::uint32_t offset) const { return values_[offset / 4]; }

  // For bits of an optional feature that is not there: software can't change them.
  void withhold(std::uint32_t offset, std::uint32_t bits) {
    Policy& policy = policies_[offset / 4];
    policy.writable &= ~bits;
    policy.clearable &= ~bits;
    policy.settable &= ~bits;
  }

  // For registers of an optional feature that is not there: what is left is reserved.
  void remove(std::uint32_t offset) {
    rows_[offset / 4] = nullptr;
    set_initial(offset, 0);
  }

  // What a profile decides: the value now and after every reset.
  void set_initial(std::uint32_t offset, std::uint32_t value) {
    resets_[offset / 4] = value;
    values_[offset / 4] = value;
  }

  // HBA reset.
  void reset() {
    for (std::size_t i = 0; i < kDwords; ++i) {
      if (rows_[i] != nullptr && !rows_[i]->survives_reset) values_[i] = resets_[i];
    }
  }

  void power_on() { values_ = resets_; }

  // `offset` is a multiple of 4 below 4 * kDwords; what is reserved reads as 0 and ignores writes.
  std::uint32_t read(const Unit& unit, std::uint32_t offset) const {
    const Register<Unit>* row = rows_[offset / 4];
    if (row == nullptr) return 0;
    return row->read != nullptr ? (unit.*row->read)() : values_[offset / 4];
  }

  // Only the byte lanes in `lanes` (FFh a byte) are written.
  void write(Unit& unit, std::uint32_t offset, std::uint32_t value, std::uint32_t lanes) {
    const Register<Unit>* row = rows_[offset / 4];
    if (row == nullptr) return;
    const std::uint32_t before = values_[offset / 4];
    const std::uint32_t ones = value & lanes;
    const Policy& policy = policies_[offset / 4];
    const std::uint32_t writable = policy.writable & lanes;
    values_[offset / 4] =
        (((before & ~writable) | (value & writable)) & ~(ones & policy.clearable)) | (ones & policy.settable);
    if (row->written != nullptr) (unit.*row->written)(before, ones);
  }

 private:
  struct Policy {
    std::uint32_t writable = 0;
    std::uint32_t clearable = 0;
    std::uint32_t settable = 0;
  };

  std::array<const Register<Unit>*, kDwords> rows_{};
  std::array<Policy, kDwords> policies_{};
  std::array<std::uint32_t, kDwords> resets_{};
  std::array<std::uint32_t, kDwords> values_{};
};

}  // namespace ncqlab::hba
