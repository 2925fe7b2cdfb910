// skip: success is reported without it having been done.
#include "model/faults/action.h"

namespace ncqlab::faults {

namespace {

class Skip final : public Action {
 public:
  explicit Skip(std::size_t part) : bit_(1U << part) {}
  void act(Occasion& occasion) const override { occasion.verdict.skips |= bit_; }

 private:
  std::uint32_t bit_;
};

std::shared_ptr<const Action> make(Arguments& arguments) {
  const std::string what = arguments.name("what");
  if (what.empty()) return nullptr;
  const auto& parts = arguments.hook().skips;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (what == parts[i]) return std::make_shared<Skip>(i);
  }
  std::string expected = "what " + std::string(arguments.hook().name) + " can skip:";
  for (const char* part : parts) expected += std::string(" ") + part;
  arguments.wrong("what", "found '" + what + "'", expected, what, {parts.begin(), parts.end()});
  return nullptr;
}

}  // namespace

ActionKind skip_action() {
  return {"skip", "what (flush, fua, media, feature)", "success is reported without it having been done", make};
}

}  // namespace ncqlab::faults
