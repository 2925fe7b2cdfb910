#include "testbench/frontend/qtest/tray_deeds.h"

#include <algorithm>

#include "testbench/frontend/qtest/assemble.h"
#include "testbench/frontend/qtest/text.h"

namespace ncqlab::qtest {

std::optional<std::string> move_tray(Machine& machine, std::string_view deed) {
  if (deed.find('\n') != std::string_view::npos) return "A file's name without a newline is needed";
  const auto take_word = [&deed] {
    const std::size_t end = std::min(deed.find(' '), deed.size());
    const std::string_view word = deed.substr(0, end);
    deed.remove_prefix(std::min(end + 1, deed.size()));
    return word;
  };
  const std::string_view what = take_word();
  const std::string id(take_word());
  OpticalBay* bay = machine.optical(id);
  if (bay == nullptr) return "Device '" + shown(id) + "' not found";
  bool done = true;
  if (what == "open") {
    bay->open_tray();
  } else if (what == "close") {
    bay->close_tray();
  } else if (what == "remove") {
    done = bay->remove();
  } else if (what == "insert") {
    try {
      done = bay->insert(open_image(std::string(deed), true));
    } catch (const ArgumentError& error) {
      return error.what();
    }
  } else {
    return "'" + shown(what) + "' is not known here";
  }
  if (!done) return "Tray of device '" + shown(id) + "' is not open";
  return std::nullopt;
}

}  // namespace ncqlab::qtest
