// Optical drive profiles: what a good one becomes, and that the shipped ones are good.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "model/config/error.h"
#include "model/config/files.h"
#include "model/config/optical_profile.h"

namespace ncqlab::config {
namespace {

TEST(OpticalProfile, EveryMemberIsRead) {
  const auto p = load_optical_profile("testbench/tests/unit/data/optical.json");
  EXPECT_EQ(p.name, "optical");
  EXPECT_EQ(p.title, "Test drive");
  EXPECT_EQ(p.identity.model, "TEST    OPTICAL");
  EXPECT_EQ(p.identity.serial, "T0002");
  EXPECT_EQ(p.identity.firmware, "1.0");
  EXPECT_EQ(p.generation, 2U);
  EXPECT_EQ(p.ready_after_reset, 2500 * sim::kMicrosecond);
  EXPECT_EQ(p.command, 500 * sim::kMicrosecond);
  EXPECT_EQ(p.access, 80 * sim::kMillisecond);
  EXPECT_EQ(p.bytes_per_second, 1'000'000U);
  EXPECT_FALSE(p.host_power);
  EXPECT_TRUE(p.dma_direction_required);
  EXPECT_TRUE(p.asynchronous_notification);
  EXPECT_TRUE(p.attention_after_reset);
  EXPECT_TRUE(p.register_fis_after_identify);
  EXPECT_TRUE(p.qemu_media_change);
}

TEST(OpticalProfile, EveryShippedOneLoads) {
  const auto names = file_names(kOpticalFiles);
  EXPECT_THAT(names, testing::IsSupersetOf({"dvd-rom", "qemu-dvd"}));
  for (const auto& name : names) EXPECT_EQ(load_optical_profile(name).name, name);
}

TEST(OpticalProfile, ANumberWithoutASourceIsRefused) {
  std::ifstream stream("testbench/tests/unit/data/optical.json");
  std::string text(std::istreambuf_iterator<char>(stream), {});
  const std::string covered = "\"/bytes_per_second\"";
  text.replace(text.find("\"of\": " + covered), 6 + covered.size(), "\"of\": \"/command_ms\"");
  EXPECT_THROW(read_optical_profile(Document::parse(text, "o.json"), "o"), ConfigError);
}

}  // namespace
}  // namespace ncqlab::config
