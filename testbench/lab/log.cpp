#include "testbench/lab/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace ncqlab::lab {

namespace {

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
    case Level::silent:
      break;
  }
  return spdlog::level::off;
}

spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = spdlog::stderr_logger_mt("ncqlab");
    made->set_pattern("[%l] %v");
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *instance;
}

}  // namespace

void set_log_level(Level level) { logger().set_level(to_spdlog(level)); }

bool logs(Level level) { return logger().should_log(to_spdlog(level)); }

void log(Level level, sim::Time now, std::string_view who, std::string_view text) {
  if (logs(level)) logger().log(to_spdlog(level), "{:.6f} ms {}: {}", sim::to_ms(now), who, text);
}

}  // namespace ncqlab::lab
