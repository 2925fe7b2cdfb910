// A fresh SystemC kernel for each test. A SystemC report of severity warning or more fails the test.
#pragma once

#include <gtest/gtest.h>

#include "model/sim/systemc/systemc_host.h"

namespace ncqlab::test {

class SystemcTest : public testing::Test {
 protected:
  SystemcTest();

 private:
  sim::KernelGuard kernel_;
};

}  // namespace ncqlab::test
