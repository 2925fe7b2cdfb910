// The platter as the drive has it: contents and defects together, kept up to date by the disk library's passes of the
// head, and what a loss of power makes of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/drive/cache/physical_sectors.h"
#include "model/drive/media/contents.h"
#include "model/drive/media/defects.h"
#include "model/drive/trouble.h"
#include "model/drive/write_pass.h"
#include "model/sim/random.h"

namespace ncqlab::drive {

struct MediaParts {
  const FactoryContents* factory = nullptr;
  const SectorPattern* pattern = nullptr;
  std::uint64_t seed = 0;    // of what becomes of torn sectors,
  std::uint32_t number = 0;  // by drive
  DefectHandling defect_handling;
  PhysicalSectors physical{1, 0};
};

class Media final : public WritePassListener, public TroubleSource {
 public:
  explicit Media(const MediaParts& parts);

  Contents& contents() { return contents_; }
  const Contents& contents() const { return contents_; }
  const Defects& defects() const { return defects_; }
  void add_defect(std::uint64_t lba, const Defect& defect);

  // What the head was doing when the power failed, and what of the buffer the drive saved. A physical sector
  // under the head is torn, each of the three with equal chance: as it was, as it was to be, or unreadable.
  // `finishes_sector`: the drive has the energy to end it.
  void power_off(sim::Time now, const std::optional<WritePassState>& pass, bool finishes_sector,
                 const std::vector<Extent>& saved);

  // WritePassListener
  void write_pass_begins(const Extent& extent) override { contents_.write_pass_begins(extent); }
  void write_pass_ended(sim::Time now, const Extent& extent) override;
  void write_pass_failed(const Extent& lost) override { contents_.drop_buffered(lost); }

  // TroubleSource. A sector whose data stand in the buffer is not read from the platter.
  std::optional<Trouble> first_trouble(Operation operation, const Extent& extent) override;

 private:
  void defects_changed() { set_troubled(!defects_.empty()); }

  DefectHandling handling_;
  PhysicalSectors physical_;
  Contents contents_;
  Defects defects_{handling_};
  sim::Stream torn_;
};

}  // namespace ncqlab::drive
