// The ncqlab command: exit status 0 fine, 1 an expectation failed, 2 usage or configuration, 3 the driver or the model
// misbehaved, 4 internal.
#include <malloc.h>

#include <cstdio>
#include <exception>

#include "model/config/error.h"
#include "testbench/cli/commands.h"
#include "testbench/lab/rig.h"
#include "testbench/report/output_file.h"

namespace ncqlab::cli {

void write_result(const std::string& path, const std::string& text) {
  if (const auto error = report::write_output(path, text)) throw UsageError(*error);
}

namespace {

int dispatch(int argc, char** argv) {
  const auto invocation = parse_arguments(argc, argv);
  if (!invocation) return 0;
  if (const auto* options = std::get_if<DemoOptions>(&*invocation)) return demo(*options);
  if (const auto* options = std::get_if<RunOptions>(&*invocation)) return run(*options);
  if (const auto* options = std::get_if<BugOptions>(&*invocation)) return bug(*options);
  if (const auto* options = std::get_if<ServeQtestOptions>(&*invocation)) return serve_qtest(*options);
  return profile(std::get<ProfileOptions>(*invocation));
}

int failed(const char* text, int status) {
  std::fprintf(stderr, "%s\n", text);
  return status;
}

}  // namespace
}  // namespace ncqlab::cli

int main(int argc, char** argv) {
  using namespace ncqlab;
  // Hundreds of machines are made one after another: what one has freed serves the next, instead of going back to the
  // system page by page.
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  try {
    return cli::dispatch(argc, argv);
  } catch (const config::ConfigError& error) {
    return cli::failed(error.what(), 2);
  } catch (const cli::UsageError& error) {
    return cli::failed(error.what(), 2);
  } catch (const lab::Misbehaviour& error) {
    std::fprintf(stderr, "%srepeat:", error.what());
    for (int i = 0; i < argc; ++i) std::fprintf(stderr, " %s", i == 0 ? "ncqlab" : argv[i]);
    std::fputc('\n', stderr);
    return 3;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", error.what());
    return 4;
  }
}
