// One load of a given length and nothing else, for counting instructions: once WHICH REQUESTS.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "testbench/bench/atlas10k.h"
#include "testbench/bench/disk_load.h"
#include "testbench/bench/stack_load.h"

namespace {

// Each write then waits until a destage has made room.
void write_to_full_cache(unsigned entries, std::uint64_t requests) {
  using namespace ncqlab;
  bench::DiskLoad load(bench::with_dirty_entries(entries), bench::Shape::random_writes, 1);
  load.serve(entries);
  load.serve(requests);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace ncqlab;
  const auto is = [&](const char* name) { return argc == 3 && std::strcmp(argv[1], name) == 0; };
  const std::uint64_t requests = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (is("disk-random-1")) {
    bench::DiskLoad(bench::atlas10k(), bench::Shape::random_reads, 1).serve(requests);
  } else if (is("disk-random-32")) {
    bench::DiskLoad(bench::atlas10k(), bench::Shape::random_reads, 32).serve(requests);
  } else if (is("disk-sequential")) {
    bench::DiskLoad(bench::atlas10k(), bench::Shape::sequential_reads, 1).serve(requests);
  } else if (is("disk-dirty-48")) {
    write_to_full_cache(48, requests);
  } else if (is("disk-dirty-4800")) {
    write_to_full_cache(4800, requests);
  } else if (is("stack-bare")) {
    bench::serve_whole_stack(lab::HostKind::bare, requests);
  } else if (is("stack-systemc")) {
    bench::serve_whole_stack(lab::HostKind::systemc, requests);
  } else {
    std::fprintf(
        stderr,
        "once disk-random-1|disk-random-32|disk-sequential|disk-dirty-48|disk-dirty-4800|stack-bare|stack-systemc "
        "REQUESTS\n");
    return 2;
  }
  return 0;
}
