#pragma once

#include <dovetail/run.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

/// A run that has been written to a folder. Refers to its parts, which must outlive it.
struct WrittenRun {
  const dovetail::Run& run;
  const dovetail::LoadedPair& pair;
  const std::string& out;
  bool report;     ///< whether report.html was written
  double seconds;  ///< wall time of the whole run, writing included
};

/// Prints the number of links, metrics, seconds and files of a run: as JSON, or as text unless quiet.
void print_run(const WrittenRun& written, bool json, bool quiet);

/// Prints a verb's result: `record` if JSON was asked for, else `text` unless quiet.
void print_outcome(const nlohmann::ordered_json& record, const std::string& text, bool json, bool quiet);

/// Throws ParameterError where JSON was asked for and the result itself goes to the standard output.
void refuse_json_beside_output(bool json, const std::string& target);
