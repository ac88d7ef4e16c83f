#pragma once

#include <string>
#include <vector>

/// The program's arguments, with options that 0.1.0 spelled otherwise under their present names:
/// --top-k N, --candidates open, --calibrate no, --paper, --gcn-align. Each adds a line to `notes`.
[[nodiscard]] std::vector<std::string> with_present_names(const std::vector<std::string>& words,
                                                          std::vector<std::string>& notes);
