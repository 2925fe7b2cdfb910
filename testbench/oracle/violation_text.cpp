// Violations of AHCI that the controller has noticed, in words.
#include <string>

#include "model/hba/ahci.h"
#include "testbench/oracle/record_text.h"
#include "testbench/oracle/words.h"

namespace ncqlab::oracle {

std::string violation_text(std::uint64_t code, std::uint64_t detail) {
  switch (static_cast<hba::Violation>(code)) {
    case hba::Violation::command_issued_while_stopped:
      return "PxCI or PxSACT written while PxCMD.ST is 0";
    case hba::Violation::slot_not_implemented:
      return "PxCI or PxSACT written for slots beyond CAP.NCS: bits " + hex(detail);
    case hba::Violation::slot_already_issued:
      return "PxCI written for slots that are issued already: bits " + hex(detail);
    case hba::Violation::start_without_fis_receive:
      return "PxCMD.ST set while PxCMD.FRE is 0";
    case hba::Violation::fis_receive_cleared_while_started:
      return "PxCMD.FRE cleared while PxCMD.ST is 1";
    case hba::Violation::start_while_engine_runs:
      return "PxCMD.ST set again while PxCMD.CR is still 1";
    case hba::Violation::start_while_device_busy:
      return "PxCMD.ST set while the device is busy or absent";
    case hba::Violation::detection_changed_while_started:
      return "PxSCTL.DET changed while PxCMD.ST is 1";
    case hba::Violation::override_while_started:
      return "PxCMD.CLO set while PxCMD.ST is 1";
    case hba::Violation::access_before_ahci_enable:
      return "register " + hex(detail) + " written while GHC.AE is 0";
    case hba::Violation::access_during_reset:
      return "register " + hex(detail) + " written during HBA reset";
    case hba::Violation::command_fis_length:
      return "a command FIS of " + std::to_string(detail) + " dwords";
    case hba::Violation::prd_byte_count_odd:
      return "a PRD with an odd byte count, slot " + std::to_string(detail);
    case hba::Violation::prd_address_odd:
      return "a PRD with an odd address, slot " + std::to_string(detail);
    case hba::Violation::tag_without_command:
      return "DMA Setup for " + tag_text(static_cast<unsigned>(detail & 0x1F)) + ", which is not queued";
    case hba::Violation::data_without_command:
      return "the device moves data, and no command does";
    case hba::Violation::data_beyond_prd_table:
      return "the device moves more data than the PRD table has room for, slot " + std::to_string(detail);
    case hba::Violation::link_power_not_supported:
      return "PxCMD.ICC asks for a link state that is not available: " + hex(detail);
    case hba::Violation::sleep_time_changed_while_started:
      return "times in PxDEVSLP written while PxCMD.ST or ADSE is 1";
    case hba::Violation::malformed_fis:
      return std::string("a ") + fis_name(detail) + " FIS of the wrong length";
    case hba::Violation::coalescing_changed_while_enabled:
      return "CCC_CTL.TV or CC written while EN is 1: bits " + hex(detail);
    case hba::Violation::coalescing_without_timeout:
      return "CCC_CTL.EN set while TV is 0";
    case hba::Violation::enclosure_buffer_busy:
      return "enclosure message buffer written during transmission, offset " + hex(detail);
    case hba::Violation::enclosure_message_malformed:
      return "an enclosure message that cannot be sent, header " + hex(detail);
  }
  return "violation " + std::to_string(code);
}

}  // namespace ncqlab::oracle
