// Interrupts and bits of IS that registers leave no cause for.
#include <gtest/gtest.h>

#include "testbench/tests/unit/oracle_ahci_conversation.h"

namespace ncqlab::oracle {
namespace {

constexpr std::uint32_t kEnable = 1U << 1;
constexpr std::uint32_t kAhci = 1U << 31;

class InterruptLegalityTest : public AhciConversation {
 protected:
  void control_of_all(std::uint32_t value) { write(0x04, kAhci | value); }
  void enable_port(unsigned port, std::uint32_t value = 0xF) { write(0x114 + port * 0x80, value); }
  void clear_status(std::uint32_t ones) { write(0x08, ones); }
  void status_is(std::uint32_t value) { read(0x08, value); }
  void interrupt() { record(sim::Kind::interrupt, 0, 1, 0); }
};

TEST_F(InterruptLegalityTest, AnInterruptOfAnEnabledPortIsLegal) {
  enable_port(3);
  control_of_all(kEnable);
  interrupt();
  status_is(1U << 3);
  expect_clean();
}

TEST_F(InterruptLegalityTest, AnInterruptBeforeGhcIeIsFound) {
  enable_port(3);
  interrupt();
  expect_one("interrupt raised while GHC.IE is 0 (AHCI 1.3.1, 3.1.2)");
}

TEST_F(InterruptLegalityTest, AnInterruptAfterGhcIeWasClearedIsFound) {
  enable_port(3);
  control_of_all(kEnable);
  control_of_all(0);
  interrupt();
  expect_one("GHC.IE is 0");
}

TEST_F(InterruptLegalityTest, ALevelThatGoesDownNeedsNoCause) {
  record(sim::Kind::interrupt, 0, 0, 0);
  expect_clean();
}

TEST_F(InterruptLegalityTest, AnInterruptWithEveryPortDisabledIsFound) {
  control_of_all(kEnable);
  interrupt();
  expect_one("interrupt raised while none is enabled in any PxIE");
}

TEST_F(InterruptLegalityTest, IsShowsOnlyPortsThatHaveSomethingEnabled) {
  enable_port(3);
  status_is(1U << 3);
  expect_clean();
  status_is(1U << 3 | 1U << 4);
  expect_one("IS shows an interrupt of ports that have none enabled: 10h");
}

TEST_F(InterruptLegalityTest, ABitOfIsOutlastsPxIeUntilItIsCleared) {
  enable_port(3);
  enable_port(3, 0);
  status_is(1U << 3);
  expect_clean();
  clear_status(1U << 3);
  status_is(1U << 3);
  expect_one("ports that have none enabled: 08h");
}

TEST_F(InterruptLegalityTest, ClearedTooEarlyItIsSetAgain) {
  enable_port(3);
  clear_status(1U << 3);
  status_is(1U << 3);
  expect_clean();
}

TEST_F(InterruptLegalityTest, TheBitOfCoalescingIsLegalWhileThatIsEnabled) {
  read(0x14, 31U << 3);
  status_is(0);
  write(0x14, 1);
  status_is(1U << 31);
  expect_clean();
  write(0x14, 0);
  clear_status(1U << 31);
  status_is(1U << 31);
  expect_one("ports that have none enabled: 80000000h");
}

TEST_F(InterruptLegalityTest, AfterAnHbaResetNothingIsEnabled) {
  enable_port(3);
  control_of_all(kEnable);
  control_of_all(1);
  read(0x04, kAhci | kEnable | 1U);  // going on
  interrupt();
  expect_clean();
  read(0x04, kAhci);
  status_is(1U << 3);
  expect_one("ports that have none enabled: 08h");
}

TEST_F(InterruptLegalityTest, AByteOfPxIeMayEnableAPort) {
  record(sim::Kind::register_write, 0x115, 0x01, 1);
  status_is(1);
  expect_clean();
}

TEST_F(InterruptLegalityTest, AByteOfGhcMayEnableAll) {
  enable_port(0);
  record(sim::Kind::register_write, 0x04, 0x02, 1);
  interrupt();
  expect_clean();
}

TEST_F(InterruptLegalityTest, AByteOfAnotherRegisterEnablesNothing) {
  enable_port(0);
  record(sim::Kind::register_write, 0x08, 0x02, 1);
  interrupt();
  expect_one("GHC.IE is 0");
}

TEST_F(InterruptLegalityTest, AByteOfCccCtlMayEnableCoalescing) {
  read(0x14, 31U << 3);
  record(sim::Kind::register_write, 0x08, 0x01, 1);
  record(sim::Kind::register_write, 0x14, 0x01, 1);
  status_is(1U << 31);
  expect_clean();
}

TEST_F(InterruptLegalityTest, AByteOfAnotherRegisterDoesNotEnableCoalescing) {
  read(0x14, 31U << 3);
  record(sim::Kind::register_write, 0x08, 0x01, 1);
  status_is(1U << 31);
  expect_one("ports that have none enabled: 80000000h");
}

TEST_F(InterruptLegalityTest, BothHalvesOfAQwordCount) {
  record(sim::Kind::register_write, 0x110, std::uint64_t{0xF} << 32, 8);  // PxIS and PxIE
  status_is(1);
  expect_clean();
}

}  // namespace
}  // namespace ncqlab::oracle
