// Each request of the protocol against a guest that only notes: what it does, what is answered, what time it takes.
#include "testbench/frontend/qtest/protocol.h"

#include <gtest/gtest.h>

#include "testbench/tests/qtest/fake_guest.h"

namespace ncqlab::qtest {
namespace {

constexpr sim::Time kStep = 100 * sim::kMicrosecond;

class QtestProtocol : public testing::Test {
 protected:
  std::string ask(const std::string& line) { return protocol_.execute(line); }

  FakeGuest guest_;
  Protocol protocol_{guest_, kStep};
};

TEST_F(QtestProtocol, PortsAreAccessedInTheWidthOfTheCommand) {
  EXPECT_EQ(ask("outb 0x510 1"), "OK\n");
  EXPECT_EQ(ask("outw 0x510 1"), "OK\n");
  EXPECT_EQ(ask("outl 0xcf8 1"), "OK\n");
  ask("inb 1");
  ask("inw 2");
  ask("inl 65535");
  EXPECT_EQ(guest_.port_accesses, "out 1296/1 out 1296/2 out 3320/4 in 1/1 in 2/2 in 65535/4 ");
}

TEST_F(QtestProtocol, AValueIsCutToTheWidthOfThePort) {
  ask("outb 1 0x12345678");
  EXPECT_EQ(guest_.port_value, 0x78U);
  ask("outw 1 0x12345678");
  EXPECT_EQ(guest_.port_value, 0x5678U);
}

TEST_F(QtestProtocol, APortsValueIsAnsweredWithAtLeastFourDigits) {
  guest_.port_value = 0xAB;
  EXPECT_EQ(ask("inb 1"), "OK 0x00ab\n");
  guest_.port_value = 0x29228086;
  EXPECT_EQ(ask("inl 1"), "OK 0x29228086\n");
}

TEST_F(QtestProtocol, ThereAre65536Ports) {
  EXPECT_EQ(ask("inb 0x10000"), "FAIL inb: ports end at 0xffff\n");
  EXPECT_EQ(ask("outl 0x10000 1"), "FAIL outl: ports end at 0xffff\n");
  EXPECT_EQ(guest_.port_accesses, "");
}

TEST_F(QtestProtocol, MemoryIsLittleEndian) {
  EXPECT_EQ(ask("writeq 0 0x0807060504030201"), "OK\n");
  EXPECT_EQ(ask("readb 0"), "OK 0x0000000000000001\n");
  EXPECT_EQ(ask("readw 0"), "OK 0x0000000000000201\n");
  EXPECT_EQ(ask("readl 4"), "OK 0x0000000008070605\n");
  EXPECT_EQ(ask("readq 0"), "OK 0x0807060504030201\n");
  EXPECT_EQ(ask("endianness"), "OK little\n");
}

TEST_F(QtestProtocol, AWriteOfAValueTouchesNoByteBesideIt) {
  ask("memset 0 8 0xff");
  ask("writew 2 0");
  EXPECT_EQ(ask("readq 0"), "OK 0xffffffff0000ffff\n");
}

TEST_F(QtestProtocol, BytesAreReadInLowerCase) {
  ask("write 0x10 4 0xDEADbeef");
  EXPECT_EQ(ask("read 0x10 4"), "OK 0xdeadbeef\n");
}

TEST_F(QtestProtocol, WhatTheDigitsDoNotFillIsZeros) {
  ask("memset 0 8 0xff");
  EXPECT_EQ(ask("write 0 4 0x21"), "OK\n");
  EXPECT_EQ(ask("read 0 5"), "OK 0x21000000ff\n");
}

TEST_F(QtestProtocol, DigitsBeyondTheLengthAreIgnored) {
  EXPECT_EQ(ask("write 0 1 0x2122"), "OK\n");
  EXPECT_EQ(ask("read 0 2"), "OK 0x2100\n");
}

TEST_F(QtestProtocol, AReadOfNothingIsRefused) { EXPECT_EQ(ask("read 0 0"), "FAIL read: no bytes\n"); }

TEST_F(QtestProtocol, MemsetFillsAcrossItsPieces) {
  EXPECT_EQ(ask("memset 0 0xffff 0x1a5"), "OK\n");
  EXPECT_EQ(guest_.memory[0], 0xA5);
  EXPECT_EQ(guest_.memory[0xFFFE], 0xA5);
  EXPECT_EQ(guest_.memory[0xFFFF], 0);
  EXPECT_EQ(ask("memset 0 0 1"), "OK\n");
  EXPECT_EQ(guest_.memory[0], 0xA5);
}

TEST_F(QtestProtocol, Base64CarriesTheSameBytes) {
  EXPECT_EQ(ask("b64write 0 3 Zm9v"), "OK\n");
  EXPECT_EQ(ask("read 0 3"), "OK 0x666f6f\n");
  EXPECT_EQ(ask("b64read 0 3"), "OK Zm9v\n");
  EXPECT_EQ(ask("b64read 0 0"), "OK \n");
}

TEST_F(QtestProtocol, Base64OfAnotherLengthThanToldIsRefusedAndWritesNothing) {
  EXPECT_EQ(ask("b64write 0 4 Zm9v"), "FAIL b64write: told 4 bytes, found 3\n");
  EXPECT_EQ(guest_.memory[0], 0);
}

TEST_F(QtestProtocol, ATransferEndsAtTheLimit) {
  const std::string most = std::to_string(kMostBytes);
  const std::string beyond = std::to_string(kMostBytes + 1);
  EXPECT_EQ(ask("read 0 " + most).size(), 2 * kMostBytes + sizeof "OK 0x");
  for (const char* command : {"read 0 ", "b64read 0 "})
    EXPECT_EQ(ask(command + beyond).substr(0, 4), "FAIL") << command;
  EXPECT_EQ(ask("write 0 " + beyond + " 0x00").substr(0, 4), "FAIL");
  EXPECT_EQ(ask("memset 0 " + beyond + " 0").substr(0, 4), "FAIL");
  EXPECT_EQ(ask("read 0 0xffffffffffffffff").substr(0, 4), "FAIL");
}

TEST_F(QtestProtocol, ARequestTakesOneStep) {
  ask("readl 0");
  EXPECT_EQ(guest_.time, kStep);
  ask("outl 0 0");
  EXPECT_EQ(guest_.time, 2 * kStep);
}

TEST_F(QtestProtocol, ARequestThatIsRefusedTakesOneStepToo) {
  ask("readl here");
  EXPECT_EQ(guest_.time, kStep);
  ask("nonsense");
  EXPECT_EQ(guest_.time, 2 * kStep);
}

TEST_F(QtestProtocol, BlankLinesAndCommentsHaveNoAnswerAndTakeNoTime) {
  EXPECT_EQ(ask(""), "");
  EXPECT_EQ(ask("  \r"), "");
  EXPECT_EQ(ask("# readl 0"), "");
  EXPECT_EQ(guest_.time, 0);
}

TEST_F(QtestProtocol, AClockStepTakesWhatItSaysAndNothingElse) {
  EXPECT_EQ(ask("clock_step 1500"), "OK 1500\n");
  EXPECT_EQ(guest_.time, 1500 * sim::kNanosecond);
}

TEST_F(QtestProtocol, AClockStepWithoutANumberGoesToTheNextEvent) {
  guest_.event = 7 * sim::kMicrosecond;
  EXPECT_EQ(ask("clock_step"), "OK 7000\n");
  guest_.event = sim::kNever;
  EXPECT_EQ(ask("clock_step"), "OK 7000\n");
}

TEST_F(QtestProtocol, TheClockIsSetForwardsOnly) {
  EXPECT_EQ(ask("clock_set 5000"), "OK 5000\n");
  EXPECT_EQ(ask("clock_set 4000"), "OK 5000\n");
}

TEST_F(QtestProtocol, TheClockGoesToItsLimitAndNotBeyond) {
  const std::string limit = std::to_string(kClockLimit / sim::kNanosecond);
  EXPECT_EQ(ask("clock_set " + std::to_string(kClockLimit / sim::kNanosecond + 1)),
            "FAIL clock_set: the clock ends at 2400 h\n");
  EXPECT_EQ(ask("clock_set " + limit), "OK " + limit + "\n");
  EXPECT_EQ(ask("clock_step 1"), "FAIL clock_step: the clock ends at 2400 h\n");
  ask("readl 0");
  EXPECT_EQ(guest_.time, kClockLimit);
}

TEST_F(QtestProtocol, InterruptsAreToldOnceTheyAreIntercepted) {
  guest_.edges = {{16, true}};
  EXPECT_EQ(ask("readb 0"), "OK 0x0000000000000000\n");
  EXPECT_EQ(ask("irq_intercept_in ioapic"), "OK\n");
  guest_.edges = {{16, true}, {16, false}};
  EXPECT_EQ(ask("readb 0"), "IRQ raise 16\nIRQ lower 16\nOK 0x0000000000000000\n");
}

TEST_F(QtestProtocol, ALevelThatDidNotChangeIsNotToldAgain) {
  ask("irq_intercept_in ioapic");
  guest_.edges = {{16, true}, {16, true}, {17, false}};
  EXPECT_EQ(ask("readb 0"), "IRQ raise 16\nOK 0x0000000000000000\n");
}

TEST_F(QtestProtocol, OnlyTheIoApicCanBeIntercepted) {
  EXPECT_EQ(ask("irq_intercept_in /machine/unattached/ioapic"), "OK\n");
  EXPECT_EQ(ask("irq_intercept_out ioapic"), "OK\n");
  EXPECT_EQ(ask("irq_intercept_in /machine/nothing"), "FAIL Unknown device\n");
  EXPECT_EQ(ask("set_irq_in ioapic unnamed-gpio-in 0 1"), "FAIL Unknown device\n");
}

TEST_F(QtestProtocol, UnknownCommandsAreNamedInPrintableCharacters) {
  EXPECT_EQ(ask("quit"), "FAIL Unknown command 'quit'\n");
  EXPECT_EQ(ask("\x1b[2J"), "FAIL Unknown command '?[2J'\n");
}

TEST_F(QtestProtocol, MissingArgumentsAreNamed) {
  EXPECT_EQ(ask("outl 1"), "FAIL outl: expected ADDRESS VALUE\n");
  EXPECT_EQ(ask("write 0 1"), "FAIL write: expected ADDRESS LENGTH DATA\n");
  EXPECT_EQ(ask("clock_set"), "FAIL clock_set: expected NANOSECONDS\n");
}

TEST_F(QtestProtocol, WhatIsNoNumberIsNamed) {
  EXPECT_EQ(ask("readl -1"), "FAIL readl: '-1' is no number\n");
  EXPECT_EQ(ask("write 0 one 0x00"), "FAIL write: 'one' is no number\n");
}

TEST_F(QtestProtocol, DataBeginWith0xAndArePairsOfDigits) {
  EXPECT_EQ(ask("write 0 1 00ff"), "FAIL write: the data begin with 0x\n");
  EXPECT_EQ(ask("write 0 1 0x"), "FAIL write: the data begin with 0x\n");
  EXPECT_EQ(ask("write 0 1 0x0"), "FAIL write: the data are pairs of hexadecimal digits\n");
}

TEST_F(QtestProtocol, ThereAreNoModules) { EXPECT_EQ(ask("module_load hw- usb"), "FAIL There are no modules\n"); }

}  // namespace
}  // namespace ncqlab::qtest
