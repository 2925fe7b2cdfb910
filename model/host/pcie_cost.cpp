#include "model/host/pcie_cost.h"

#include <algorithm>

namespace ncqlab::host {

namespace {

constexpr std::uint64_t kPage = 4096;               // no memory request crosses such a boundary
constexpr std::uint64_t kAnswer = 2 * kDllp_bytes;  // Ack and UpdateFC

// Both inside one page, in whole dwords.
void add_write(const PcieTiming& link, std::uint64_t address, std::uint64_t bytes, PcieBytes& sum) {
  const std::uint64_t packets = (bytes - 1) / link.max_payload_bytes + 1;
  sum.data += bytes + packets * (request_header_bytes(address) + kTlpFraming_bytes);
  sum.answers += packets * kAnswer;
}

void add_read(const PcieTiming& link, std::uint64_t address, std::uint64_t bytes, PcieBytes& sum) {
  const std::uint64_t boundary = link.read_completion_boundary_bytes;
  for (std::uint64_t done = 0; done < bytes; done += link.max_read_request_bytes) {
    const std::uint64_t part = std::min<std::uint64_t>(bytes - done, link.max_read_request_bytes);
    const std::uint64_t completions = ((address + done) % boundary + part - 1) / boundary + 1;
    sum.requests += request_header_bytes(address) + kTlpFraming_bytes;
    sum.data += kAnswer + part + completions * (kCompletionHeader_bytes + kTlpFraming_bytes);
    sum.answers += completions * kAnswer;
  }
}

}  // namespace

void add_pcie_piece(const PcieTiming& link, const DmaAccess& piece, PcieBytes& sum) {
  // Payload is whole dwords; byte enables say which of the outer bytes count.
  const std::uint64_t begin = piece.address & ~std::uint64_t{3};
  const std::uint64_t length = (piece.address - begin + piece.bytes + 3) & ~std::uint64_t{3};
  for (std::uint64_t done = 0; done < length;) {
    const std::uint64_t at = begin + done;
    const std::uint64_t part = std::min(length - done, kPage - at % kPage);
    (piece.to_memory ? add_write : add_read)(link, at, part, sum);
    done += part;
  }
}

sim::Time pcie_time(const PcieTiming& link, std::uint64_t bytes) {
  if (link.generation >= 3) return sim::transfer_time(bytes * 8 * 130, 8'000'000'000ULL * link.lanes * 128);
  return sim::transfer_time(bytes * 10, (link.generation == 1 ? 2'500'000'000ULL : 5'000'000'000ULL) * link.lanes);
}

}  // namespace ncqlab::host
