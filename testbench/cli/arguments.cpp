#include "testbench/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <map>
#include <vector>

#include "model/config/nearest_name.h"
#include "testbench/cli/units.h"
#include "testbench/cli/version.h"

namespace ncqlab::cli {

namespace {

const std::map<std::string, lab::HostKind> kHosts{{"bare", lab::HostKind::bare}, {"systemc", lab::HostKind::systemc}};
const std::map<std::string, bool> kOnOff{{"on", true}, {"off", false}};

// An option whose text a parser of units.h turns into a value.
template <class Value, class Parse>
void add_parsed(CLI::App* app, const std::string& name, Value& value, Parse parse, const std::string& help,
                const std::string& form) {
  app->add_option_function<std::string>(
         name,
         [&value, parse, name, form](const std::string& text) {
           const auto parsed = parse(text);
           if (!parsed) throw CLI::ValidationError(name, "found '" + text + "', expected " + form);
           value = *parsed;
         },
         help)
      ->type_name(form);
}

// An option with a few named values.
template <class Value, class Target>
void add_choice(CLI::App* app, const std::string& name, const std::map<std::string, Value>& choices, Target& target,
                const std::string& help) {
  std::string names;
  for (const auto& [choice, value] : choices) names += (names.empty() ? "" : "|") + choice;
  app->add_option_function<std::string>(
         name,
         [&choices, &target, name, names](const std::string& text) {
           const auto found = choices.find(text);
           if (found == choices.end()) throw CLI::ValidationError(name, "found '" + text + "', expected " + names);
           target = found->second;
         },
         help)
      ->type_name(names);
}

void add_host_and_seed(CLI::App* app, lab::HostKind& host, std::uint64_t& seed) {
  add_choice(app, "--host", kHosts, host, "Who owns time; both give the same fingerprint [bare]");
  app->add_option("--seed", seed, "Seed of every random stream")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 32))
      ->capture_default_str();
}

void add_demo(CLI::App& app, DemoOptions& options) {
  CLI::App* demo = app.add_subcommand("demo", "The published NCQ curve of 2009, simulated beside published");
  add_host_and_seed(demo, options.host, options.seed);
  demo->add_flag("!--no-ncq", options.ncq, "Runs ada0 without NCQ as well");
  demo->add_option("--json", options.json, "Also writes the figures as JSON; - for standard output")->type_name("FILE");
}

void add_run(CLI::App& app, RunOptions& options, bool& single) {
  CLI::App* run = app.add_subcommand("run", "One workload on one drive, over several disk layouts");
  add_host_and_seed(run, options.host, options.job.seed);
  run->add_option("--drive", options.drive, "Drive profile: a name (see 'ncqlab profile list') or a file")
      ->capture_default_str();
  run->add_option("--controller", options.controller, "Controller profile: a name or a file")->capture_default_str();
  run->add_option_function<std::string>(
         "--rw",
         [&options](const std::string& text) {
           if (!workload::parse_pattern(text, options.job.rw)) {
             throw CLI::ValidationError(
                 "--rw", "found '" + text + "', expected read, write, randread, randwrite, rw or randrw");
           }
         },
         "Pattern: read, write, randread, randwrite, rw, randrw")
      ->type_name("KIND")
      ->default_str("randread");
  run->add_option("--rwmixread", options.job.rwmixread_percent, "Reads in a mixed pattern, percent")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  add_parsed(run, "--bs", options.job.bs_bytes, parse_bytes, "Block size [4k]", "BYTES such as 4k");
  run->add_option("--iodepth", options.job.iodepth, "Requests kept outstanding")
      ->check(CLI::Range(1, 32))
      ->capture_default_str();
  add_parsed(run, "--offset", options.job.offset_bytes, parse_bytes, "Start of the region [0]", "BYTES such as 1g");
  add_parsed(run, "--size", options.job.size_bytes, parse_bytes, "Size of the region [to the end]", "BYTES such as 1g");
  auto* requests = run->add_option("--requests", options.job.requests, "Requests on each layout [10000]")
                       ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  add_parsed(run, "--time", options.job.time_limit, parse_time, "Simulated time on each layout instead",
             "TIME such as 10s");
  requests->excludes(run->get_option("--time"));
  run->add_option("--fsync", options.job.fsync_every_writes, "Flushes after so many writes; 0: never")
      ->capture_default_str();
  run->add_flag("--fua", options.job.fua, "Every write is forced to the medium");
  add_choice(run, "--write-cache", kOnOff, options.write_cache, "The drive's volatile write cache [the profile's]");
  run->add_option("--bug", options.bugs,
                  "Fault program in the drive: a name (see 'ncqlab bug list') or a file; repeatable")
      ->type_name("NAME|FILE")
      ->take_all();
  run->add_flag("!--no-ncq", options.ncq, "No queued command is issued");
  run->add_option("--layouts", options.layouts, "Disk layouts to run on")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  run->add_flag("--single", single, "One layout only: it may lock in phase with the rotation");
  run->add_option("--json", options.json, "Writes the results as JSON; - for standard output, without the table")
      ->type_name("FILE");
}

void add_profile(CLI::App& app, ProfileOptions& options) {
  CLI::App* profile = app.add_subcommand("profile", "Drives and controllers that can be plugged in");
  profile->require_subcommand(1);
  profile->add_subcommand("list", "All shipped profiles")->callback([&options] {
    options.action = ProfileOptions::Action::list;
  });
  const auto with_name = [&](const char* name, const char* help, ProfileOptions::Action action) {
    CLI::App* command = profile->add_subcommand(name, help);
    const bool makes_one =
        action == ProfileOptions::Action::from_hdparm || action == ProfileOptions::Action::from_diskinfo;
    if (makes_one) {
      command->add_option("file", options.name, "What the tool printed")->required();
    } else {
      command->add_option("name", options.name, "A name or a file")->required();
    }
    command->callback([&options, action] { options.action = action; });
  };
  with_name("show", "One profile with the source of each number", ProfileOptions::Action::show);
  with_name("check", "Everything that is wrong in a profile", ProfileOptions::Action::check);
  with_name("from-hdparm", "A drive profile from 'hdparm --Istdout /dev/sdX', to standard output",
            ProfileOptions::Action::from_hdparm);
  with_name("from-diskinfo", "A drive profile from FreeBSD's 'diskinfo -v -t adaX', to standard output",
            ProfileOptions::Action::from_diskinfo);
}

void add_bug(CLI::App& app, BugOptions& options) {
  CLI::App* bug = app.add_subcommand("bug", "Firmware bugs as data: fault programs (docs/FAULTS.md)");
  bug->require_subcommand(1);
  bug->add_subcommand("names", "Every hook, name and action that a program may use")->callback([&options] {
    options.action = BugOptions::Action::names;
  });
  bug->add_subcommand("list", "All shipped programs")->callback([&options] {
    options.action = BugOptions::Action::list;
  });
  CLI::App* check = bug->add_subcommand("check", "Everything that is wrong in a program");
  check->add_option("name", options.name, "A name or a file")->required();
  check->callback([&options] { options.action = BugOptions::Action::check; });
}

void add_serve(CLI::App& app, ServeQtestOptions& options) {
  CLI::App* serve = app.add_subcommand("serve", "The model for other people's drivers and clients");
  serve->require_subcommand(1);
  CLI::App* qtest = serve->add_subcommand("qtest", "QEMU's qtest line protocol (docs/QTEST.md)");
  qtest->add_option("--controller", options.controller, "Controller profile: a name or a file")->capture_default_str();
  qtest->add_option("--drive", options.drives, "Drive profile, once a drive [qemu-harddisk]")->type_name("NAME|FILE");
  qtest->add_option("--image", options.images, "Raw file of the first drive, of the second and so on [zeros]")
      ->type_name("FILE");
  qtest->add_option("--step", options.step_us, "Machine time that a line takes, in microseconds")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{3'600'000'000}))
      ->capture_default_str();
  add_parsed(qtest, "--ram", options.ram_bytes, parse_bytes, "RAM [128m]", "BYTES such as 128m");
  qtest->add_option("--socket", options.socket, "Unix socket to listen on; - for standard input and output")
      ->type_name("PATH")
      ->capture_default_str();
  qtest->add_flag("--fingerprint", options.fingerprint, "Prints the run's fingerprint on standard error at the end");
}

// The subcommand whose arguments were being parsed.
const CLI::App* innermost(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return at;
}

[[noreturn]] void explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words) {
  const CLI::App* command = innermost(app);
  std::string text = error.what();
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  std::string unknown;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> extras = command->remaining();
    if (!extras.empty()) unknown = extras.front();
  } else if (command->get_subcommands().empty() && command->get_require_subcommand_min() > 0 && !words.empty() &&
             words.back() != command->get_name()) {
    unknown = words.back();
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const CLI::App* sub : command->get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(sub->get_name());
  }
  if (!unknown.empty()) text = "found '" + unknown + "', which is not known here";
  const std::string nearest = unknown.empty() ? "" : config::nearest_name(unknown, known);
  if (!nearest.empty()) text += " (nearest known name: " + nearest + ")";
  std::string path = command->get_name();
  for (const CLI::App* at = command->get_parent(); at != nullptr; at = at->get_parent()) {
    path = at->get_name() + (path.empty() ? "" : " " + path);
  }
  throw UsageError(path + ": " + text + "; '" + path + " --help' tells more");
}

}  // namespace

std::optional<Invocation> parse_arguments(int argc, char** argv) {
  CLI::App app("AHCI + NCQ disk lab: a real driver core on a simulated controller, link and drive", "ncqlab");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("ncqlab ") + kVersion);
  app.footer(
      "Standard output is data, standard error is talk. Exit status: 0 fine, 1 an expectation failed, 2 usage or\n"
      "configuration, 3 the driver or the model misbehaved, 4 internal.");

  DemoOptions demo;
  RunOptions run;
  ProfileOptions profile;
  BugOptions bug;
  ServeQtestOptions serve;
  bool single = false;
  add_demo(app, demo);
  add_run(app, run, single);
  add_profile(app, profile);
  add_bug(app, bug);
  add_serve(app, serve);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    app.exit(asked);  // prints help or version
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    explain(app, error, {argv + 1, argv + argc});
  }
  if (app.got_subcommand("demo")) return demo;
  if (app.got_subcommand("profile")) return profile;
  if (app.got_subcommand("bug")) return bug;
  if (app.got_subcommand("serve")) return serve;
  if (single) run.layouts = 1;
  if (run.job.requests == 0 && run.job.time_limit == 0) run.job.requests = 10'000;
  return run;
}

}  // namespace ncqlab::cli
