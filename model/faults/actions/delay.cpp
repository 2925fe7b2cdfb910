// delay: the event is held back for a time.
#include "model/faults/action.h"

namespace ncqlab::faults {

namespace {

class Delay final : public Action {
 public:
  explicit Delay(sim::Time time) : time_(time) {}
  void act(Occasion& occasion) const override { occasion.verdict.delay += time_; }

 private:
  sim::Time time_;
};

std::shared_ptr<const Action> make(Arguments& arguments) {
  const sim::Time time = arguments.time("time");
  if (time <= 0) return nullptr;
  return std::make_shared<Delay>(time);
}

}  // namespace

ActionKind delay_action() {
  return {"delay", "time_s, time_ms, time_us or time_ns", "the event is held back for a time; several delays add up",
          make};
}

}  // namespace ncqlab::faults
