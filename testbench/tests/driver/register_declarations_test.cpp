// Driver and model declare the registers of AHCI 1.3.1 separately; this third, literal table holds both to the same
// values, so that a wrong offset cannot hide in a header that both share.
#include <gtest/gtest.h>

#include "driver/registers.h"
#include "model/hba/ahci.h"

namespace ncqlab {
namespace {

struct Declared {
  const char* name;
  std::uint32_t specified;  // by AHCI 1.3.1
  std::uint32_t driver;
  std::uint32_t model;
};

constexpr Declared kDeclared[] = {
    // Generic host control, 3.1
    {"CAP", 0x00, driver::kCap, hba::kCAP},
    {"GHC", 0x04, driver::kGhc, hba::kGHC},
    {"IS", 0x08, driver::kIs, hba::kIS},
    {"PI", 0x0C, driver::kPi, hba::kPI},
    {"VS", 0x10, driver::kVs, hba::kVS},
    {"CAP2", 0x24, driver::kCap2, hba::kCAP2},
    {"BOHC", 0x28, driver::kBohc, hba::kBOHC},
    {"CAP.S64A", 0x80000000, driver::kCapS64a, hba::kCAP_S64A},
    {"CAP.SNCQ", 0x40000000, driver::kCapSncq, hba::kCAP_SNCQ},
    {"CAP.SSS", 0x08000000, driver::kCapSss, hba::kCAP_SSS},
    {"CAP.NCS, shift", 8, driver::kCapNcsShift, hba::kCAP_NCS_shift},
    {"GHC.AE", 0x80000000, driver::kGhcAe, hba::kGHC_AE},
    {"GHC.IE", 0x2, driver::kGhcIe, hba::kGHC_IE},
    {"GHC.HR", 0x1, driver::kGhcHr, hba::kGHC_HR},
    // Ports, 3.3
    {"first port", 0x100, driver::kPortBase, hba::kPortsBase},
    {"a port's registers", 0x80, driver::kPortStride, hba::kPortBytes},
    {"PxCLB", 0x00, driver::kPxClb, hba::kPxCLB},
    {"PxCLBU", 0x04, driver::kPxClbu, hba::kPxCLBU},
    {"PxFB", 0x08, driver::kPxFb, hba::kPxFB},
    {"PxFBU", 0x0C, driver::kPxFbu, hba::kPxFBU},
    {"PxIS", 0x10, driver::kPxIs, hba::kPxIS},
    {"PxIE", 0x14, driver::kPxIe, hba::kPxIE},
    {"PxCMD", 0x18, driver::kPxCmd, hba::kPxCMD},
    {"PxTFD", 0x20, driver::kPxTfd, hba::kPxTFD},
    {"PxSIG", 0x24, driver::kPxSig, hba::kPxSIG},
    {"PxSSTS", 0x28, driver::kPxSsts, hba::kPxSSTS},
    {"PxSCTL", 0x2C, driver::kPxSctl, hba::kPxSCTL},
    {"PxSERR", 0x30, driver::kPxSerr, hba::kPxSERR},
    {"PxSACT", 0x34, driver::kPxSact, hba::kPxSACT},
    {"PxCI", 0x38, driver::kPxCi, hba::kPxCI},
    // PxIS and PxIE, 3.3.5
    {"PxIS.DHRS", 0x00000001, driver::kIntDhrs, hba::kPxIS_DHRS},
    {"PxIS.PSS", 0x00000002, driver::kIntPss, hba::kPxIS_PSS},
    {"PxIS.SDBS", 0x00000008, driver::kIntSdbs, hba::kPxIS_SDBS},
    {"PxIS.UFS", 0x00000010, driver::kIntUfs, hba::kPxIS_UFS},
    {"PxIS.PCS", 0x00000040, driver::kIntPcs, hba::kPxIS_PCS},
    {"PxIS.PRCS", 0x00400000, driver::kIntPrcs, hba::kPxIS_PRCS},
    {"PxIS.OFS", 0x01000000, driver::kIntOfs, hba::kPxIS_OFS},
    {"PxIS.INFS", 0x04000000, driver::kIntInfs, hba::kPxIS_INFS},
    {"PxIS.IFS", 0x08000000, driver::kIntIfs, hba::kPxIS_IFS},
    {"PxIS.HBDS", 0x10000000, driver::kIntHbds, hba::kPxIS_HBDS},
    {"PxIS.HBFS", 0x20000000, driver::kIntHbfs, hba::kPxIS_HBFS},
    {"PxIS.TFES", 0x40000000, driver::kIntTfes, hba::kPxIS_TFES},
    // PxCMD, 3.3.7
    {"PxCMD.ST", 0x0001, driver::kCmdSt, hba::kPxCMD_ST},
    {"PxCMD.SUD", 0x0002, driver::kCmdSud, hba::kPxCMD_SUD},
    {"PxCMD.POD", 0x0004, driver::kCmdPod, hba::kPxCMD_POD},
    {"PxCMD.FRE", 0x0010, driver::kCmdFre, hba::kPxCMD_FRE},
    {"PxCMD.FR", 0x4000, driver::kCmdFr, hba::kPxCMD_FR},
    {"PxCMD.CR", 0x8000, driver::kCmdCr, hba::kPxCMD_CR},
    // PxTFD.STS, 3.3.8; PxSSTS and PxSCTL, 3.3.10 and 3.3.11
    {"STS.ERR", 0x01, driver::kTfdErr, hba::kSTS_ERR},
    {"STS.DRQ", 0x08, driver::kTfdDrq, hba::kSTS_DRQ},
    {"STS.BSY", 0x80, driver::kTfdBsy, hba::kSTS_BSY},
    {"DET, mask", 0xF, driver::kSstsDetMask, hba::kDET_mask},
    {"DET, established", 3, driver::kDetEstablished, hba::kDET_established},
    {"DET, COMRESET", 1, driver::kSctlReset, hba::kDET_comreset},
    {"DET, offline", 4, driver::kDetOffline, hba::kDET_offline},
};

TEST(RegisterDeclarations, DriverAndModelAgreeWithTheSpecification) {
  for (const Declared& declared : kDeclared) {
    EXPECT_EQ(declared.driver, declared.specified) << "driver: " << declared.name;
    EXPECT_EQ(declared.model, declared.specified) << "model: " << declared.name;
  }
}

}  // namespace
}  // namespace ncqlab
