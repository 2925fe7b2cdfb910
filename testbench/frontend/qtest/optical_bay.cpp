#include "testbench/frontend/qtest/optical_bay.h"

#include <utility>

namespace ncqlab::qtest {

namespace {

drive::Medium medium_of(const drive::ImageContents* disc) {
  if (disc == nullptr) return {};
  return {disc, static_cast<std::uint32_t>(disc->sectors() / (drive::kBlock_bytes / drive::kSector_bytes))};
}

}  // namespace

OpticalBay::OpticalBay(const Parts& parts, sata::Link& link)
    : id_(parts.id),
      profile_(parts.profile),
      disc_(parts.disc),
      moves_(&parts.moves),
      link_(&link),
      drive_(profile_, {parts.queue, parts.frames, medium_of(disc_.get())}) {
  drive_.set_listener(this);
  drive_.connect(&link.device_side());
  link.plug(&drive_);
}

OpticalBay::~OpticalBay() { link_->unplug(); }

void OpticalBay::open_tray() {
  if (!drive_.unit().locked()) drive_.open_tray();
}

bool OpticalBay::insert(std::shared_ptr<drive::ImageContents> disc) {
  if (!drive_.insert(medium_of(disc.get()))) return false;
  disc_ = std::move(disc);
  return true;
}

bool OpticalBay::remove() {
  if (!drive_.remove()) return false;
  disc_ = nullptr;
  return true;
}

}  // namespace ncqlab::qtest
