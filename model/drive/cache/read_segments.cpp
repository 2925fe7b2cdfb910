#include "model/drive/cache/read_segments.h"

#include <algorithm>

namespace ncqlab::drive {

ReadSegments::Segment* ReadSegments::find(std::uint64_t lba) {
  for (Segment& segment : segments_) {
    if (segment.first <= lba && lba < segment.end) {
      segment.last_use = ++clock_;
      return &segment;
    }
  }
  return nullptr;
}

void ReadSegments::store(std::uint64_t first, std::uint64_t end) {
  if (first >= end || segments_.empty()) return;
  Segment* target = &segments_.front();
  for (Segment& segment : segments_) {
    if (segment.first < segment.end && segment.first <= first && first <= segment.end) {
      first = segment.first;
      end = std::max(end, segment.end);
      target = &segment;
      break;
    }
    if (segment.last_use < target->last_use) target = &segment;
  }
  target->end = end;
  target->first = end - first > capacity_ ? end - capacity_ : first;
  target->last_use = ++clock_;
}

void ReadSegments::drop(std::uint64_t first, std::uint64_t end) {
  for (Segment& segment : segments_) {
    if (segment.first < end && first < segment.end) segment = Segment{};
  }
}

void ReadSegments::keep_within(std::uint64_t sectors) {
  std::uint64_t held = 0;
  for (const Segment& segment : segments_) held += segment.end - segment.first;
  while (held > sectors) {
    Segment* oldest = nullptr;
    for (Segment& segment : segments_) {
      const bool empty = segment.first == segment.end;
      if (!empty && (oldest == nullptr || segment.last_use < oldest->last_use)) oldest = &segment;
    }
    held -= oldest->end - oldest->first;
    *oldest = Segment{};
  }
}

void ReadSegments::clear() {
  for (Segment& segment : segments_) segment = Segment{};
}

}  // namespace ncqlab::drive
