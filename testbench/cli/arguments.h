// The command line as data. CLI11 is used in arguments.cpp only.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "testbench/lab/experiment.h"
#include "testbench/lab/fabric.h"
#include "testbench/workload/job.h"

namespace ncqlab::cli {

// What was asked for cannot be understood or done: exit status 2. One line a problem.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DemoOptions {
  lab::HostKind host = lab::HostKind::bare;
  std::uint64_t seed = 1;
  bool ncq = true;
  std::string json;  // empty: none
};

struct RunOptions {
  lab::HostKind host = lab::HostKind::bare;
  std::string drive = "st31000340as";
  std::string controller = "generic";
  workload::JobOptions job;
  bool ncq = true;
  std::optional<bool> write_cache;
  std::vector<std::string> bugs;  // fault programs: names or files
  unsigned layouts = lab::kDefaultLayouts;
  std::string json;
};

struct ProfileOptions {
  enum class Action { list, show, check, from_hdparm, from_diskinfo } action = Action::list;
  std::string name;
};

struct BugOptions {
  enum class Action { names, list, check } action = Action::names;
  std::string name;
};

struct ServeQtestOptions {
  std::string controller = "qemu-ich9";
  std::vector<std::string> drives;  // none: one qemu-harddisk
  std::vector<std::string> images;  // of the drives, in their order
  std::uint64_t step_us = 100;
  std::uint64_t ram_bytes = 128ULL << 20;
  std::string socket = "-";  // or where to listen
  bool fingerprint = false;
};

using Invocation = std::variant<DemoOptions, RunOptions, ProfileOptions, BugOptions, ServeQtestOptions>;

// Nothing when the arguments only asked for help or the version, which has been printed. Throws UsageError.
std::optional<Invocation> parse_arguments(int argc, char** argv);

}  // namespace ncqlab::cli
