#pragma once

#include <dovetail/observer.h>

#include <string_view>

namespace dovetail {

/// A phase of a run, with expected costs: seconds on some machine, of which only the ratios count.
struct Phase {
  std::string_view name;
  double cost = -1;   ///< of the phase; below 0: not known, or all that was to follow the phase before
  double after = -1;  ///< of all phases after it; below 0: not known
  std::string_view unit = {};  ///< tasks that report progress in this unit measure the phase; empty: none do
};

/// An Observer that is also told when a phase of a run begins, so that it can show how far the whole run is.
class PhaseObserver : public Observer {
 public:
  /// The phase begins; the one before it is finished.
  virtual void phase(const Phase& phase) = 0;
};

/// Tells the observer, if it is a PhaseObserver.
inline void begin_phase(Observer& observer, const Phase& phase) {
  if (auto* told = dynamic_cast<PhaseObserver*>(&observer)) told->phase(phase);
}

}  // namespace dovetail
