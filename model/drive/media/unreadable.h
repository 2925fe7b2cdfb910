// Sectors whose data cannot be read back. A write makes a sector readable again: the head lays down new data and a new
// error correcting code.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

namespace ncqlab::drive {

class UnreadableSectors {
 public:
  bool empty() const { return sectors_.empty(); }
  std::size_t count() const { return sectors_.size(); }
  std::optional<std::uint64_t> first() const {
    return sectors_.empty() ? std::nullopt : std::optional<std::uint64_t>(*sectors_.begin());
  }
  void add(std::uint64_t lba) { sectors_.insert(lba); }
  void written(std::uint64_t lba, std::uint32_t sectors) {
    sectors_.erase(sectors_.lower_bound(lba), sectors_.lower_bound(lba + sectors));
  }
  // How many sectors from `lba` on can be read, at most `sectors`.
  std::uint32_t readable(std::uint64_t lba, std::uint32_t sectors) const {
    const auto first = sectors_.lower_bound(lba);
    if (first == sectors_.end() || *first >= lba + sectors) return sectors;
    return static_cast<std::uint32_t>(*first - lba);
  }

 private:
  std::set<std::uint64_t> sectors_;
};

}  // namespace ncqlab::drive
