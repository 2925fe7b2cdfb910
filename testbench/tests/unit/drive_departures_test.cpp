// Where a drive departs from the standards because its profile says so (drive::Departures).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using testing::ElementsAre;

std::size_t bytes_of(const AtaHost& host) {
  std::size_t bytes = 0;
  for (const AtaHost::Sent& sent : host.sent) {
    if (sent.line.rfind("Data", 0) == 0) bytes += sent.bytes.size() - 4;
  }
  return bytes;
}

TEST(DriveDepartures, PioDataToTheHostMayEndWithARegisterFis) {
  Profile profile = small_profile();
  profile.departures.register_fis_after_pio_in = true;
  AtaHost host(profile);
  host.start();
  host.command(0xEC);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("PIO in 58, then D0, 512 bytes I", "Data 512", "D2H 50 00 I"));
}

TEST(DriveDepartures, ThenTheNextCommandIsTaken) {
  Profile profile = small_profile();
  profile.departures.register_fis_after_pio_in = true;
  AtaHost host(profile);
  host.start();
  host.command(0x20, 0, 1);
  host.run();
  host.sent.clear();
  host.command(0xE7);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("D2H 50 00 I"));
}

TEST(DriveDepartures, TwentyEightBitCommandsMayTakeSixteenBitCounts) {
  Profile profile = small_profile();
  profile.departures.long_28_bit_counts = true;
  AtaHost host(profile);
  host.start();
  host.command(0xC8, 0, 0x0201);
  host.run();
  EXPECT_EQ(bytes_of(host), 0x201U * 512);
  host.sent.clear();
  host.command(0xC8, 0, 0);
  host.run();
  EXPECT_EQ(bytes_of(host), 256U * 512);
}

}  // namespace
}  // namespace ncqlab::drive
