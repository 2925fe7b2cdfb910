#include "model/drive/media/defects.h"

namespace ncqlab::drive {

void Defects::add(std::uint64_t lba, const Defect& defect) {
  const auto [place, is_new] = defects_.try_emplace(lba, defect);
  const bool was_pending = !is_new && place->second.kind != Defect::Kind::slow;
  // A damaged place stays damaged whatever else is said of it.
  if (is_new || place->second.kind != Defect::Kind::damaged) place->second = defect;
  if (!was_pending && defect.kind != Defect::Kind::slow) ++pending_;
  if (was_pending && place->second.kind == Defect::Kind::slow) --pending_;
}

std::optional<Trouble> Defects::first_trouble(Operation operation, const Extent& extent) const {
  for (auto defect = defects_.lower_bound(extent.first); defect != defects_.end() && defect->first < extent.end;
       ++defect) {
    const auto& [lba, what] = *defect;
    const bool slow = what.kind == Defect::Kind::slow;
    if (operation == Operation::read) {
      return Trouble{lba, slow ? what.revolutions : handling_.read_retry_revolutions, !slow};
    }
    if (what.kind == Defect::Kind::damaged) {
      return Trouble{lba, handling_.reallocation_revolutions, spares_left_ == 0};
    }
  }
  return std::nullopt;
}

void Defects::written(const Extent& extent) {
  for (auto defect = defects_.lower_bound(extent.first); defect != defects_.end() && defect->first < extent.end;) {
    const Defect::Kind kind = defect->second.kind;
    if (kind == Defect::Kind::slow) {
      ++defect;
      continue;
    }
    if (kind == Defect::Kind::damaged) {
      ++reallocated_;
      if (spares_left_ != 0) --spares_left_;
    }
    --pending_;
    defect = defects_.erase(defect);
  }
}

std::optional<std::uint64_t> Defects::first_pending() const {
  for (const auto& [lba, defect] : defects_) {
    if (defect.kind != Defect::Kind::slow) return lba;
  }
  return std::nullopt;
}

}  // namespace ncqlab::drive
