#include "testbench/tests/support/systemc_fixture.h"

#include <systemc>

namespace ncqlab::test {

namespace {

void fail_on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() >= sc_core::SC_WARNING) ADD_FAILURE() << "SystemC: " << report.what();
  sc_core::sc_report_handler::default_handler(report, actions & ~sc_core::SC_DISPLAY);
}

}  // namespace

SystemcTest::SystemcTest() { sc_core::sc_report_handler::set_handler(&fail_on_report); }

}  // namespace ncqlab::test
