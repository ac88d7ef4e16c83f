#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dovetail {

/// One end of a link, in the user's own words.
struct ReportedEnd {
  std::string identifier, name;
  std::uint64_t degree = 0;
};

struct ReportedLink {
  ReportedEnd left, right;
  double score = 0, margin = 0, confidence = 0;
  std::optional<bool> correct;      ///< where the test links know
  nlohmann::ordered_json evidence;  ///< the left entity's line of evidence.jsonl; null without one
};

/// All that the page of a run shows.
struct RunReport {
  nlohmann::json record;                   ///< run.json
  std::vector<std::uint64_t> confidences;  ///< links by confidence, in bins of equal width from 0 to 1
  std::vector<ReportedLink> surest, doubtful;
  bool embeds = false;  ///< there are embeddings; whether or not they are few enough for a map
  nlohmann::json map = nlohmann::json::array();  ///< of {left: {x, y, name}, right: {x, y, name}, confidence}
};

/// A run as a page of HTML that needs no other file. Throws nlohmann's exceptions where the record is not as
/// align writes it.
[[nodiscard]] std::string run_page(const RunReport& report);

}  // namespace dovetail
