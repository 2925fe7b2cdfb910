// Frames that come to nothing: damage on the line, R_ERR, SYNC escape.
#include <stdexcept>

#include "model/sata/crc.h"
#include "model/sata/link.h"

namespace ncqlab::sata {

// The frame is at its end, on a link with faults: false when it came to nothing, and that is dealt with. What is sent
// again is the sender's copy: the line may have changed the frame, and the receiver may take it.
bool Link::survives_faults() {
  Frame sent = under_way_.copy();
  Damage damage = faults_->on_frame(direction_, under_way_);
  if (damage == Damage::none && crc(under_way_) != crc(sent)) damage = Damage::crc;
  if (damage == Damage::none) return true;

  LinkEnd& receiver = *sender(opposite(direction_)).end;
  const std::uint64_t losses = losses_;
  if (damage == Damage::handshake) {
    trace_frame();
    receiver.frame_received(under_way_);
    refused_ = false;
  } else {
    receiver.frame_damaged(under_way_, damage);
  }
  under_way_ = std::move(sent);
  trace_error(damage);
  if (losses == losses_) answer_refused(damage == Damage::aborted ? Refusal::sync : Refusal::r_err);
  return false;
}

// The receiver has called refuse().
void Link::received_refused() {
  refused_ = false;
  if (!under_way_.valid()) throw std::logic_error("a frame was taken and refused");
  trace_error(Damage::refused);
  answer_refused(Refusal::r_err);
}

// Tells the sender, who may have the frame sent again: then it waits like a new one.
void Link::answer_refused(Refusal refusal) {
  Sender& from = sender(direction_);
  const std::uint64_t losses = losses_;
  ++from.attempts;
  const bool again = from.end->frame_refused(under_way_, refusal, from.attempts);
  if (losses != losses_) return;
  if (!again) {
    from.attempts = 0;
    return;
  }
  if (from.waiting.valid()) throw std::logic_error("an end sent a frame before the one before had arrived");
  from.waiting = std::move(under_way_);
}

bool Link::sync_escape(Direction own) {
  if (line_ != Line::carrying) return false;
  ++token_;
  line_ = Line::delivering;
  trace_error(Damage::aborted);
  if (direction_ == own) {
    sender(own).attempts = 0;
    sender(opposite(own)).end->frame_damaged(under_way_, Damage::aborted);
  } else {
    answer_refused(Refusal::sync);
  }
  line_ = Line::idle;
  under_way_ = Frame();
  start_next();
  return true;
}

void Link::trace_error(Damage damage) {
  const std::uint64_t pm_port = under_way_.size() > 1 ? under_way_.data()[1] & 0x0F : 0;
  trace_->record({now(), sim::Kind::link_error, port_, pm_port << 8 | under_way_.type(),
                  static_cast<std::uint64_t>(direction_), static_cast<std::uint64_t>(damage)});
}

}  // namespace ncqlab::sata
