#include "model/faults/action.h"

namespace ncqlab::faults {

const std::vector<ActionKind>& action_kinds() {
  static const std::vector<ActionKind> kKinds = {set_action(), fail_action(), skip_action(), delay_action()};
  return kKinds;
}

}  // namespace ncqlab::faults
