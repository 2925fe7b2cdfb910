#include "testbench/frontend/qtest/monitor.h"

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "testbench/frontend/qtest/sockets.h"
#include "testbench/frontend/qtest/text.h"

namespace ncqlab::qtest {

namespace {

using Json = nlohmann::json;

// An answer of class GenericError.
class CommandError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\r\n"; }

Json error_answer(const char* error_class, const std::string& what) {
  return {{"error", {{"class", error_class}, {"desc", what}}}};
}

const char* name_of(RunState state) {
  switch (state) {
    case RunState::prelaunch:
      return "prelaunch";
    case RunState::running:
      return "running";
    case RunState::paused:
      return "paused";
    case RunState::io_error:
      return "io-error";
    case RunState::inmigrate:
      return "inmigrate";
    case RunState::postmigrate:
      break;
  }
  return "postmigrate";
}

const char* name_of(BlockEvent event) { return event == BlockEvent::read ? "read" : "write"; }

Json event_object(const Event& event) {
  Json object;
  switch (event.kind) {
    case Event::Kind::stop:
      object["event"] = "STOP";
      break;
    case Event::Kind::resume:
      object["event"] = "RESUME";
      break;
    case Event::Kind::block_io_error:
      object["event"] = "BLOCK_IO_ERROR";
      object["data"] = {{"device", event.error.device},
                        {"operation", name_of(event.error.event)},
                        {"action", "stop"},
                        {"nospace", false},
                        {"reason", std::strerror(event.error.error)}};
      break;
    case Event::Kind::tray_moved:
      object["event"] = "DEVICE_TRAY_MOVED";
      object["data"] = {{"device", ""}, {"id", event.tray.id}, {"tray-open", event.tray.open}};
      break;
  }
  object["timestamp"] = {{"seconds", event.time / sim::kSecond},
                         {"microseconds", event.time % sim::kSecond / sim::kMicrosecond}};
  return object;
}

std::string text_argument(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  if (found == arguments.end() || !found->is_string()) {
    throw CommandError(std::string("Parameter '") + name + "' is missing");
  }
  return found->get<std::string>();
}

Json version() {
  return {{"qemu", {{"major", 7}, {"minor", 2}, {"micro", 0}}}, {"package", "ncqlab, with QEMU's arguments"}};
}

}  // namespace

// One function a command; each returns the value of "return", or throws CommandError.
struct Monitor::Commands {
  using Handler = Json (*)(Monitor& monitor, const Json& arguments);

  static Json nothing(Monitor&, const Json&) { return Json::object(); }
  static Json query_version(Monitor&, const Json&) { return version(); }

  static Json query_status(Monitor& monitor, const Json&) {
    const RunState state = monitor.session_->state();
    return {{"status", name_of(state)}, {"running", state == RunState::running}, {"singlestep", false}};
  }
  static Json stop(Monitor& monitor, const Json&) {
    monitor.session_->stop();
    return Json::object();
  }
  static Json cont(Monitor& monitor, const Json&) {
    const RunState state = monitor.session_->state();
    if (state == RunState::inmigrate) throw CommandError("The machine has not arrived yet");
    if (state == RunState::postmigrate) throw CommandError("The machine has gone");
    monitor.session_->resume();
    return Json::object();
  }
  static Json quit(Monitor& monitor, const Json&) {
    monitor.quit_ = true;
    return Json::object();
  }
  static Json migrate(Monitor& monitor, const Json& arguments) {
    const RunState state = monitor.session_->state();
    if (state == RunState::inmigrate || state == RunState::postmigrate) {
      throw CommandError("There is no machine here to migrate");
    }
    const std::string uri = text_argument(arguments, "uri");
    if (uri.rfind("unix:", 0) != 0) throw CommandError("A machine migrates to unix:PATH");
    monitor.migration_ = "failed";
    const FileDescriptor connection = connect_unix(uri.substr(5));
    if (!send_all(connection.get(), monitor.session_->history())) {
      throw CommandError("The other side closed the connection");
    }
    end_sending(connection.get());
    if (receive_all(connection.get(), kMigrated.size()) != kMigrated) {
      throw CommandError("The other side did not take the machine");
    }
    monitor.session_->migrate_away();
    monitor.migration_ = "completed";
    return Json::object();
  }
  static Json query_migrate(Monitor& monitor, const Json&) {
    if (*monitor.migration_ == '\0') return Json::object();
    return {{"status", monitor.migration_}};
  }
  static Json move_tray(Monitor& monitor, const std::string& deed) {
    if (const auto problem = monitor.session_->move_tray(deed)) throw CommandError(*problem);
    return Json::object();
  }
  static Json open_tray(Monitor& monitor, const Json& arguments) {
    return move_tray(monitor, "open " + text_argument(arguments, "id"));
  }
  static Json close_tray(Monitor& monitor, const Json& arguments) {
    return move_tray(monitor, "close " + text_argument(arguments, "id"));
  }
  static Json remove_medium(Monitor& monitor, const Json& arguments) {
    return move_tray(monitor, "remove " + text_argument(arguments, "id"));
  }
  // What can be added is a medium for a tray: a file, with or without the raw format above it.
  static Json add_node(Monitor& monitor, const Json& arguments) {
    const std::string name = text_argument(arguments, "node-name");
    const std::string driver = text_argument(arguments, "driver");
    if (driver == "file") {
      monitor.nodes_[name] = text_argument(arguments, "filename");
    } else if (driver == "raw") {
      const auto file = arguments.find("file");
      if (file == arguments.end() || !file->is_object()) throw CommandError("Parameter 'file' is missing");
      monitor.nodes_[name] = text_argument(*file, "filename");
    } else {
      throw CommandError("Parameter 'driver' is file or raw");
    }
    return Json::object();
  }
  static Json insert_medium(Monitor& monitor, const Json& arguments) {
    const auto node = monitor.nodes_.find(text_argument(arguments, "node-name"));
    if (node == monitor.nodes_.end()) throw CommandError("Node not found");
    return move_tray(monitor, "insert " + text_argument(arguments, "id") + ' ' + node->second);
  }
  static Json query_commands(Monitor&, const Json&) {
    Json names = Json::array();
    for (const auto& [name, handler] : table()) names.push_back({{"name", name}});
    return names;
  }

  static const std::map<std::string, Handler>& table() {
    static const std::map<std::string, Handler> kTable = {
        {"blockdev-add", &add_node},
        {"blockdev-close-tray", &close_tray},
        {"blockdev-insert-medium", &insert_medium},
        {"blockdev-open-tray", &open_tray},
        {"blockdev-remove-medium", &remove_medium},
        {"cont", &cont},
        {"migrate", &migrate},
        {"migrate-set-capabilities", &nothing},
        {"migrate-set-parameters", &nothing},
        {"qmp_capabilities", &nothing},
        {"query-commands", &query_commands},
        {"query-migrate", &query_migrate},
        {"query-status", &query_status},
        {"query-version", &query_version},
        {"quit", &quit},
        {"stop", &stop},
    };
    return kTable;
  }
};

std::string Monitor::greeting() const {
  return line_of({{"QMP", {{"version", version()}, {"capabilities", Json::array()}}}});
}

std::string Monitor::refuse() const { return line_of(error_answer("GenericError", "JSON parse error")); }

std::string Monitor::execute(std::string_view object) {
  const Json request = Json::parse(object, nullptr, false);
  if (!request.is_object()) return refuse();
  const auto command = request.find("execute");
  const auto found_arguments = request.find("arguments");
  const Json arguments = found_arguments == request.end() ? Json::object() : *found_arguments;
  Json answer;
  if (command == request.end() || !command->is_string() || !arguments.is_object()) {
    answer = error_answer("GenericError", "Expected {\"execute\": NAME, \"arguments\": {...}}");
  } else {
    const auto name = command->get<std::string>();
    const auto found = Commands::table().find(name);
    if (found == Commands::table().end()) {
      answer = error_answer("CommandNotFound", "The command " + shown(name) + " has not been found");
    } else if (negotiated_ == (name == "qmp_capabilities")) {
      answer = error_answer("CommandNotFound", negotiated_ ? "Capabilities have been negotiated already"
                                                           : "Expecting capabilities negotiation: qmp_capabilities");
    } else {
      try {
        answer = {{"return", found->second(*this, arguments)}};
        negotiated_ = true;
      } catch (const std::runtime_error& error) {
        answer = error_answer("GenericError", error.what());
      }
    }
  }
  if (const auto id = request.find("id"); id != request.end()) answer["id"] = *id;
  return events() + line_of(answer);
}

std::string Monitor::events() {
  if (!negotiated_) return {};
  std::string text;
  for (const Event& event : session_->take_events()) text += line_of(event_object(event));
  return text;
}

}  // namespace ncqlab::qtest
