#pragma once

#include <dovetail/run.h>

#include <string>

/// What a run has found, how well and how fast, and what it has written to `out`.
[[nodiscard]] std::string run_summary(const dovetail::Run& run, const dovetail::LoadedPair& pair,
                                      const std::string& out, bool report);
