// Google Benchmark of the parts that carry the load. items_per_second is requests per CPU second.
#include <benchmark/benchmark.h>

#include "model/host/memory.h"
#include "model/sata/fis.h"
#include "model/sim/actor.h"
#include "model/sim/random.h"
#include "testbench/bench/atlas10k.h"
#include "testbench/bench/disk_load.h"
#include "testbench/bench/stack_load.h"

namespace ncqlab::bench {
namespace {

void disk(benchmark::State& state, Shape shape, unsigned outstanding) {
  DiskLoad load(atlas10k(), shape, outstanding);
  load.serve(1000);
  for (auto _ : state) load.serve(10'000);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 10'000);
}
BENCHMARK_CAPTURE(disk, random_1_outstanding, Shape::random_reads, 1U)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(disk, random_32_outstanding_sptf, Shape::random_reads, 32U)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(disk, sequential, Shape::sequential_reads, 1U)->Unit(benchmark::kMillisecond);

void whole_stack(benchmark::State& state, lab::HostKind host) {
  constexpr std::uint64_t kRequests = 20'000;
  for (auto _ : state) benchmark::DoNotOptimize(serve_whole_stack(host, kRequests));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kRequests));
}
BENCHMARK_CAPTURE(whole_stack, bare_host, lab::HostKind::bare)->Unit(benchmark::kMillisecond);
#ifdef NCQLAB_HAS_SYSTEMC
BENCHMARK_CAPTURE(whole_stack, systemc_host, lab::HostKind::systemc)->Unit(benchmark::kMillisecond);
#endif

// Each event posts its successor at a pseudo-random distance, with so many pending.
class Hopper : private sim::Actor {
 public:
  using Actor::Actor;
  void start(std::uint64_t seed) { hop(seed); }

 private:
  void hop(std::uint64_t value) {
    const std::uint64_t next = sim::mix64(value + 1);
    post_after<&Hopper::hop>(static_cast<sim::Time>(next % 1'000'000), next);
  }
};

void event_queue(benchmark::State& state) {
  sim::EventQueue queue;
  Hopper hopper(queue);
  for (std::int64_t i = 0; i < state.range(0); ++i) hopper.start(static_cast<std::uint64_t>(i));
  for (auto _ : state) queue.run_one();
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(event_queue)->Arg(1)->Arg(32)->Arg(2000);

void fis_round_trip(benchmark::State& state) {
  sata::FramePool pool;
  sata::RegisterH2D fis;
  fis.command_bit = true;
  fis.command = 0x60;
  sata::RegisterH2D decoded;
  for (auto _ : state) {
    ++fis.lba;
    const sata::Frame frame = sata::encode(pool, fis);
    benchmark::DoNotOptimize(sata::decode(frame, decoded));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(fis_round_trip);

// DMA of 512 bytes to pages in random order, of as many pages: what a command list, a received-FIS area and data do.
void memory_access(benchmark::State& state) {
  host::Memory memory;
  const auto pages = static_cast<std::uint64_t>(state.range(0));
  const host::ScatteredBlock block = memory.allocate_scattered(pages * 4096, 4096);
  std::uint8_t sector[512] = {};
  std::uint64_t number = 0;
  for (auto _ : state) {
    const std::uint64_t address = block.addresses[sim::mix64(++number) % pages];
    benchmark::DoNotOptimize(memory.access({address, sector, sizeof(sector), true}, nullptr));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(memory_access)->Arg(1)->Arg(32)->Arg(512)->Arg(8192);

}  // namespace
}  // namespace ncqlab::bench

BENCHMARK_MAIN();
