// What hands do to an optical drive, as one line of text, so that it can be recorded and done again:
//
//   open ID    close ID    remove ID    insert ID FILE
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "testbench/frontend/qtest/machine.h"

namespace ncqlab::qtest {

// What is wrong with the deed, or nothing.
std::optional<std::string> move_tray(Machine& machine, std::string_view deed);

}  // namespace ncqlab::qtest
