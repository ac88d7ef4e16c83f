#pragma once

#include <dovetail/io.h>
#include <dovetail/phases.h>
#include <dovetail/plan.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace dovetail {

/// The phases of an alignment after its plan is settled, with the costs that are expected of them. Tells the
/// observer when one begins.
class RunPhases {
 public:
  /// `update`: the run continues an earlier one. Must not outlive the observer.
  RunPhases(const Plan& plan, const LoadedPair& pair, bool update, Observer& observer);

  /// Begins the next phase of this name; those before it have ended or are left out.
  void begin(std::string_view name);

 private:
  std::vector<Phase> phases_;  ///< `after` is that of the expected order
  std::size_t next_ = 0;
  Observer& observer_;
};

}  // namespace dovetail
