// The registers of AHCI 1.3.1 that the driver uses. The model declares its own: a shared header would hide a wrong
// offset.
#pragma once

#include <cstdint>

namespace ncqlab::driver {

inline constexpr unsigned kMaxPorts = 32;
inline constexpr unsigned kMaxSlots = 32;
// What a controller that has been pulled off the bus answers.
inline constexpr std::uint32_t kAllOnes = 0xFFFFFFFFU;

// Generic host control, 3.1.
inline constexpr std::uint32_t kCap = 0x00;   // 3.1.1
inline constexpr std::uint32_t kGhc = 0x04;   // 3.1.2
inline constexpr std::uint32_t kIs = 0x08;    // 3.1.3, write 1 to clear
inline constexpr std::uint32_t kPi = 0x0C;    // 3.1.4
inline constexpr std::uint32_t kVs = 0x10;    // 3.1.5
inline constexpr std::uint32_t kCap2 = 0x24;  // 3.1.10
inline constexpr std::uint32_t kBohc = 0x28;  // 3.1.11

inline constexpr std::uint32_t kCapS64a = 1U << 31;  // 64-bit addressing
inline constexpr std::uint32_t kCapSncq = 1U << 30;  // native command queuing
inline constexpr std::uint32_t kCapSss = 1U << 27;   // staggered spin-up
inline constexpr unsigned kCapNcsShift = 8;          // number of command slots, minus 1
inline constexpr std::uint32_t kCapNcsMask = 0x1F;

inline constexpr std::uint32_t kGhcAe = 1U << 31;  // AHCI enable
inline constexpr std::uint32_t kGhcIe = 1U << 1;   // interrupt enable
inline constexpr std::uint32_t kGhcHr = 1U << 0;   // HBA reset

inline constexpr std::uint32_t kCap2Boh = 1U << 0;  // BIOS/OS hand-off

inline constexpr std::uint32_t kBohcBos = 1U << 0;  // BIOS owned semaphore
inline constexpr std::uint32_t kBohcOos = 1U << 1;  // OS owned semaphore
inline constexpr std::uint32_t kBohcBb = 1U << 4;   // BIOS busy

// Ports, 3.3: 0x80 bytes each from 0x100 on.
inline constexpr std::uint32_t kPortBase = 0x100;
inline constexpr std::uint32_t kPortStride = 0x80;

inline constexpr std::uint32_t kPxClb = 0x00;   // 3.3.1
inline constexpr std::uint32_t kPxClbu = 0x04;  // 3.3.2
inline constexpr std::uint32_t kPxFb = 0x08;    // 3.3.3
inline constexpr std::uint32_t kPxFbu = 0x0C;   // 3.3.4
inline constexpr std::uint32_t kPxIs = 0x10;    // 3.3.5, write 1 to clear
inline constexpr std::uint32_t kPxIe = 0x14;    // 3.3.6
inline constexpr std::uint32_t kPxCmd = 0x18;   // 3.3.7
inline constexpr std::uint32_t kPxTfd = 0x20;   // 3.3.8
inline constexpr std::uint32_t kPxSig = 0x24;   // 3.3.9
inline constexpr std::uint32_t kPxSsts = 0x28;  // 3.3.10
inline constexpr std::uint32_t kPxSctl = 0x2C;  // 3.3.11
inline constexpr std::uint32_t kPxSerr = 0x30;  // 3.3.12, write 1 to clear
inline constexpr std::uint32_t kPxSact = 0x34;  // 3.3.13, write 1 to set
inline constexpr std::uint32_t kPxCi = 0x38;    // 3.3.14, write 1 to set

// PxIS and PxIE.
inline constexpr std::uint32_t kIntDhrs = 1U << 0;   // device to host register FIS
inline constexpr std::uint32_t kIntPss = 1U << 1;    // PIO setup FIS
inline constexpr std::uint32_t kIntSdbs = 1U << 3;   // set device bits FIS
inline constexpr std::uint32_t kIntUfs = 1U << 4;    // unknown FIS; cleared through PxSERR.DIAG.F
inline constexpr std::uint32_t kIntPcs = 1U << 6;    // port connect change; cleared through PxSERR.DIAG.X
inline constexpr std::uint32_t kIntPrcs = 1U << 22;  // PhyRdy change; cleared through PxSERR.DIAG.N
inline constexpr std::uint32_t kIntOfs = 1U << 24;   // overflow
inline constexpr std::uint32_t kIntInfs = 1U << 26;  // interface non-fatal error
inline constexpr std::uint32_t kIntIfs = 1U << 27;   // interface fatal error
inline constexpr std::uint32_t kIntHbds = 1U << 28;  // host bus data error
inline constexpr std::uint32_t kIntHbfs = 1U << 29;  // host bus fatal error
inline constexpr std::uint32_t kIntTfes = 1U << 30;  // task file error

inline constexpr std::uint32_t kIntThroughSerr = kIntUfs | kIntPcs | kIntPrcs;
inline constexpr std::uint32_t kIntInterface = kIntOfs | kIntIfs;
inline constexpr std::uint32_t kIntHostBus = kIntHbds | kIntHbfs;
inline constexpr std::uint32_t kIntLink = kIntPcs | kIntPrcs;
inline constexpr std::uint32_t kIntErrors = kIntTfes | kIntInterface | kIntHostBus | kIntLink;
inline constexpr std::uint32_t kIntEnabled = kIntErrors | kIntDhrs | kIntPss | kIntSdbs | kIntUfs | kIntInfs;

// PxCMD.
inline constexpr std::uint32_t kCmdSt = 1U << 0;    // start
inline constexpr std::uint32_t kCmdSud = 1U << 1;   // spin-up device
inline constexpr std::uint32_t kCmdPod = 1U << 2;   // power on device
inline constexpr std::uint32_t kCmdFre = 1U << 4;   // FIS receive enable
inline constexpr std::uint32_t kCmdFr = 1U << 14;   // FIS receive running
inline constexpr std::uint32_t kCmdCr = 1U << 15;   // command list running
inline constexpr std::uint32_t kCmdCpd = 1U << 20;  // cold presence detection

// PxTFD: status in bits 7:0, error in bits 15:8.
inline constexpr std::uint32_t kTfdErr = 1U << 0;
inline constexpr std::uint32_t kTfdDrq = 1U << 3;
inline constexpr std::uint32_t kTfdBsy = 1U << 7;

// PxSIG (SATA 3.x, 13.1): an ATA device; everything else isn't driven.
inline constexpr std::uint32_t kSigAta = 0x00000101U;

// PxSSTS and PxSCTL.
inline constexpr std::uint32_t kSstsDetMask = 0xF;
inline constexpr std::uint32_t kDetNone = 0;
inline constexpr std::uint32_t kDetEstablished = 3;   // device present, communication established
inline constexpr std::uint32_t kDetOffline = 4;       // PHY offline
inline constexpr std::uint32_t kSctlReset = 1;        // DET = 1: COMRESET is sent
inline constexpr std::uint32_t kSctlNoPower = 0x300;  // IPM = 3: neither partial nor slumber

}  // namespace ncqlab::driver
