#include "describe.h"

#include <dovetail/statistics.h>
#include <dovetail/text.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <vector>

using namespace dovetail;

namespace {

constexpr std::size_t kBar = 18;  // columns of the longest bar

std::string row(const std::string& name, const std::string& left, const std::string& right) {
  return fmt::format("{:<24}{:>14}{:>14}\n", name, left, right);
}

std::string row(const std::string& name, std::uint64_t left, std::uint64_t right) {
  return row(name, with_commas(left), with_commas(right));
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string degree_range(std::size_t bucket) {
  if (bucket < 2) return std::to_string(bucket);
  return fmt::format("{}-{}", std::uint64_t{1} << (bucket - 1), (std::uint64_t{1} << bucket) - 1);
}

std::size_t buckets_in_use(const GraphStatistics& statistics) {
  std::size_t used = statistics.degrees.size();
  while (used > 0 && statistics.degrees.at(used - 1) == 0) --used;
  return used;
}

std::string bar(std::uint64_t count, std::uint64_t largest) {
  static constexpr std::array kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const std::uint64_t eighths = largest == 0 ? 0 : (count * kBar * 8 + largest - 1) / largest;
  std::string text;
  for (std::uint64_t i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths.at(eighths % 8);
  // Padding by hand: a block takes three bytes and one column.
  const std::uint64_t columns = (eighths + 7) / 8;
  return text + std::string(kBar - columns, ' ');
}

std::string histogram(const GraphStatistics& left, const GraphStatistics& right) {
  std::string text = fmt::format("\n{:<11}{:<30}  {:<30}\n", "degree", "left", "right");
  const std::uint64_t largest_left = *std::max_element(left.degrees.begin(), left.degrees.end());
  const std::uint64_t largest_right = *std::max_element(right.degrees.begin(), right.degrees.end());
  const std::size_t used = std::max(buckets_in_use(left), buckets_in_use(right));
  for (std::size_t i = 0; i < used; ++i) {
    text += fmt::format("{:>9}  {} {:>11}  {} {:>11}\n", degree_range(i),
                        bar(left.degrees.at(i), largest_left), with_commas(left.degrees.at(i)),
                        bar(right.degrees.at(i), largest_right), with_commas(right.degrees.at(i)));
  }
  return text;
}

/// The attributes of one side, the most common first.
std::string attributes(const char* side, const KnowledgeGraph& graph) {
  constexpr std::size_t kMost = 20, kNameWidth = 30;
  const std::vector<AttributeStatistics> all = attribute_statistics(graph);
  if (all.empty()) return {};
  std::string text = fmt::format("\n{:<32}{:<12}{:>9}{:>11}  {}\n", fmt::format("attributes, {}", side),
                                 "type", "entities", "distinct", "for example");
  for (std::size_t n = 0; n < std::min(kMost, all.size()); ++n) {
    const AttributeStatistics& one = all[n];
    std::string examples;
    for (const std::string& example : one.examples) {
      examples += fmt::format("{}{}", examples.empty() ? "" : " | ", printable(example));
    }
    text += fmt::format("{:<32}{:<12}{:>9}{:>11}  {}\n", shown(one.name, kNameWidth - 2), one.type,
                        percent(one.entities, graph.entity_count()), with_commas(one.distinct), examples);
  }
  if (all.size() > kMost) text += fmt::format("  {} more with --json\n", with_commas(all.size() - kMost));
  return text;
}

}  // namespace

std::string describe_text(const LoadedPair& pair) {
  const GraphStatistics left = graph_statistics(pair.graphs.left());
  const GraphStatistics right = graph_statistics(pair.graphs.right());
  std::string text = row(pair.format, "left", "right");
  text += row("entities", left.entities, right.entities);
  text += row("  with a label", left.labelled, right.labelled);
  text += row("  without triples", left.isolated, right.isolated);
  text += row("  in a link", percent(pair.links.size(), left.entities),
              percent(pair.links.size(), right.entities));
  text += row("relations", left.relations, right.relations);
  text += row("triples", left.triples, right.triples);
  text += row("  repeated in the source", left.duplicates, right.duplicates);
  text += row("literals", left.literals, right.literals);
  if (left.classes + right.classes > 0) {
    text += row("classes", left.classes, right.classes);
    text += row("  entities with a class", left.typed, right.typed);
  }
  text +=
      row("mean degree", fmt::format("{:.1f}", left.mean_degree), fmt::format("{:.1f}", right.mean_degree));
  text += row("  median degree", left.median_degree, right.median_degree);
  text += row("  largest degree", left.largest_degree, right.largest_degree);
  text += histogram(left, right);
  text += attributes("left", pair.graphs.left()) + attributes("right", pair.graphs.right());
  const SeedLinks& links = pair.links;
  if (links.size() == 0 && links.unknown == 0) return text + "\nlinks: none given\n";
  text += fmt::format("\nlinks: {} ({})\n", with_commas(links.size()), printable(links.origin));
  text +=
      fmt::format("  {} to learn from, {} for development, {} for testing\n", with_commas(links.train.size()),
                  with_commas(links.valid.size()), with_commas(links.test.size()));
  if (links.unknown > 0)
    text += fmt::format("  {} more name an unknown entity\n", with_commas(links.unknown));
  if (links.repeated > 0) text += fmt::format("  {} more repeat another link\n", with_commas(links.repeated));
  return text;
}

void say_what_was_left_out(const LeftOut& left_out, Format format, Observer& observer) {
  if (left_out.entities > 0) {
    observer.warning(fmt::format("{} entit{} without triples left out: {} holds triples only",
                                 with_commas(left_out.entities), left_out.entities == 1 ? "y" : "ies",
                                 format_info(format).name));
  }
  if (left_out.literals > 0) {
    observer.warning(fmt::format("{} literal{} left out: {} holds entities and names only",
                                 with_commas(left_out.literals), plural(left_out.literals),
                                 format_info(format).name));
  }
}
