#include "testbench/fuzz/command_watch.h"

#include <algorithm>
#include <bitset>

#include "model/hba/ahci.h"
#include "model/sata/fis.h"
#include "testbench/fuzz/broken.h"

namespace ncqlab::fuzz {

namespace {
bool touches(const sim::Record& access, std::uint32_t offset) {
  return access.a < offset + 4 && offset < access.a + access.c;
}
}  // namespace

void CommandWatch::on_record(const sim::Record& record) {
  switch (record.kind) {
    case sim::Kind::fis_to_host: {
      Port& port = ports_[record.source];
      const auto type = static_cast<sata::FisType>(record.a);
      if (type == sata::FisType::register_d2h || type == sata::FisType::pio_setup) {
        ++port.answers;
        port.data_announced |= type == sata::FisType::pio_setup;
      }
      if (type != sata::FisType::set_device_bits) return;
      for (unsigned bit = 0; bit < 32; ++bit) port.completions[bit] += record.c >> (32 + bit) & 1;
      return;
    }
    case sim::Kind::register_write:
      for (unsigned i = 0; i < kPorts; ++i) {
        if (touches(record, hba::kGHC) || touches(record, hba::kPortsBase + i * hba::kPortBytes + hba::kPxCMD)) {
          ports_[i].excused = true;
        }
      }
      return;
    case sim::Kind::config_write:  // the way back to D0 resets the function
      return excuse();
    default:
      return;
  }
}

void CommandWatch::excuse() {
  for (Port& port : ports_) port.excused = true;
}

void CommandWatch::look(unsigned number, std::uint32_t issued, std::uint32_t active, std::uint64_t clear_busy_headers) {
  Port& port = ports_[number];
  for (unsigned bit = 0; bit < 32 && !port.excused; ++bit) {
    if ((port.active & ~active) >> bit & 1) {
      expect(port.completions[bit] > 0, "a bit of PxSACT is gone that the device has not named");
      --port.completions[bit];
    }
    if (((port.issued & ~issued) >> bit & 1) == 0) continue;
    if (port.answers > 0) {
      if (--port.answers == 0) port.data_announced = false;
    } else {
      expect(clear_busy_headers > clear_busy_used_, "a bit of PxCI is gone that the device has not answered");
      ++clear_busy_used_;
    }
  }
  port.excused = false;
  port.issued = issued;
  port.active = active;
}

void CommandWatch::quiet(std::uint64_t clear_busy_headers) {
  std::uint64_t outstanding = 0;  // their headers may have been read, the commands wait for the device
  for (const Port& port : ports_) outstanding += std::bitset<32>(port.issued).count();
  if (clear_busy_headers > outstanding) clear_busy_used_ = std::max(clear_busy_used_, clear_busy_headers - outstanding);
  for (Port& port : ports_) {
    port.answers = port.data_announced ? std::min<std::uint64_t>(port.answers, 1) : 0;
    port.completions = {};
  }
}

}  // namespace ncqlab::fuzz
