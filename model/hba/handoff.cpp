#include "model/hba/handoff.h"

#include "model/hba/ahci.h"

namespace ncqlab::hba {

void Handoff::claim(const Firmware& firmware) {
  forget();
  firmware_ = firmware;
  claimed_ = true;
  *bohc_ = kBOHC_BOS | kBOHC_SOOE;
}

void Handoff::written(std::uint32_t before) {
  if ((~before & *bohc_ & kBOHC_OOS) == 0) return;
  *bohc_ |= kBOHC_OOC;
  if ((*bohc_ & kBOHC_SOOE) == 0) return;
  trace_->record(
      {now(), sim::Kind::controller, 0, static_cast<std::uint64_t>(Happening::system_management_interrupt), 0, 0});
  if (claimed_) post_after<&Handoff::respond>(firmware_.response_time);
}

void Handoff::respond(std::uint64_t /*unused*/) {
  *bohc_ &= ~kBOHC_OOC;
  if (firmware_.clean_up_time == 0) return release(0);
  *bohc_ |= kBOHC_BB;
  post_after<&Handoff::release>(firmware_.clean_up_time);
}

void Handoff::release(std::uint64_t /*unused*/) {
  *bohc_ &= ~(kBOHC_BOS | kBOHC_BB);
  claimed_ = false;
  trace_->record({now(), sim::Kind::controller, 0, static_cast<std::uint64_t>(Happening::ownership_released), 0, 0});
}

void Handoff::forget() {
  drop_pending_events();
  claimed_ = false;
}

}  // namespace ncqlab::hba
