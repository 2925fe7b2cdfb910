// fail: the command ends with this status and error.
#include <algorithm>
#include <string_view>

#include "model/faults/action.h"

namespace ncqlab::faults {

namespace {

// Bits of the registers by name (ACS-3, 6.2 and 6.3).
const std::vector<std::pair<std::string, std::int64_t>> kErrorBits = {
    {"ICRC", 0x80}, {"UNC", 0x40}, {"IDNF", 0x10}, {"ABRT", 0x04}};
const std::vector<std::pair<std::string, std::int64_t>> kStatusBits = {
    {"DRDY", 0x40}, {"DF", 0x20}, {"DSC", 0x10}, {"DRQ", 0x08}, {"ERR", 0x01}};

class Fail final : public Action {
 public:
  std::unique_ptr<Code> status, error, lba;
  bool abort_all = true;

  void act(Occasion& occasion) const override {
    if (occasion.verdict.failure) return;
    Verdict::Failure failure;
    if (status != nullptr) failure.status = static_cast<std::uint8_t>(status->value(occasion));
    if (error != nullptr) failure.error = static_cast<std::uint8_t>(error->value(occasion));
    if (lba != nullptr) failure.lba = static_cast<std::uint64_t>(lba->value(occasion)) & 0xFFFF'FFFF'FFFFULL;
    failure.abort_all = abort_all;
    occasion.verdict.failure = failure;
  }
};

bool offered(Arguments& arguments, const char* key, bool& good) {
  const auto& fails = arguments.hook().fails;
  if (std::any_of(fails.begin(), fails.end(), [key](const char* one) { return std::string_view(one) == key; })) {
    return true;
  }
  std::string expected = "what a failure at " + std::string(arguments.hook().name) + " takes:";
  for (const char* one : fails) expected += std::string(" ") + one;
  arguments.wrong(key, std::string("found \"") + key + '"', expected);
  good = false;
  return false;
}

std::shared_ptr<const Action> make(Arguments& arguments) {
  auto fail = std::make_shared<Fail>();
  bool good = true;
  const auto read = [&](const char* key, const auto& constants, std::unique_ptr<Code>& to) {
    if (!arguments.has(key) || !offered(arguments, key, good)) return;
    Scope scope = arguments.scope();
    scope.constants = constants;
    to = arguments.expression(key, scope, Type::integer);
    good = good && to != nullptr;
  };
  read("status", kStatusBits, fail->status);
  read("error", kErrorBits, fail->error);
  read("lba", std::vector<std::pair<std::string, std::int64_t>>(), fail->lba);
  if (arguments.has("abort_all") && offered(arguments, "abort_all", good)) {
    fail->abort_all = arguments.flag("abort_all", true);
  }
  if (!good) return nullptr;
  return fail;
}

}  // namespace

ActionKind fail_action() { return {"fail", "status, error, lba, abort_all", "the command ends with an error", make}; }

}  // namespace ncqlab::faults
