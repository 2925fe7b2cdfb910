// A frame on its way: the bytes of one FIS, without SOF, CRC and EOF (the link accounts for those).
//
// The longest is a Data FIS with 8192 bytes of payload behind its 4-byte header (SATA 3.x, 10.5.11). Frames come from a
// pool and are passed by moving; a Data FIS is therefore copied twice: from the drive's buffer into the frame, and
// from the frame into guest memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace ncqlab::sata {

inline constexpr std::uint32_t kMaxDataPayload_bytes = 8192;
inline constexpr std::uint32_t kMaxFrame_bytes = 4 + kMaxDataPayload_bytes;

struct FrameStorage {
  std::uint32_t size = 0;
  std::uint8_t bytes[kMaxFrame_bytes];
};

class FramePool;

class Frame {
 public:
  Frame() = default;
  Frame(Frame&& other) noexcept : pool_(other.pool_), storage_(other.storage_) { other.storage_ = nullptr; }
  Frame& operator=(Frame&& other) noexcept {
    FrameStorage* const taken = other.storage_;
    other.storage_ = nullptr;
    if (storage_ != nullptr) release();
    pool_ = other.pool_;
    storage_ = taken;
    return *this;
  }
  ~Frame() {
    if (storage_ != nullptr) release();
  }

  std::uint8_t* data() { return storage_->bytes; }
  const std::uint8_t* data() const { return storage_->bytes; }
  std::uint32_t size() const { return storage_->size; }
  bool valid() const { return storage_ != nullptr; }
  // Cuts the frame to its first `size` bytes, size <= this->size().
  void truncate(std::uint32_t size) { storage_->size = size; }
  // Another frame of the same pool with the same bytes.
  Frame copy() const;
  // The FIS type byte (SATA 3.x, 10.5.1).
  std::uint8_t type() const { return storage_->bytes[0]; }

 private:
  friend class FramePool;
  Frame(FramePool* pool, FrameStorage* storage) : pool_(pool), storage_(storage) {}
  void release();

  FramePool* pool_ = nullptr;
  FrameStorage* storage_ = nullptr;
};

// One per machine; outlives every frame.
class FramePool {
 public:
  // A frame of `size` bytes, size <= kMaxFrame_bytes; contents undefined.
  Frame make(std::uint32_t size);

 private:
  friend class Frame;
  std::vector<std::unique_ptr<FrameStorage>> storages_;
  std::vector<FrameStorage*> free_;
};

}  // namespace ncqlab::sata
