#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

namespace dovetail {

/// Runs the body once for each instruction set that this machine has and the library was built for.
template <typename Body>
void on_every_target(const Body& body) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace dovetail
