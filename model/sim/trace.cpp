#include "model/sim/trace.h"

#include "model/sim/random.h"

namespace ncqlab::sim {

std::uint64_t Trace::finish(std::uint64_t hash) { return mix64(hash); }

}  // namespace ncqlab::sim
