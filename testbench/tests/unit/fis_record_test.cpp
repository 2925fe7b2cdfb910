// What the trace keeps of each FIS: every field that FisRecord names comes back as it was encoded.
#include "model/sata/fis_record.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ncqlab::sata {
namespace {

class FisRecordTest : public testing::Test {
 protected:
  static FisRecord record_of(const Frame& frame) {
    return FisRecord(make_fis_record(0, sim::Kind::fis_to_host, 0, frame));
  }
  template <class Fis>
  FisRecord record_of(const Fis& fis) {
    return record_of(encode(pool, fis));
  }

  FramePool pool;
};

TEST_F(FisRecordTest, ARecordHasTimeKindAndPortAndTheType) {
  const sim::Record record = make_fis_record(7, sim::Kind::fis_to_device, 3, encode(pool, SetDeviceBits{}));
  EXPECT_EQ(record.time, 7);
  EXPECT_EQ(record.kind, sim::Kind::fis_to_device);
  EXPECT_EQ(record.source, 3U);
  EXPECT_EQ(record.a, 0xA1U);
}

TEST_F(FisRecordTest, OfACommandKeepsCountFeaturesAndControl) {
  RegisterH2D fis;
  fis.pm_port = 5;
  fis.command_bit = true;
  fis.command = 0x60;
  fis.features = 0xABCD;
  fis.lba = 0x665544332211;
  fis.count = 0x12F8;
  fis.control = 0x04;
  const FisRecord record = record_of(fis);
  EXPECT_TRUE(record.is(FisType::register_h2d));
  EXPECT_EQ(record.bytes(), 20U);
  EXPECT_EQ(record.pm_port(), 5U);
  EXPECT_TRUE(record.command_bit());
  EXPECT_EQ(record.command(), 0x60);
  EXPECT_EQ(record.features(), 0xABCDU);
  EXPECT_EQ(record.lba_low(), 0x332211U);
  EXPECT_EQ(record.count(), 0x12F8U);
  EXPECT_EQ(record.queued_tag(), 31U);
  EXPECT_EQ(record.control(), 0x04);
}

TEST_F(FisRecordTest, OfARegisterFisToTheHostKeepsStatusAndCount) {
  RegisterD2H fis;
  fis.interrupt = true;
  fis.status = 0x51;
  fis.lba = 0xEB1401;
  fis.count = 0xBEEF;
  const FisRecord record = record_of(fis);
  EXPECT_TRUE(record.interrupt());
  EXPECT_EQ(record.status(), 0x51);
  EXPECT_EQ(record.lba_low(), 0xEB1401U);
  EXPECT_EQ(record.count(), 0xBEEFU);
}

TEST_F(FisRecordTest, OfADmaSetupKeepsTagDirectionAndTransferCount) {
  DmaSetup fis;
  fis.to_host = true;
  fis.auto_activate = true;
  fis.buffer_identifier = 29;
  fis.transfer_count = 0x12345678;
  const FisRecord record = record_of(fis);
  EXPECT_EQ(record.bytes(), 28U);
  EXPECT_TRUE(record.to_host());
  EXPECT_TRUE(record.auto_activate());
  EXPECT_EQ(record.dma_tag(), 29U);
  EXPECT_EQ(record.dma_count(), 0x12345678U);
}

TEST_F(FisRecordTest, OfAPioSetupKeepsTransferCountAndEndStatus) {
  PioSetup fis;
  fis.status = 0x58;
  fis.end_status = 0xD0;
  fis.transfer_count = 0x2000;
  const FisRecord record = record_of(fis);
  EXPECT_FALSE(record.to_host());
  EXPECT_EQ(record.status(), 0x58);
  EXPECT_EQ(record.pio_count(), 0x2000U);
  EXPECT_EQ(record.end_status(), 0xD0);
}

TEST_F(FisRecordTest, OfSetDeviceBitsKeepsTheTagsAndNoDetail) {
  SetDeviceBits fis;
  fis.notification = true;
  fis.active = 0x80000001;
  const FisRecord record = record_of(fis);
  EXPECT_TRUE(record.notification());
  EXPECT_EQ(record.active(), 0x80000001U);
  EXPECT_EQ(record.detail(), 0U);
}

TEST_F(FisRecordTest, OfADataFisKeepsTheHeaderAndTheLength) {
  Frame data = make_data(pool, 2, 512);
  std::memset(payload(data), 0xAB, 512);
  const FisRecord record = record_of(data);
  EXPECT_EQ(record.head(), 0x0246U);
  EXPECT_EQ(record.bytes(), 516U);
  EXPECT_EQ(record.detail(), 0U);
}

TEST_F(FisRecordTest, AFisTooShortForItsDetailHasNone) {
  Frame command = encode(pool, [] {
    RegisterH2D fis;
    fis.count = 0xFFFF;
    return fis;
  }());
  command.truncate(15);
  EXPECT_EQ(record_of(command).detail(), 0U);
  Frame activate = encode_dma_activate(pool, 1);
  EXPECT_EQ(record_of(activate).head(), 0x0139U);
}

}  // namespace
}  // namespace ncqlab::sata
