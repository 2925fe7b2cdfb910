// x to the power of e, the same bits on every machine.
//
// The C library's pow() is chosen at run time by what the processor can do (with and without fused multiply-add), and
// its last bit may differ; one nanosecond in a seek table would change a fingerprint. Here are only additions,
// multiplications and divisions, which IEEE 754 rounds exactly.
#pragma once

namespace ncqlab::drive {

// x > 0 and finite; relative error below 1e-13 for results up to 1e9.
double power(double x, double e);

}  // namespace ncqlab::drive
