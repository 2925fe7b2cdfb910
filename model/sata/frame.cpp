#include "model/sata/frame.h"

#include <cstring>
#include <stdexcept>
#include <utility>

namespace ncqlab::sata {

void Frame::release() { pool_->free_.push_back(std::exchange(storage_, nullptr)); }

Frame Frame::copy() const {
  Frame made = pool_->make(size());
  std::memcpy(made.data(), data(), size());
  return made;
}

Frame FramePool::make(std::uint32_t size) {
  if (size > kMaxFrame_bytes) throw std::length_error("a frame longer than 8196 bytes");
  if (free_.empty()) {
    storages_.push_back(std::make_unique<FrameStorage>());
    free_.reserve(storages_.size());
    free_.push_back(storages_.back().get());
  }
  FrameStorage* storage = free_.back();
  free_.pop_back();
  storage->size = size;
  return Frame(this, storage);
}

}  // namespace ncqlab::sata
