#include "model/sim/time.h"

#include <cmath>
#include <string>

namespace ncqlab::sim {

TimeLimitError::TimeLimitError(Time when)
    : std::runtime_error("simulated time is limited to 2500 h; something was scheduled at " +
                         std::to_string(when / kHour) + " h") {}

namespace {
Time rounded(double value, Time unit) { return static_cast<Time>(std::llround(value * static_cast<double>(unit))); }
}  // namespace

Time from_ms(double milliseconds) { return rounded(milliseconds, kMillisecond); }
Time from_us(double microseconds) { return rounded(microseconds, kMicrosecond); }
Time from_ns(double nanoseconds) { return rounded(nanoseconds, kNanosecond); }

}  // namespace ncqlab::sim
