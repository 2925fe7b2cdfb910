// On the SystemC host a warning of the kernel ends the run, and the next machine starts afresh.
#include <systemc>

#include "model/sim/actor.h"
#include "testbench/tests/system/rig_support.h"

namespace ncqlab {
namespace {

class Warner : private sim::Actor {
 public:
  using Actor::Actor;
  void warn_at(sim::Time when) { post_at<&Warner::warn>(when); }

 private:
  void warn(std::uint64_t) { SC_REPORT_WARNING("ncqlab/test", "planted"); }
};

TEST(SystemcWarning, EndsTheRun) {
  workload::JobOptions options;
  options.requests = 10;
  {
    test::Rig rig(test::shipped_rig(lab::HostKind::systemc));
    Warner warner(rig.machine().queue());
    warner.warn_at(rig.machine().queue().now() + sim::kMillisecond);
    EXPECT_THROW(test::run_job(rig, options), sc_core::sc_report);
  }
  test::Rig rig(test::shipped_rig(lab::HostKind::systemc));
  EXPECT_EQ(test::run_job(rig, options).failed, 0U);
}

}  // namespace
}  // namespace ncqlab
