// Seek table and geometry are made once per profile and layout and shared by every drive that has both.
#pragma once

#include <memory>

#include "model/drive/mechanics/mechanism.h"
#include "model/drive/profile.h"

namespace ncqlab::lab {

std::shared_ptr<const drive::MechanicsTables> shared_tables(const drive::Profile& profile, drive::Layout layout);

}  // namespace ncqlab::lab
