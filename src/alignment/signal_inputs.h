#pragma once

#include "signals/signal.h"

namespace dovetail {

/// What signals read from files.
[[nodiscard]] SignalInputs signal_inputs();

}  // namespace dovetail
