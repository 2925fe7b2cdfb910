#include "testbench/oracle/ahci_legality.h"

#include <algorithm>

#include "testbench/oracle/record_text.h"

namespace ncqlab::oracle {

namespace {

// AHCI 1.3.1, 3: generic host control at 00h, ports from 100h, 80h bytes each.
constexpr std::uint64_t kGhc = 0x04;
constexpr std::uint64_t kFirstPort = 0x100;
constexpr std::uint64_t kPort_bytes = 0x80;
constexpr std::uint32_t kGhcReset = 1U << 0;
constexpr std::uint32_t kGhcAhciEnable = 1U << 31;

std::uint32_t port_of(std::uint64_t offset) { return static_cast<std::uint32_t>((offset - kFirstPort) / kPort_bytes); }

// AHCI 1.3.1, 3: accesses of up to 64 bits, none across a boundary of its size.
bool aligned(const sim::Record& record) {
  const std::uint64_t bytes = record.c;
  return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) && (record.a & (bytes - 1)) == 0;
}

}  // namespace

void AhciLegality::on_record(const sim::Record& record) {
  recent_[seen_++ % kHistory] = record;
  port_ = record.source;
  switch (record.kind) {
    case sim::Kind::register_write:
      on_register_write(record);
      break;
    case sim::Kind::register_read:
      on_register_read(record);
      break;
    case sim::Kind::fis_to_device:
      port(port_).fis_to_device(sata::FisRecord(record), *this);
      break;
    case sim::Kind::fis_to_host:
      port(port_).fis_to_host(sata::FisRecord(record), *this);
      break;
    case sim::Kind::phy:
      port(port_).phy(static_cast<std::uint32_t>(record.a), static_cast<sata::PhyStep>(record.b));
      break;
    case sim::Kind::link_error:
      port(port_).link_error(static_cast<sata::FisType>(record.a & 0xFF), record.a >> 8 & 0xF,
                             static_cast<sata::Direction>(record.b), static_cast<sata::Damage>(record.c));
      break;
    case sim::Kind::interrupt:
      if (record.b != 0) interrupts_.raised(*this);
      break;
    case sim::Kind::violation:
      on_violation(record);
      break;
    case sim::Kind::dma_read:
    case sim::Kind::dma_write:
    case sim::Kind::completion:
    case sim::Kind::drive:
    case sim::Kind::config_read:
    case sim::Kind::config_write:
    case sim::Kind::controller:
      break;
  }
}

void AhciLegality::operator()(const std::string& text) {
  ++count_;
  if (findings_.size() < kMaxFindings)
    findings_.push_back({recent_[(seen_ - 1) % kHistory].time, port_, text, history()});
}

void AhciLegality::on_violation(const sim::Record& record) {
  (*this)("the controller noticed: " + violation_text(record.a, record.b));
}

void AhciLegality::on_register_write(const sim::Record& record) {
  if (record.a >= kFirstPort) port_ = port_of(record.a);
  if (!aligned(record)) (*this)("register write that isn't aligned");
  if (record.c != 4 || InterruptLegality::concerns(record.a)) {
    interrupts_.register_written(record.a, record.b, static_cast<unsigned>(record.c));
  }
  // Narrower ones don't change what is followed here.
  if (record.c >= 4) on_dword_write(record.a, static_cast<std::uint32_t>(record.b));
  if (record.c == 8) on_dword_write(record.a + 4, static_cast<std::uint32_t>(record.b >> 32));
}

void AhciLegality::on_dword_write(std::uint64_t offset, std::uint32_t value) {
  if (offset == kGhc) {
    ahci_disabled_ = (value & kGhcAhciEnable) == 0;
    if ((value & kGhcReset) != 0) ports_.fill({});
    return;
  }
  if (offset < kFirstPort) return;
  if (ahci_disabled_) (*this)("a port's register is written while GHC.AE is 0 (AHCI 1.3.1, 3.1.2)");
  port(port_of(offset)).register_written(offset % kPort_bytes, value, *this);
}

void AhciLegality::on_register_read(const sim::Record& record) {
  if (record.a >= kFirstPort) port_ = port_of(record.a);
  if (!aligned(record)) (*this)("register read that isn't aligned");
  if (record.c != 4) return;
  const auto value = static_cast<std::uint32_t>(record.b);
  if (InterruptLegality::concerns(record.a)) interrupts_.register_read(record.a, value, *this);
  if (record.a == kGhc) {
    ahci_disabled_ = (value & kGhcAhciEnable) == 0;
  } else if (record.a >= kFirstPort) {
    port(port_of(record.a)).register_read(record.a % kPort_bytes, value);
  }
}

std::vector<sim::Record> AhciLegality::history() const {
  std::vector<sim::Record> records;
  for (std::uint64_t i = seen_ - std::min<std::uint64_t>(seen_, kHistory); i < seen_; ++i) {
    records.push_back(recent_[i % kHistory]);
  }
  return records;
}

std::string AhciLegality::report(std::size_t most) const {
  std::string text;
  const std::size_t shown = std::min(most, findings_.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += "port " + std::to_string(findings_[i].port) + ": " + findings_[i].text + "\n";
    for (const sim::Record& record : findings_[i].records) text += "    " + text_of(record) + "\n";
  }
  if (count_ > shown) text += "and " + std::to_string(count_ - shown) + " more\n";
  return text;
}

}  // namespace ncqlab::oracle
