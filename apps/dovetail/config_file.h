#pragma once

#include <dovetail/align.h>

#include <string>

/// Sets the options that a configuration file has: TOML as `config` prints it, or a run's run.json. Throws
/// InputError where one of them is not a parameter or has no sensible value.
void read_config(const std::string& path, dovetail::AlignOptions& options);
