// FIS as bytes, literally as in SATA 3.x, 10.5, and the way back.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "model/sata/fis.h"
#include "model/sim/random.h"

namespace ncqlab::sata {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const Frame& frame) { return Bytes(frame.data(), frame.data() + frame.size()); }

Frame frame_of(FramePool& pool, const Bytes& bytes) {
  Frame frame = pool.make(static_cast<std::uint32_t>(bytes.size()));
  std::memcpy(frame.data(), bytes.data(), bytes.size());
  return frame;
}

// A pool whose storage is full of rubbish: a byte that an encoder forgets shows.
void soil(FramePool& pool) {
  Frame frame = pool.make(kMaxFrame_bytes);
  std::memset(frame.data(), 0xEE, kMaxFrame_bytes);
}

RegisterH2D read_fpdma() {
  RegisterH2D fis;
  fis.pm_port = 0x3;
  fis.command_bit = true;
  fis.command = 0x60;
  fis.features = 0x1234;
  fis.lba = 0xA1B2C3D4E5F6;
  fis.device = 0x40;
  fis.count = 0x5678;
  fis.icc = 0x9A;
  fis.control = 0x08;
  fis.auxiliary = 0x11223344;
  return fis;
}

const Bytes kReadFpdma = {0x27, 0x83, 0x60, 0x34, 0xF6, 0xE5, 0xD4, 0x40, 0xC3, 0xB2,
                          0xA1, 0x12, 0x78, 0x56, 0x9A, 0x08, 0x44, 0x33, 0x22, 0x11};

TEST(Fis, RegisterHostToDeviceBytes) {
  FramePool pool;
  soil(pool);
  EXPECT_EQ(bytes_of(encode(pool, read_fpdma())), kReadFpdma);
}

TEST(Fis, RegisterHostToDeviceDecodes) {
  FramePool pool;
  RegisterH2D fis;
  ASSERT_TRUE(decode(frame_of(pool, kReadFpdma), fis));
  const RegisterH2D expected = read_fpdma();
  EXPECT_EQ(fis.pm_port, expected.pm_port);
  EXPECT_TRUE(fis.command_bit);
  EXPECT_EQ(fis.command, expected.command);
  EXPECT_EQ(fis.features, expected.features);
  EXPECT_EQ(fis.lba, expected.lba);
  EXPECT_EQ(fis.device, expected.device);
  EXPECT_EQ(fis.count, expected.count);
  EXPECT_EQ(fis.icc, expected.icc);
  EXPECT_EQ(fis.control, expected.control);
  EXPECT_EQ(fis.auxiliary, expected.auxiliary);
}

TEST(Fis, DeviceControlHasNoCommandBit) {
  FramePool pool;
  RegisterH2D fis;
  fis.control = 0x04;
  const Bytes bytes = bytes_of(encode(pool, fis));
  EXPECT_EQ(bytes[1], 0x00);
  EXPECT_EQ(bytes[15], 0x04);
}

TEST(Fis, RegisterDeviceToHostBytes) {
  FramePool pool;
  soil(pool);
  RegisterD2H fis;
  fis.interrupt = true;
  fis.pm_port = 0xF;
  fis.status = 0x50;
  fis.error = 0x01;
  fis.lba = 0x060504030201;
  fis.device = 0xE0;
  fis.count = 0x0807;
  EXPECT_EQ(bytes_of(encode(pool, fis)), (Bytes{0x34, 0x4F, 0x50, 0x01, 0x01, 0x02, 0x03, 0xE0, 0x04, 0x05,
                                                0x06, 0x00, 0x07, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}));
}

TEST(Fis, SetDeviceBitsBytes) {
  FramePool pool;
  soil(pool);
  SetDeviceBits fis;
  fis.pm_port = 1;
  fis.interrupt = true;
  fis.notification = true;
  fis.status = 0x41;
  fis.error = 0x84;
  fis.active = 0x80000005;
  EXPECT_EQ(bytes_of(encode(pool, fis)), (Bytes{0xA1, 0xC1, 0x41, 0x84, 0x05, 0x00, 0x00, 0x80}));
}

TEST(Fis, SetDeviceBitsCarriesNeitherBusyNorDataRequest) {
  FramePool pool;
  SetDeviceBits fis;
  fis.status = 0xFF;
  EXPECT_EQ(encode(pool, fis).data()[2], 0x77);
}

TEST(Fis, DmaSetupBytes) {
  FramePool pool;
  soil(pool);
  DmaSetup fis;
  fis.pm_port = 2;
  fis.to_host = true;
  fis.interrupt = true;
  fis.auto_activate = true;
  fis.buffer_identifier = 0x000000010000001F;
  fis.buffer_offset = 0x00002000;
  fis.transfer_count = 0x00010000;
  EXPECT_EQ(bytes_of(encode(pool, fis)),
            (Bytes{0x41, 0xE2, 0x00, 0x00, 0x1F, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
                   0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00}));
}

TEST(Fis, PioSetupBytes) {
  FramePool pool;
  soil(pool);
  PioSetup fis;
  fis.to_host = true;
  fis.interrupt = true;
  fis.status = 0x58;
  fis.lba = 0x060504030201;
  fis.device = 0x40;
  fis.count = 0x0807;
  fis.end_status = 0x50;
  fis.transfer_count = 512;
  EXPECT_EQ(bytes_of(encode(pool, fis)), (Bytes{0x5F, 0x60, 0x58, 0x00, 0x01, 0x02, 0x03, 0x40, 0x04, 0x05,
                                                0x06, 0x00, 0x07, 0x08, 0x00, 0x50, 0x00, 0x02, 0x00, 0x00}));
}

TEST(Fis, DmaActivateBytes) {
  FramePool pool;
  soil(pool);
  EXPECT_EQ(bytes_of(encode_dma_activate(pool, 5)), (Bytes{0x39, 0x05, 0x00, 0x00}));
}

TEST(Fis, DataHasAFourByteHeaderBeforeThePayload) {
  FramePool pool;
  soil(pool);
  Frame frame = make_data(pool, 7, 512);
  EXPECT_EQ(frame.size(), 516U);
  EXPECT_EQ(payload_bytes(frame), 512U);
  EXPECT_EQ(payload(frame), frame.data() + 4);
  EXPECT_EQ(Bytes(frame.data(), frame.data() + 4), (Bytes{0x46, 0x07, 0x00, 0x00}));
}

TEST(Fis, TheLongestDataFisHas8192BytesOfPayload) {
  FramePool pool;
  EXPECT_EQ(make_data(pool, 0, kMaxDataPayload_bytes).size(), 8196U);
  EXPECT_THROW(make_data(pool, 0, kMaxDataPayload_bytes + 1), std::length_error);
}

TEST(Fis, AnotherTypeOrLengthDoesNotDecodeAndChangesNothing) {
  FramePool pool;
  RegisterD2H fis;
  fis.status = 0x77;
  EXPECT_FALSE(decode(frame_of(pool, kReadFpdma), fis));
  Bytes longer = bytes_of(encode(pool, RegisterD2H{}));
  longer.resize(24);
  EXPECT_FALSE(decode(frame_of(pool, longer), fis));
  Bytes shorter(longer.begin(), longer.begin() + 16);
  EXPECT_FALSE(decode(frame_of(pool, shorter), fis));
  EXPECT_EQ(fis.status, 0x77);
}

// Encoding what was decoded from any bytes gives the same bytes, where no reserved bit is set.
template <class Fis>
void round_trip(const Bytes& carried_bits, const char* stream) {
  sim::Stream random(1, stream);
  FramePool pool;
  for (int i = 0; i < 2000; ++i) {
    Bytes bytes = carried_bits;
    for (std::size_t k = 1; k < bytes.size(); ++k) bytes[k] &= static_cast<std::uint8_t>(random.next());
    Fis fis;
    ASSERT_TRUE(decode(frame_of(pool, bytes), fis));
    ASSERT_EQ(bytes_of(encode(pool, fis)), bytes);
  }
}

TEST(Fis, EveryCarriedBitSurvivesTheRoundTrip) {
  const std::uint8_t x = 0xFF;
  round_trip<RegisterH2D>({0x27, 0x8F, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}, "h2d");
  round_trip<RegisterD2H>({0x34, 0x4F, x, x, x, x, x, x, x, x, x, 0, x, x, 0, 0, 0, 0, 0, 0}, "d2h");
  round_trip<SetDeviceBits>({0xA1, 0xCF, 0x77, x, x, x, x, x}, "sdb");
  round_trip<PioSetup>({0x5F, 0x6F, x, x, x, x, x, x, x, x, x, 0, x, x, 0, x, x, x, 0, 0}, "pio");
  round_trip<DmaSetup>({0x41, 0xEF, 0, 0, x, x, x, x, x, x, x, x, 0, 0, 0, 0, x, x, x, x, x, x, x, x, 0, 0, 0, 0},
                       "dma");
}

}  // namespace
}  // namespace ncqlab::sata
