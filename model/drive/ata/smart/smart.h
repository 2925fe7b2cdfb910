// The SMART feature set (ACS-3, 7.48): attributes, self-tests, its logs. A drive whose profile has no section "smart"
// answers ENABLE, DISABLE and RETURN STATUS only.
#pragma once

#include <cstdint>
#include <optional>

#include "model/drive/ata/answer.h"
#include "model/drive/ata/identify_words.h"
#include "model/drive/ata/smart/counts.h"
#include "model/drive/ata/smart/error_log.h"
#include "model/drive/ata/smart/self_test.h"
#include "model/drive/profile.h"
#include "model/sata/fis.h"

namespace ncqlab::drive {

class SmartFeatures {
 public:
  explicit SmartFeatures(const Profile& profile) : profile_(profile), tests_(profile) {}

  bool enabled() const { return enabled_; }
  // What the drive knows when a SMART command comes.
  struct Situation {
    sim::Time now = 0;
    LiveCounts counts;
    std::optional<std::uint64_t> first_unreadable;
  };
  // Everything but READ LOG and WRITE LOG, whose logs other feature sets share.
  Answer answer(const sata::RegisterH2D& fis, const Situation& situation);
  // Whether a SMART command with these registers may be executed: the key, and SMART enabled unless it enables it.
  bool admits(const sata::RegisterH2D& fis) const;

  void reset(sim::Time now, std::uint16_t hours) { tests_.reset(now, hours); }

  // Errors are recorded only when the profile has the section.
  bool records() const { return profile_.smart.present; }
  ErrorLog& errors() { return errors_; }
  const ErrorLog& errors() const { return errors_; }
  SelfTests& tests() { return tests_; }
  const SelfTests& tests() const { return tests_; }

  void identify(IdentifyWords& words) const;

 private:
  Answer read_data(const Situation& situation) const;
  Answer execute_offline(std::uint8_t what, const Situation& situation);

  const Profile& profile_;
  bool enabled_ = true;
  bool autosave_ = true;
  SelfTests tests_;
  ErrorLog errors_;
};

}  // namespace ncqlab::drive
