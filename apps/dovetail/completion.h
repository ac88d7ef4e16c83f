#pragma once

#include <CLI/CLI.hpp>
#include <string>

// Scripts that complete verbs, options, their choices and file names, made from the definitions of the
// options.

[[nodiscard]] std::string bash_completion(const CLI::App& program);
[[nodiscard]] std::string zsh_completion(const CLI::App& program);
[[nodiscard]] std::string fish_completion(const CLI::App& program);
