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

constexpr Pair kPairStep = {2 * kStep, 2 * kStep};

Pair first_pair(std::uint64_t sector_base) { return Pair{sector_base + 2 * kStep, sector_base + 3 * kStep}; }

template <std::size_t... Index>
void fill_body(std::uint8_t* sector, std::uint64_t sector_base, std::index_sequence<Index...>) {
  Pair pair = first_pair(sector_base);
  ((std::memcpy(sector + 16 + 16 * Index, &pair, 16), pair += kPairStep), ...);
}

template <std::size_t... Index>
bool body_matches(const std::uint8_t* sector, std::uint64_t sector_base, std::index_sequence<Index...>) {
  Pair expected = first_pair(sector_base);
  Pair differences = {0, 0};
  Pair found;
  ((std::memcpy(&found, sector + 16 + 16 * Index, 16), differences |= found ^ expected, expected += kPairStep), ...);
  return (differences[0] | differences[1]) == 0;
}

std::uint64_t word(const void* sector, unsigned index) {
  std::uint64_t value;
  std::memcpy(&value, static_cast<const std::uint8_t*>(sector) + 8 * std::size_t{index}, 8);
  return value;
}

}  // namespace

void fill(void* buffer, std::uint64_t lba, std::uint32_t sectors, std::uint64_t generation) {
  auto* sector = static_cast<std::uint8_t*>(buffer);
  const std::uint64_t key = generation_key(generation);
  for (std::uint32_t i = 0; i < sectors; ++i, ++lba, sector += kSector_bytes) {
    const std::uint64_t tagged = lba ^ kTag;
    std::memcpy(sector, &tagged, 8);
    std::memcpy(sector + 8, &generation, 8);
    fill_body(sector, base_with_key(lba, key), Body{});
  }
}

std::uint32_t matching_sectors(const void* buffer, std::uint64_t lba, std::uint32_t sectors, std::uint64_t generation) {
  const auto* sector = static_cast<const std::uint8_t*>(buffer);
  const std::uint64_t key = generation_key(generation);
  for (std::uint32_t i = 0; i < sectors; ++i, ++lba, sector += kSector_bytes) {
    if (word(sector, 0) != (lba ^ kTag) || word(sector, 1) != generation) return i;
    if (!body_matches(sector, base_with_key(lba, key), Body{})) return i;
  }
  return sectors;
}

std::uint32_t check(const void* buffer, std::uint64_t lba, std::uint32_t sectors, std::uint64_t* generations) {
  const auto* sector = static_cast<const std::uint8_t*>(buffer);
  for (std::uint32_t i = 0; i < sectors; ++i, ++lba, sector += kSector_bytes) {
    const std::uint64_t generation = word(sector, 1);
    if (word(sector, 0) != (lba ^ kTag) || !body_matches(sector, base(lba, generation), Body{})) return i;
    generations[i] = generation;
  }
  return sectors;
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
