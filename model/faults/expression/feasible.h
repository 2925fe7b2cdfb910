// Conditions that no event can meet.
#pragma once

#include "model/faults/expression/scope.h"
#include "model/faults/expression/syntax.h"

namespace ncqlab::faults {

// Throws ExpressionError when the condition, which has passed the check of its types, holds for no values that its
// names can take. Names are looked at one by one against constants; two names against each other only by their limits.
void check_feasible(const Syntax& syntax, const Scope& scope);

}  // namespace ncqlab::faults
