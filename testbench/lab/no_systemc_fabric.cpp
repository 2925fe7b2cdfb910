#include <stdexcept>

#include "testbench/lab/fabric.h"

namespace ncqlab::lab {

std::unique_ptr<Fabric> make_systemc_fabric(const FabricParts&) {
  throw std::invalid_argument("this build has no SystemC host (NCQLAB_SYSTEMC=OFF)");
}

}  // namespace ncqlab::lab
