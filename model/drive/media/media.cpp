#include "model/drive/media/media.h"

#include <algorithm>
#include <string>

namespace ncqlab::drive {

Media::Media(const MediaParts& parts)
    : handling_(parts.defect_handling),
      physical_(parts.physical),
      contents_(parts.factory, parts.pattern),
      torn_(parts.seed, "torn sectors of drive " + std::to_string(parts.number)) {}

void Media::add_defect(std::uint64_t lba, const Defect& defect) {
  defects_.add(lba, defect);
  defects_changed();
}

void Media::write_pass_ended(sim::Time now, const Extent& extent) {
  contents_.write_pass_ended(now, extent);
  if (defects_.empty()) return;
  defects_.written(extent);
  defects_changed();
}

std::optional<Trouble> Media::first_trouble(Operation operation, const Extent& extent) {
  Extent rest = extent;
  for (;;) {
    const auto trouble = defects_.first_trouble(operation, rest);
    const bool on_platter =
        trouble && (operation != Operation::read || contents_.place_of(trouble->lba) == Contents::Place::platter);
    if (!trouble || on_platter) return trouble;
    rest.first = trouble->lba + 1;
  }
}

void Media::power_off(sim::Time now, const std::optional<WritePassState>& pass, bool finishes_sector,
                      const std::vector<Extent>& saved) {
  if (!pass) return contents_.power_off(now, 0, saved);
  std::uint64_t written_end = pass->written_end;
  const bool has_begun = written_end > pass->extent.first && written_end < pass->extent.end;
  if (pass->within_sector || (has_begun && physical_.cut_at(written_end))) {
    enum : std::uint64_t { old_data, new_data, lost, outcomes };
    const std::uint64_t outcome = finishes_sector ? std::uint64_t{new_data} : torn_.below(outcomes);
    const Extent torn = physical_.extent(physical_.of(written_end));
    written_end = outcome == new_data ? std::min(torn.end, pass->extent.end) : std::max(torn.first, pass->extent.first);
    if (outcome == lost) {
      for (std::uint64_t lba = torn.first; lba < torn.end; ++lba) add_defect(lba, {Defect::Kind::unreadable});
    }
  }
  contents_.power_off(now, written_end, saved);
  defects_.written({pass->extent.first, written_end});
  defects_changed();
}

}  // namespace ncqlab::drive
