// Register bits and structures' layout of AHCI 1.3.1 as the controller model sees them. The driver core has its own
// declarations on purpose: a shared header would hide a wrong offset.
#pragma once

#include <cstdint>

namespace ncqlab::hba {

// Generic host control, 3.1.
inline constexpr std::uint32_t kCAP = 0x00;
inline constexpr std::uint32_t kGHC = 0x04;
inline constexpr std::uint32_t kIS = 0x08;
inline constexpr std::uint32_t kPI = 0x0C;
inline constexpr std::uint32_t kVS = 0x10;
inline constexpr std::uint32_t kCCC_CTL = 0x14;
inline constexpr std::uint32_t kCCC_PORTS = 0x18;
inline constexpr std::uint32_t kEM_LOC = 0x1C;
inline constexpr std::uint32_t kEM_CTL = 0x20;
inline constexpr std::uint32_t kCAP2 = 0x24;
inline constexpr std::uint32_t kBOHC = 0x28;

inline constexpr std::uint32_t kPortsBase = 0x100;
inline constexpr std::uint32_t kPortBytes = 0x80;
inline constexpr std::uint32_t kMaxPorts = 32;
// With 32 ports; a profile may have less of it, or more for its enclosure's messages.
inline constexpr std::uint32_t kRegisterSpaceBytes = kPortsBase + kMaxPorts * kPortBytes;

// CAP, 3.1.1.
inline constexpr std::uint32_t kCAP_S64A = 1U << 31;
inline constexpr std::uint32_t kCAP_SNCQ = 1U << 30;
inline constexpr std::uint32_t kCAP_SSNTF = 1U << 29;
inline constexpr std::uint32_t kCAP_SMPS = 1U << 28;
inline constexpr std::uint32_t kCAP_SSS = 1U << 27;
inline constexpr std::uint32_t kCAP_SALP = 1U << 26;
inline constexpr std::uint32_t kCAP_SAL = 1U << 25;
inline constexpr std::uint32_t kCAP_SCLO = 1U << 24;
inline constexpr unsigned kCAP_ISS_shift = 20;
inline constexpr std::uint32_t kCAP_SAM = 1U << 18;
inline constexpr std::uint32_t kCAP_SPM = 1U << 17;
inline constexpr std::uint32_t kCAP_PMD = 1U << 15;
inline constexpr std::uint32_t kCAP_SSC = 1U << 14;
inline constexpr std::uint32_t kCAP_PSC = 1U << 13;
inline constexpr unsigned kCAP_NCS_shift = 8;
inline constexpr std::uint32_t kCAP_CCCS = 1U << 7;
inline constexpr std::uint32_t kCAP_EMS = 1U << 6;
inline constexpr std::uint32_t kCAP_SXS = 1U << 5;

// GHC, 3.1.2.
inline constexpr std::uint32_t kGHC_HR = 1U << 0;
inline constexpr std::uint32_t kGHC_IE = 1U << 1;
inline constexpr std::uint32_t kGHC_MRSM = 1U << 2;
inline constexpr std::uint32_t kGHC_AE = 1U << 31;

// CCC_CTL, 3.1.6.
inline constexpr std::uint32_t kCCC_CTL_EN = 1U << 0;
inline constexpr unsigned kCCC_CTL_INT_shift = 3;
inline constexpr unsigned kCCC_CTL_CC_shift = 8;
inline constexpr std::uint32_t kCCC_CTL_CC = 0xFFU << kCCC_CTL_CC_shift;
inline constexpr unsigned kCCC_CTL_TV_shift = 16;
inline constexpr std::uint32_t kCCC_CTL_TV = 0xFFFFU << kCCC_CTL_TV_shift;

// EM_LOC, 3.1.8, in dwords.
inline constexpr unsigned kEM_LOC_OFST_shift = 16;

// EM_CTL, 3.1.9.
inline constexpr std::uint32_t kEM_CTL_STS_MR = 1U << 0;
inline constexpr std::uint32_t kEM_CTL_CTL_TM = 1U << 8;
inline constexpr std::uint32_t kEM_CTL_CTL_RST = 1U << 9;
inline constexpr std::uint32_t kEM_CTL_SUPP_LED = 1U << 16;
inline constexpr std::uint32_t kEM_CTL_SUPP_SAFTE = 1U << 17;
inline constexpr std::uint32_t kEM_CTL_SUPP_SES2 = 1U << 18;
inline constexpr std::uint32_t kEM_CTL_SUPP_SGPIO = 1U << 19;
inline constexpr std::uint32_t kEM_CTL_ATTR_XMT = 1U << 25;
inline constexpr std::uint32_t kEM_CTL_ATTR_ALHD = 1U << 26;

// CAP2, 3.1.10.
inline constexpr std::uint32_t kCAP2_BOH = 1U << 0;
inline constexpr std::uint32_t kCAP2_APST = 1U << 2;
inline constexpr std::uint32_t kCAP2_SDS = 1U << 3;
inline constexpr std::uint32_t kCAP2_SADM = 1U << 4;
inline constexpr std::uint32_t kCAP2_DESO = 1U << 5;

// BOHC, 3.1.11.
inline constexpr std::uint32_t kBOHC_BOS = 1U << 0;
inline constexpr std::uint32_t kBOHC_OOS = 1U << 1;
inline constexpr std::uint32_t kBOHC_SOOE = 1U << 2;
inline constexpr std::uint32_t kBOHC_OOC = 1U << 3;
inline constexpr std::uint32_t kBOHC_BB = 1U << 4;

// Port registers, 3.3.
inline constexpr std::uint32_t kPxCLB = 0x00;
inline constexpr std::uint32_t kPxCLBU = 0x04;
inline constexpr std::uint32_t kPxFB = 0x08;
inline constexpr std::uint32_t kPxFBU = 0x0C;
inline constexpr std::uint32_t kPxIS = 0x10;
inline constexpr std::uint32_t kPxIE = 0x14;
inline constexpr std::uint32_t kPxCMD = 0x18;
inline constexpr std::uint32_t kPxTFD = 0x20;
inline constexpr std::uint32_t kPxSIG = 0x24;
inline constexpr std::uint32_t kPxSSTS = 0x28;
inline constexpr std::uint32_t kPxSCTL = 0x2C;
inline constexpr std::uint32_t kPxSERR = 0x30;
inline constexpr std::uint32_t kPxSACT = 0x34;
inline constexpr std::uint32_t kPxCI = 0x38;
inline constexpr std::uint32_t kPxSNTF = 0x3C;
inline constexpr std::uint32_t kPxFBS = 0x40;
inline constexpr std::uint32_t kPxDEVSLP = 0x44;

// PxIS, 3.3.5.
inline constexpr std::uint32_t kPxIS_DHRS = 1U << 0;
inline constexpr std::uint32_t kPxIS_PSS = 1U << 1;
inline constexpr std::uint32_t kPxIS_DSS = 1U << 2;
inline constexpr std::uint32_t kPxIS_SDBS = 1U << 3;
inline constexpr std::uint32_t kPxIS_UFS = 1U << 4;  // follows PxSERR.DIAG.F
inline constexpr std::uint32_t kPxIS_DPS = 1U << 5;
inline constexpr std::uint32_t kPxIS_PCS = 1U << 6;  // follows PxSERR.DIAG.X
inline constexpr std::uint32_t kPxIS_DMPS = 1U << 7;
inline constexpr std::uint32_t kPxIS_PRCS = 1U << 22;  // follows PxSERR.DIAG.N
inline constexpr std::uint32_t kPxIS_IPMS = 1U << 23;
inline constexpr std::uint32_t kPxIS_OFS = 1U << 24;
inline constexpr std::uint32_t kPxIS_INFS = 1U << 26;
inline constexpr std::uint32_t kPxIS_IFS = 1U << 27;
inline constexpr std::uint32_t kPxIS_HBDS = 1U << 28;
inline constexpr std::uint32_t kPxIS_HBFS = 1U << 29;
inline constexpr std::uint32_t kPxIS_TFES = 1U << 30;
inline constexpr std::uint32_t kPxIS_CPDS = 1U << 31;
inline constexpr std::uint32_t kPxIS_all = 0xFDC000FF;

// PxCMD, 3.3.7.
inline constexpr std::uint32_t kPxCMD_ST = 1U << 0;
inline constexpr std::uint32_t kPxCMD_SUD = 1U << 1;
inline constexpr std::uint32_t kPxCMD_POD = 1U << 2;
inline constexpr std::uint32_t kPxCMD_CLO = 1U << 3;
inline constexpr std::uint32_t kPxCMD_FRE = 1U << 4;
inline constexpr unsigned kPxCMD_CCS_shift = 8;
inline constexpr std::uint32_t kPxCMD_CCS = 0x1FU << kPxCMD_CCS_shift;
inline constexpr std::uint32_t kPxCMD_MPSS = 1U << 13;
inline constexpr std::uint32_t kPxCMD_FR = 1U << 14;
inline constexpr std::uint32_t kPxCMD_CR = 1U << 15;
inline constexpr std::uint32_t kPxCMD_CPS = 1U << 16;
inline constexpr std::uint32_t kPxCMD_PMA = 1U << 17;
inline constexpr std::uint32_t kPxCMD_HPCP = 1U << 18;
inline constexpr std::uint32_t kPxCMD_MPSP = 1U << 19;
inline constexpr std::uint32_t kPxCMD_CPD = 1U << 20;
inline constexpr std::uint32_t kPxCMD_ESP = 1U << 21;
inline constexpr std::uint32_t kPxCMD_APSTE = 1U << 23;
inline constexpr std::uint32_t kPxCMD_ATAPI = 1U << 24;
inline constexpr std::uint32_t kPxCMD_DLAE = 1U << 25;
inline constexpr std::uint32_t kPxCMD_ALPE = 1U << 26;
inline constexpr std::uint32_t kPxCMD_ASP = 1U << 27;
inline constexpr unsigned kPxCMD_ICC_shift = 28;
inline constexpr std::uint32_t kPxCMD_ICC = 0xFU << kPxCMD_ICC_shift;

// PxTFD.STS, 3.3.8, and the status bits of ATA.
inline constexpr std::uint32_t kSTS_ERR = 0x01;
inline constexpr std::uint32_t kSTS_DRQ = 0x08;
inline constexpr std::uint32_t kSTS_BSY = 0x80;

// PxSCTL and PxSSTS, 3.3.10 and 3.3.11.
inline constexpr std::uint32_t kDET_mask = 0xF;
inline constexpr std::uint32_t kDET_present = 1;
inline constexpr std::uint32_t kDET_established = 3;
inline constexpr std::uint32_t kDET_comreset = 1;
inline constexpr std::uint32_t kDET_offline = 4;
inline constexpr unsigned kSPD_shift = 4;
inline constexpr unsigned kIPM_shift = 8;
inline constexpr std::uint32_t kIPM_mask = 0xF00;
inline constexpr std::uint32_t kIPM_active = 0x100;

// PxSERR, 3.3.12.
inline constexpr std::uint32_t kSERR_ERR_I = 1U << 0;   // recovered data integrity
inline constexpr std::uint32_t kSERR_ERR_M = 1U << 1;   // recovered communications
inline constexpr std::uint32_t kSERR_ERR_T = 1U << 8;   // transient data integrity
inline constexpr std::uint32_t kSERR_ERR_C = 1U << 9;   // persistent communication or data integrity
inline constexpr std::uint32_t kSERR_ERR_P = 1U << 10;  // protocol
inline constexpr std::uint32_t kSERR_ERR_E = 1U << 11;  // internal
inline constexpr std::uint32_t kSERR_DIAG_N = 1U << 16;
inline constexpr std::uint32_t kSERR_DIAG_I = 1U << 17;  // PHY internal error
inline constexpr std::uint32_t kSERR_DIAG_W = 1U << 18;  // Comm Wake
inline constexpr std::uint32_t kSERR_DIAG_B = 1U << 19;  // 10b to 8b decode error
inline constexpr std::uint32_t kSERR_DIAG_D = 1U << 20;  // disparity error
inline constexpr std::uint32_t kSERR_DIAG_C = 1U << 21;  // CRC error
inline constexpr std::uint32_t kSERR_DIAG_H = 1U << 22;  // handshake error: R_ERR came back
inline constexpr std::uint32_t kSERR_DIAG_S = 1U << 23;  // link sequence error
inline constexpr std::uint32_t kSERR_DIAG_T = 1U << 24;  // transport state transition error
inline constexpr std::uint32_t kSERR_DIAG_F = 1U << 25;
inline constexpr std::uint32_t kSERR_DIAG_X = 1U << 26;

// PxDEVSLP, 3.3.17.
inline constexpr std::uint32_t kDEVSLP_ADSE = 1U << 0;
inline constexpr std::uint32_t kDEVSLP_DSP = 1U << 1;
inline constexpr unsigned kDEVSLP_DETO_shift = 2;
inline constexpr unsigned kDEVSLP_MDAT_shift = 10;
inline constexpr unsigned kDEVSLP_DITO_shift = 15;
inline constexpr unsigned kDEVSLP_DM_shift = 25;
inline constexpr std::uint32_t kDEVSLP_DETO_mask = 0xFF;
inline constexpr std::uint32_t kDEVSLP_MDAT_mask = 0x1F;
inline constexpr std::uint32_t kDEVSLP_DITO_mask = 0x3FF;
inline constexpr std::uint32_t kDEVSLP_DM_mask = 0xF;
inline constexpr std::uint32_t kDEVSLP_times = kDEVSLP_DETO_mask << kDEVSLP_DETO_shift |
                                               kDEVSLP_MDAT_mask << kDEVSLP_MDAT_shift |
                                               kDEVSLP_DITO_mask << kDEVSLP_DITO_shift;
// DETO 20 ms and MDAT 10 ms, the values for a device that names none (SATA 3.x, 13.15.6 and 8.5); DITO 625 ms and DM 0
// are what PC controllers come up with.
inline constexpr std::uint32_t kDEVSLP_reset =
    kDEVSLP_DSP | 20U << kDEVSLP_DETO_shift | 10U << kDEVSLP_MDAT_shift | 625U << kDEVSLP_DITO_shift;

// Received FIS structure, 4.2.1.
inline constexpr std::uint32_t kReceived_DSFIS = 0x00;
inline constexpr std::uint32_t kReceived_PSFIS = 0x20;
inline constexpr std::uint32_t kReceived_RFIS = 0x40;
inline constexpr std::uint32_t kReceived_SDBFIS = 0x58;
inline constexpr std::uint32_t kReceived_UFIS = 0x60;
inline constexpr std::uint32_t kReceived_UFIS_bytes = 64;

// What the controller notices and the specification forbids: code `a` of a violation record.
enum class Violation : std::uint8_t {
  command_issued_while_stopped = 1,   // PxCI or PxSACT written with PxCMD.ST = 0 (3.3.13, 3.3.14)
  slot_not_implemented,               // b: the bits beyond CAP.NCS
  slot_already_issued,                // b: the bits of PxCI that were 1 already
  start_without_fis_receive,          // PxCMD.ST set with FRE = 0 (10.3.1)
  fis_receive_cleared_while_started,  // FRE cleared with ST = 1 (10.3.2)
  start_while_engine_runs,            // ST set again before CR went to 0 (10.3.1)
  start_while_device_busy,            // ST set with BSY or DRQ = 1 or without a device (10.3.1)
  detection_changed_while_started,    // PxSCTL.DET changed with ST = 1 (3.3.11)
  override_while_started,             // CLO set with ST = 1 (3.3.7)
  access_before_ahci_enable,          // another register than GHC written with GHC.AE = 0 (3.1.2)
  access_during_reset,                // a register written with GHC.HR = 1 (10.4.3)
  command_fis_length,                 // CFL outside 2..16 (4.2.2), b: CFL
  prd_byte_count_odd,                 // bit 0 of DBC is 0 (4.2.3.3), b: the entry's number
  tag_without_command,                // DMA Setup for a slot that is not queued, b: the tag
  data_without_command,               // Data, PIO Setup or DMA Activate with no command that transfers
  data_beyond_prd_table,              // the device asks for more than the PRD table has, b: slot
  prd_address_odd,                    // bit 0 of DBA is 1 (4.2.3.3); taken as 0, b: slot
  link_power_not_supported,           // PxCMD.ICC asks for what CAP, CAP2 or PxSCTL.IPM rule out (3.3.7), b: ICC
  sleep_time_changed_while_started,   // PxDEVSLP's times written with ST or ADSE = 1 (3.3.17)
  malformed_fis,                      // a known type with a wrong length, b: the type
  coalescing_changed_while_enabled,   // CCC_CTL.TV or CC written with EN = 1 (3.1.6); ignored
  coalescing_without_timeout,         // CCC_CTL.EN set with TV = 0, which is reserved (3.1.6)
  enclosure_buffer_busy,              // the message buffer written with EM_CTL.CTL.TM = 1 (3.1.9), b: offset
  enclosure_message_malformed,        // sizes or type that the controller can't send (12.2), b: the header
};

// What a record of kind `controller` says in a.
enum class Happening : std::uint8_t {
  system_management_interrupt = 1,  // the OS asks for ownership, and BOHC.SOOE = 1 (10.6)
  ownership_released,               // by the firmware
  coalesced,                        // a CCC interrupt, b: command completions since the last one
  leds_set,                         // b: port, c: activity, locate and fault, 3 bits each
  enclosure_message_sent,           // b: the header, c: bytes
  enclosure_message_received,       // c: bytes
};

}  // namespace ncqlab::hba
