#include "testbench/lab/post_mortem.h"

#include <cstdio>

#include "model/hba/ahci.h"
#include "testbench/oracle/record_text.h"
#include "testbench/report/table.h"

namespace ncqlab::lab {

namespace {

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%08llx", static_cast<unsigned long long>(value));
  return text;
}

std::string registers(Machine& machine, unsigned port) {
  struct Named {
    const char* name;
    std::uint32_t offset;
  };
  static constexpr Named kRegisters[] = {{"PxCI", hba::kPxCI},     {"PxSACT", hba::kPxSACT}, {"PxIS", hba::kPxIS},
                                         {"PxIE", hba::kPxIE},     {"PxCMD", hba::kPxCMD},   {"PxTFD", hba::kPxTFD},
                                         {"PxSSTS", hba::kPxSSTS}, {"PxSERR", hba::kPxSERR}};
  hba::Controller& controller = machine.fabric().controller();
  std::string text = "controller  IS " + hexadecimal(controller.read(hba::kIS, 4));
  for (const Named& named : kRegisters) {
    const std::uint64_t offset = hba::kPortsBase + port * hba::kPortBytes + named.offset;
    text += std::string(", ") + named.name + " " + hexadecimal(controller.read(offset, 4));
  }
  return text + "\n";
}

const char* name_of(driver::PortState state) {
  switch (state) {
    case driver::PortState::not_implemented:
      return "not implemented";
    case driver::PortState::attaching:
      return "attaching";
    case driver::PortState::active:
      return "active";
    case driver::PortState::recovering:
      return "recovering";
    case driver::PortState::absent:
      return "without a device";
    case driver::PortState::unsupported:
      return "with a device that is not driven";
    case driver::PortState::dead:
      return "given up";
  }
  return "?";
}

std::string driver_state(InProcessCpu& cpu, unsigned port) {
  std::string text =
      std::string("driver      port ") + std::to_string(port) + " is " + name_of(cpu.ahci().port_state(port));
  if (const driver::PortCounters* counters = cpu.ahci().counters(port)) {
    text += ": " + std::to_string(counters->commands) + " commands, " + std::to_string(counters->interrupts) +
            " interrupts, " + std::to_string(counters->timeouts) + " time-outs, " +
            std::to_string(counters->recoveries) + " recoveries, " + std::to_string(counters->task_file_errors) +
            " task file errors, " + std::to_string(counters->interface_errors) + " interface errors";
  }
  return text + "\n";
}

std::string drive_queue(const drive::Disk& disk) {
  std::string text = "drive       " + std::to_string(disk.outstanding()) + " commands outstanding, " +
                     std::to_string(disk.dirty_sectors()) + " dirty sectors\n";
  for (const drive::Disk::Outstanding& waiting : disk.outstanding_commands()) {
    text += "    tag " + std::to_string(waiting.command.tag) + ", LBA " + std::to_string(waiting.command.lba) + ", " +
            std::to_string(waiting.command.sectors) + " sectors: " + waiting.waits_for + "\n";
  }
  return text;
}

}  // namespace

std::string post_mortem(Machine& machine, InProcessCpu* cpu, unsigned port, const std::vector<sim::Record>& last) {
  std::string text = "at " + report::fixed(sim::to_ms(machine.queue().now()), 6) + " ms\n";
  if (cpu != nullptr) text += driver_state(*cpu, port);
  text += registers(machine, port);
  if (const drive::Drive* drive = machine.drive(port)) text += drive_queue(drive->disk());
  text += "the last " + std::to_string(last.size()) + " records\n";
  for (const sim::Record& record : last) text += "    " + oracle::text_of(record) + "\n";
  return text;
}

}  // namespace ncqlab::lab
