// The board: what a client that looks for the controller finds where.
#include <gtest/gtest.h>

#include "testbench/tests/qtest/client.h"

namespace ncqlab::qtest {
namespace {

class QtestBoard : public testing::Test {
 protected:
  static SystemOptions options_of(std::uint64_t ram_bytes) {
    SystemOptions options = Client::one_disk();
    options.ram_bytes = ram_bytes;
    return options;
  }
  Client client_{Client::one_disk()};
};

TEST_F(QtestBoard, TheControllerIsFunction2OfDevice31) {
  EXPECT_EQ(client_.config(0x00), 0x29228086U);
  EXPECT_EQ(client_.config(0x08) >> 8, 0x010601U);
}

TEST_F(QtestBoard, ConfigurationIsReadByteByByteThroughEitherPartOfTheAddress) {
  client_.ask("outl 0xcf8 0x8000fa00");
  EXPECT_EQ(client_.ask("inb 0xcfd"), "OK 0x0080\n");
  client_.ask("outl 0xcf8 0x8000fa02");
  EXPECT_EQ(client_.ask("inw 0xcfc"), "OK 0x2922\n");
}

TEST_F(QtestBoard, NothingIsThereWithoutTheEnableBitOrOnAnotherBus) {
  client_.ask("outl 0xcf8 0x0000fa00");
  EXPECT_EQ(client_.ask("inl 0xcfc"), "OK 0xffffffff\n");
  client_.ask("outl 0xcf8 0x8001fa00");
  EXPECT_EQ(client_.ask("inl 0xcfc"), "OK 0xffffffff\n");
}

TEST_F(QtestBoard, AWalkOfTheBusMeetsTwoBridgesAndAMultiFunctionDevice) {
  client_.ask("outl 0xcf8 0x80000000");
  EXPECT_EQ(client_.ask("inl 0xcfc"), "OK 0x29c08086\n");
  client_.ask("outl 0xcf8 0x8000f80c");
  EXPECT_EQ(client_.ask("inb 0xcfe"), "OK 0x0080\n");
  client_.ask("outl 0xcf8 0x80000800");
  EXPECT_EQ(client_.ask("inl 0xcfc"), "OK 0xffffffff\n");
}

TEST_F(QtestBoard, ConfigurationIsInMemoryToo) {
  EXPECT_EQ(client_.readl(0xB0000000 + (0xFAU << 12)), 0x29228086U);
  EXPECT_EQ(client_.readl(0xB0000000 + (0xF9U << 12)), 0xFFFFFFFFU);
  EXPECT_EQ(client_.readl(0xB0000000 + (1U << 20)), 0xFFFFFFFFU);
}

TEST_F(QtestBoard, RegistersAreWhereTheBarSaysOnceMemorySpaceIsOn) {
  client_.set_config(0x24, Client::kAbar);
  EXPECT_EQ(client_.readl(Client::kAbar + 0x10), 0U);
  client_.set_config(0x04, 2);
  EXPECT_EQ(client_.readl(Client::kAbar + 0x10), 0x00010000U);
  client_.set_config(0x24, 0xE1068000);
  EXPECT_EQ(client_.readl(0xE1068010), 0x00010000U);
  EXPECT_EQ(client_.readl(Client::kAbar + 0x10), 0U);
}

TEST_F(QtestBoard, ARunOfBytesOverRegistersIsOneAccessADword) {
  client_.set_config(0x24, Client::kAbar);
  client_.set_config(0x04, 2);
  EXPECT_EQ(client_.ask("read 0xe000000c 8"), "OK 0x3f00000000000100\n");
}

TEST_F(QtestBoard, FirmwareConfigurationTellsTheSizeOfRam) {
  Client client(options_of(384ULL << 20));
  client.ask("outw 0x510 3");
  std::uint64_t bytes = 0;
  for (unsigned i = 0; i < 8; ++i) bytes |= client.number("inb 0x511") << (8 * i);
  EXPECT_EQ(bytes, 384ULL << 20);
  EXPECT_EQ(client.number("inb 0x511"), 0U);
}

TEST_F(QtestBoard, FirmwareConfigurationHasItsSignature) {
  client_.ask("outw 0x510 0");
  std::string text;
  for (unsigned i = 0; i < 4; ++i) text += static_cast<char>(client_.number("inb 0x511"));
  EXPECT_EQ(text, "QEMU");
}

TEST_F(QtestBoard, OtherPortsReadOnes) {
  EXPECT_EQ(client_.ask("inb 0x64"), "OK 0x00ff\n");
  EXPECT_EQ(client_.ask("inw 0x64"), "OK 0xffff\n");
  EXPECT_EQ(client_.ask("inl 0x64"), "OK 0xffffffff\n");
}

TEST_F(QtestBoard, RamEndsWhereItsSizeSays) {
  client_.ask("writel 0x7fffffc 0x12345678");
  EXPECT_EQ(client_.readl(0x7FFFFFC), 0x12345678U);
  client_.ask("writel 0x8000000 0x12345678");
  EXPECT_EQ(client_.readl(0x8000000), 0U);
}

TEST_F(QtestBoard, RamBeyondTheHoleGoesOnAt4GiB) {
  Client client(options_of(4ULL << 30));
  client.ask("writel 0x7ffffffc 1");
  client.ask("writel 0x80000000 2");
  client.ask("writel 0x100000000 3");
  client.ask("writel 0x17ffffffc 4");
  client.ask("writel 0x180000000 5");
  EXPECT_EQ(client.readl(0x7FFFFFFC), 1U);
  EXPECT_EQ(client.readl(0x80000000), 0U);
  EXPECT_EQ(client.number("readl 0x100000000"), 3U);
  EXPECT_EQ(client.number("readl 0x17ffffffc"), 4U);
  EXPECT_EQ(client.number("readl 0x180000000"), 0U);
}

TEST_F(QtestBoard, AnAccessMayCrossTheEndOfRamAndOfTheAddressSpace) {
  client_.ask("write 0x7fffffe 4 0x01020304");
  EXPECT_EQ(client_.ask("read 0x7fffffe 4"), "OK 0x01020000\n");
  EXPECT_EQ(client_.ask("readq 0xfffffffffffffffc"), "OK 0x0000000000000000\n");
}

TEST_F(QtestBoard, TheControllersInterruptIsLine16) {
  client_.enable();
  client_.ask("irq_intercept_in ioapic");
  EXPECT_EQ(client_.issue(0xEC, 0, 0, 512), "IRQ raise 16\nOK\n");
  client_.writel(Client::kPort + 0x10, 0xFFFFFFFF);
  EXPECT_EQ(client_.ask("writel 0xe0000008 1"), "IRQ lower 16\nOK\n");
}

TEST_F(QtestBoard, AMessageIsWrittenToRam) {
  client_.set_config(0x84, 0x300000);
  client_.set_config(0x8C, 0x4142);
  client_.set_config(0x80, client_.config(0x80) | 0x10000);
  client_.enable();
  ASSERT_TRUE(client_.command(0xEC, 0, 0, 512));
  EXPECT_EQ(client_.readl(0x300000), 0x4142U);
}

TEST_F(QtestBoard, APrdThatPointsAtTheControllersOwnRegistersReachesThem) {
  client_.enable();
  client_.issue(0xEC, 0, 0, 512);
  ASSERT_TRUE(client_.finish());
  client_.writel(Client::kTable + 0x80, Client::kPort + 0x80);  // PxCLB of port 1 and what follows
  client_.writel(Client::kTable + 0x8C, 3);
  client_.writel(Client::kPort + 0x38, 1);
  client_.ask("clock_step 1000000");
  EXPECT_EQ(client_.readl(Client::kPort + 0x80), 0x3FFF0040U & 0xFFFFFC00U);  // IDENTIFY DEVICE words 0 and 1
}

}  // namespace
}  // namespace ncqlab::qtest
