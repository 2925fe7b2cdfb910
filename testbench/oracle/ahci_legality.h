// Watches the trace of a machine and reports what AHCI 1.3.1 and SATA 3.x forbid: to the driver (order of register
// writes), to the controller (which FIS it may send when) and to the device (which FIS answers what).
//
//   AhciLegality legality;
//   trace.add_observer(&legality);
//   ... run ...
//   if (legality.count() != 0) puts(legality.report().c_str());
//
// It is there from before the first access on: what it knows of registers are their values after reset and what was
// written since. Of a FIS it knows what the trace keeps (model/sata/fis_record.h). The rules are in port_legality.h,
// device_legality.h and interrupt_legality.h; what the controller itself notices (hba::Violation) is a finding as well.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/sim/trace.h"
#include "testbench/oracle/interrupt_legality.h"
#include "testbench/oracle/port_legality.h"

namespace ncqlab::oracle {

struct Finding {
  sim::Time time = 0;
  std::uint32_t port = 0;
  std::string text;
  std::vector<sim::Record> records;  // the last ones, oldest first; the offender is the last
};

class AhciLegality final : public sim::Observer, private Complaints {
 public:
  static constexpr std::size_t kMaxFindings = 20;
  static constexpr std::size_t kHistory = 32;

  void on_record(const sim::Record& record) override;

  std::uint64_t count() const { return count_; }
  // The first kMaxFindings.
  const std::vector<Finding>& findings() const { return findings_; }
  // The first `most` of them as text, each with its records; empty when there is none.
  std::string report(std::size_t most = kMaxFindings) const;
  // The last kHistory records of the trace, oldest first.
  std::vector<sim::Record> history() const;

 private:
  void operator()(const std::string& text) override;
  void on_violation(const sim::Record& record);
  void on_register_write(const sim::Record& record);
  void on_register_read(const sim::Record& record);
  void on_dword_write(std::uint64_t offset, std::uint32_t value);
  PortLegality& port(std::uint32_t number) { return ports_[number < kPorts ? number : kPorts]; }

  static constexpr std::uint32_t kPorts = 32;
  std::array<PortLegality, kPorts + 1> ports_;  // the last: whatever lies beyond the ports of AHCI
  InterruptLegality interrupts_;
  bool ahci_disabled_ = false;  // GHC.AE known to be 0

  std::uint32_t port_ = 0;  // of the record that is being looked at
  std::array<sim::Record, kHistory> recent_{};
  std::uint64_t seen_ = 0;
  std::uint64_t count_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace ncqlab::oracle
