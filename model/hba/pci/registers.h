// Configuration space of the controller's PCI function: offsets and bits (AHCI 1.3.1, clause 2; PCI 3.0, clause 6;
// PCI Power Management 1.2, clause 3). Offsets are those of the dword; a field's bits are counted in the dword.
#pragma once

#include <cstdint>

namespace ncqlab::hba::pci {

inline constexpr std::uint32_t kConfigBytes = 256;

// Header, 2.1.
inline constexpr std::uint32_t kID = 0x00;
inline constexpr std::uint32_t kCMD_STS = 0x04;
inline constexpr std::uint32_t kRID_CC = 0x08;
inline constexpr std::uint32_t kCLS_MLT_HTYPE_BIST = 0x0C;
inline constexpr std::uint32_t kBAR0 = 0x10;
inline constexpr std::uint32_t kABAR = 0x24;  // BAR5
inline constexpr std::uint32_t kSS = 0x2C;
inline constexpr std::uint32_t kEROM = 0x30;
inline constexpr std::uint32_t kCAP = 0x34;
inline constexpr std::uint32_t kINTR = 0x3C;

// The capabilities' places are free; these are where Intel's chipsets have them.
inline constexpr std::uint32_t kPMCAP = 0x70;    // PID, PC (2.2.1, 2.2.2)
inline constexpr std::uint32_t kPMCS = 0x74;     // 2.2.3
inline constexpr std::uint32_t kMSICAP = 0x80;   // MID, MC (2.3.1, 2.3.2)
inline constexpr std::uint32_t kMSI_MA = 0x84;   // 2.3.3
inline constexpr std::uint32_t kMSI_MUA = 0x88;  // 2.3.5; MD where messages have 32-bit addresses
inline constexpr std::uint32_t kMSI_MD = 0x8C;   // 2.3.4
inline constexpr std::uint32_t kMAP_PCS = 0x90;  // Intel's own: address map, port control and status
inline constexpr std::uint32_t kSATACR0 = 0xA8;  // 2.4.1
inline constexpr std::uint32_t kSATACR1 = 0xAC;  // 2.4.2
inline constexpr std::uint32_t kINDEX = 0xB0;    // the index/data pair, where it is in configuration space (2.4.3)
inline constexpr std::uint32_t kDATA = 0xB4;

inline constexpr std::uint32_t kCMD_IOSE = 1U << 0;
inline constexpr std::uint32_t kCMD_MSE = 1U << 1;
inline constexpr std::uint32_t kCMD_BME = 1U << 2;
inline constexpr std::uint32_t kCMD_PEE = 1U << 6;
inline constexpr std::uint32_t kCMD_SEE = 1U << 8;
inline constexpr std::uint32_t kCMD_ID = 1U << 10;
inline constexpr std::uint32_t kSTS_IS = 1U << 19;           // interrupt status
inline constexpr std::uint32_t kSTS_CL = 1U << 20;           // capabilities list
inline constexpr std::uint32_t kSTS_RMA = 1U << 29;          // received master abort
inline constexpr std::uint32_t kSTS_clearable = 0xF9000000;  // DPE, SSE, RMA, RTA, STA, DPD

inline constexpr std::uint32_t kClass_AHCI = 0x010601;  // CC: mass storage, SATA, AHCI 1.0

inline constexpr std::uint32_t kCapability_power_management = 0x01;
inline constexpr std::uint32_t kCapability_MSI = 0x05;
inline constexpr std::uint32_t kCapability_SATA = 0x12;

inline constexpr std::uint32_t kPC_VS = 0x3U << 16;  // PCI Power Management 1.2; no PME#, no D1, no D2
inline constexpr std::uint32_t kPMCS_PS = 0x3;       // 0: D0, 3: D3hot
inline constexpr std::uint32_t kPMCS_PS_D3 = 0x3;

inline constexpr std::uint32_t kMC_MSIE = 1U << 16;
inline constexpr unsigned kMC_MMC_shift = 17;
inline constexpr unsigned kMC_MME_shift = 20;
inline constexpr std::uint32_t kMC_MME = 0x7U << kMC_MME_shift;
inline constexpr std::uint32_t kMC_C64 = 1U << 23;

inline constexpr std::uint32_t kSATACR0_revision_1_0 = 0x10U << 16;  // MAJREV, MINREV
inline constexpr std::uint32_t kSATACR1_BARLOC_BAR4 = 0x8;           // the BAR's offset in dwords
inline constexpr std::uint32_t kSATACR1_BARLOC_config = 0xF;         // right behind SATACR1
inline constexpr unsigned kSATACR1_BAROFST_shift = 4;                // in dwords

inline constexpr std::uint16_t kVendor_Intel = 0x8086;

}  // namespace ncqlab::hba::pci
