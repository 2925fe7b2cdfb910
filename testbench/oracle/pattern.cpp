#include "testbench/oracle/pattern.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace ncqlab::oracle {

namespace {

// Two words at a time, unrolled by hand: at -O2 a compiler does neither for a loop like this one. The vector type is
// an extension that g++ and clang++ share, and they lower it on machines without such registers.
using Pair = std::uint64_t __attribute__((vector_size(16)));
using Body = std::make_index_sequence<(kSector_words - 2) / 2>;

// The step from one pair to the next, as a value that the compiler can't see through: knowing the constant, it would
// replace the one addition a pair by a load of a multiple of it, a copy and an addition.
Pair pair_step() {
  std::uint64_t step = 2 * kStep;
  __asm__("" : "+r"(step));
  return Pair{step, step};
}

Pair first_pair(std::uint64_t sector_base) { return Pair{sector_base + 2 * kStep, sector_base + 3 * kStep}; }

// A compiler that sees the whole chain of additions reorders it, and then needs three times the registers there are.
void in_register([[maybe_unused]] Pair& value) {
#if defined(__x86_64__)
  __asm__("" : "+x"(value));
#elif defined(__aarch64__)
  __asm__("" : "+w"(value));
#endif
}

template <std::size_t... Index>
void fill_body(std::uint8_t* sector, std::uint64_t sector_base, Pair step, std::index_sequence<Index...>) {
  Pair pair = first_pair(sector_base);
  ((std::memcpy(sector + 16 + 16 * Index, &pair, 16), pair += step), ...);
}

// Every bit that differs between the sectors and their pattern. Collected without a branch, since they nearly always
// all match.
template <std::size_t... Index>
bool all_match(const std::uint8_t* sector, std::uint64_t lba, std::uint32_t sectors, std::uint64_t generation,
               std::index_sequence<Index...>) {
  const std::uint64_t key = generation_key(generation);
  const Pair step = pair_step();
  const Pair tag = {kTag, 0};
  Pair header = {lba, generation};
  Pair differences = {0, 0};
  for (std::uint32_t i = 0; i < sectors; ++i, sector += kSector_bytes) {
    Pair found;
    std::memcpy(&found, sector, 16);
    differences |= found ^ header ^ tag;
    header += Pair{1, 0};
    Pair expected = first_pair(base_with_key(lba + i, key));
    const auto compare = [&](std::size_t index) {
      std::memcpy(&found, sector + 16 + 16 * index, 16);
      differences |= found ^ expected;
      expected += step;
      in_register(expected);
      in_register(differences);
    };
    (compare(Index), ...);
  }
  return (differences[0] | differences[1]) == 0;
}

[[maybe_unused]] std::uint64_t word(const void* sector, unsigned index) {
  std::uint64_t value;
  std::memcpy(&value, static_cast<const std::uint8_t*>(sector) + 8 * std::size_t{index}, 8);
  return value;
}

}  // namespace

void fill(void* buffer, std::uint64_t lba, std::uint32_t sectors, std::uint64_t generation) {
  auto* sector = static_cast<std::uint8_t*>(buffer);
  const std::uint64_t key = generation_key(generation);
  const Pair step = pair_step();
  for (std::uint32_t i = 0; i < sectors; ++i, ++lba, sector += kSector_bytes) {
    const std::uint64_t tagged = lba ^ kTag;
    std::memcpy(sector, &tagged, 8);
    std::memcpy(sector + 8, &generation, 8);
    fill_body(sector, base_with_key(lba, key), step, Body{});
  }
}

std::uint32_t matching_sectors(const void* buffer, std::uint64_t lba, std::uint32_t sectors, std::uint64_t generation) {
  const auto* sector = static_cast<const std::uint8_t*>(buffer);
  if (all_match(sector, lba, sectors, generation, Body{})) return sectors;
  std::uint32_t good = 0;
  while (all_match(sector + std::size_t{good} * kSector_bytes, lba + good, 1, generation, Body{})) ++good;
  return good;
}

Found identify(const void* sector) {
  Found found;
  std::uint64_t words[kSector_words];
  std::memcpy(words, sector, sizeof words);
  if (std::all_of(std::begin(words), std::end(words), [](std::uint64_t w) { return w == 0; })) {
    found.what = Found::What::zeros;
    return found;
  }
  found.lba = words[0] ^ kTag;
  found.generation = words[1];
  const std::uint64_t head_base = base(found.lba, found.generation);
  unsigned matching = 2;
  while (matching < kSector_words && words[matching] == head_base + matching * kStep) ++matching;
  if (matching == kSector_words) {
    found.what = Found::What::intact;
    return found;
  }
  if (matching == 2) return Found{};  // the head's two words say something that no other word confirms
  found.torn_at = matching * 8;
  found.tail_base = words[matching] - matching * kStep;
  unsigned tail = matching;
  while (tail < kSector_words && words[tail] == found.tail_base + tail * kStep) ++tail;
  found.what = tail == kSector_words ? Found::What::torn : Found::What::unknown;
  return found;
}

}  // namespace ncqlab::oracle
