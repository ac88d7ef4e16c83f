#include "report/run_page.h"

#include <dovetail/graph.h>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>

#include "common/text.h"
#include "report/assets.h"
#include "report/html.h"

namespace dovetail {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kReasons = 3;  // shown for and against a link; evidence.jsonl has more

std::string count_text(const json& number) {
  return with_commas(number.get<std::uint64_t>());
}

/// JSON has null for a number that is none.
std::string decimal(const json& number, int digits) {
  return number.is_null() ? "–" : fmt::format("{:.{}f}", number.get<double>(), digits);
}

std::string three(const json& number) {
  return decimal(number, 3);
}

std::string section(const char* title, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", title, body);
}

std::string paragraph(const std::string& text) {
  return fmt::format("<p>{}</p>\n", html_text(text));
}

/// A chart that the script draws; `note` says how to read it.
std::string figure(const char* id, const char* caption, const std::string& note) {
  return fmt::format(
      "<figure>\n<figcaption>{0}</figcaption>\n<div class=\"canvas\"><canvas id=\"{1}\" role=\"img\" "
      "aria-label=\"{0}\"></canvas></div>\n<p>{2}</p>\n</figure>\n",
      caption, id, html_text(note));
}

std::string charts(const std::string& figures) {
  return figures.empty() ? "" : "<div class=\"charts\">\n" + figures + "</div>\n";
}

/// The files' own names, not where on somebody's machine they are.
std::string title(const json& inputs) {
  const auto name = [&](const char* key) {
    const std::filesystem::path path = inputs.at(key).get<std::string>();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
  };
  if (inputs.is_null()) return "Alignment of two graphs";
  if (inputs.contains("folder")) return "Alignment of " + name("folder");
  return fmt::format("Alignment of {} and {}", name("left"), name("right"));
}

bool judged(const json& record) {
  return record.contains("evaluation");
}

std::string tiles(const RunReport& report) {
  const json& record = report.record;
  const json& decisions = record.at("decisions");
  std::string text;
  const auto tile = [&](const std::string& name, const std::string& value) {
    text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, html_text(value));
  };
  tile("links found", count_text(record.at("links")));
  tile("seeds", count_text(record.at("data").at("links").at("train")));
  if (judged(record)) {
    const json& evaluation = record.at("evaluation");
    for (const char* world : {"closed", "open"}) {
      if (evaluation.contains(world)) {
        tile(std::string("Hits@1, ") + world, three(evaluation.at(world).at("hits@1")));
      }
    }
    tile("precision", three(decisions.at("test_links").at("precision")));
    tile("recall", three(decisions.at("test_links").at("recall")));
  } else {
    const std::size_t bins = report.confidences.size();
    tile("confidence .9 or more",
         with_commas(std::accumulate(report.confidences.begin() + static_cast<std::ptrdiff_t>(bins * 9 / 10),
                                     report.confidences.end(), std::uint64_t{0})));
  }
  if (decisions.at("no_counterpart") > 0) {
    tile("without counterpart", count_text(decisions.at("no_counterpart")));
  }
  tile("time", decimal(record.at("seconds").at("total"), 1) + " s");
  tile("memory", human_bytes(record.at("peak_memory_bytes").get<std::uint64_t>()));
  return "<dl class=\"tiles\">\n" + text + "</dl>\n";
}

std::string graphs_section(const json& data) {
  Table table{.caption = "Both graphs in numbers", .header = {"", "left", "right"}, .rows = {}};
  const auto row = [&](const char* name, const auto& value) {
    table.rows.push_back({name, value(data.at("left")), value(data.at("right"))});
  };
  for (const auto& [name, key] : {std::pair("entities", "entities"),
                                  {"relations", "relations"},
                                  {"triples", "triples"},
                                  {"literals", "literals"},
                                  {"entities with a label", "labelled_entities"},
                                  {"entities without any triple", "isolated_entities"}}) {
    row(name, [wanted = key](const json& graph) { return count_text(graph.at(wanted)); });
  }
  row("edges of an entity, mean",
      [](const json& graph) { return decimal(graph.at("degree").at("mean"), 1); });
  for (const auto& [name, key] :
       {std::pair("edges of an entity, median", "median"), {"edges of an entity, most", "largest"}}) {
    row(name, [wanted = key](const json& graph) { return count_text(graph.at("degree").at(wanted)); });
  }
  const json& links = data.at("links");
  std::string known =
      fmt::format("Known links: {} to learn from, {} for development, {} to test",
                  count_text(links.at("train")), count_text(links.at("valid")), count_text(links.at("test")));
  const auto origin = links.at("origin").get<std::string>();
  if (!origin.empty()) known += fmt::format(" ({})", origin);
  known += fmt::format(". {} relations have the same identifier on both sides.",
                       count_text(data.at("shared_relations")));
  return section(
      "What was aligned",
      paragraph(known) + charts("<div>" + html(table) + "</div>\n" +
                                figure("degrees", "Entities by their number of edges",
                                       "Edges of both directions. Entities with few of them are the "
                                       "hard ones: structure says little about them.")));
}

std::string turns_table(const json& turns) {
  Table table{.caption = "Turn by turn",
              .header = {"turn", "links", "loss", "found", "right", "reviewed", "Hits@1", "seconds"},
              .rows = {}};
  for (std::size_t n = 0; n < turns.size(); ++n) {
    const json& turn = turns[n];
    const bool trained = turn.at("train_seconds") > 0;  // rules are not
    table.rows.push_back(
        {fmt::format("{}{}", n + 1, trained ? "" : ", rules"), count_text(turn.at("trained_on")),
         trained ? three(turn.at("loss")) : "–", count_text(turn.at("found")),
         turn.contains("precision") ? fmt::format("{:.1f}%", 100 * turn.at("precision").get<double>()) : "–",
         count_text(turn.at("reviewed")), turn.contains("hits@1") ? three(turn.at("hits@1")) : "–",
         fmt::format("{:.1f}",
                     turn.at("train_seconds").get<double>() + turn.at("search_seconds").get<double>())});
  }
  return html(table);
}

std::string training_section(const json& record) {
  const json& training = record.at("training");
  const json& turns = training.at("turns");
  const json& seconds = record.at("seconds");
  std::string text =
      fmt::format("Mode {}", record.at("mode").get<std::string>()) +
      (turns.empty() ? "" : fmt::format(", strategy {}", record.at("strategy").get<std::string>())) +
      fmt::format(": {} steps", count_text(training.at("steps"))) +
      (turns.empty() ? "" : fmt::format(" in {} turn{}", turns.size(), plural(turns.size())));
  text += fmt::format(". It took {:.1f} s to load, {:.1f} s to train, {:.1f} s to match and {:.1f} s to fit ",
                      seconds.at("load").get<double>(), seconds.at("train").get<double>(),
                      seconds.at("match").get<double>(), seconds.at("confidence").get<double>()) +
          "confidences.";
  std::string figures;
  if (!training.at("epochs").empty()) {
    figures +=
        figure("loss", "Loss over steps",
               turns.empty() ? "One point for each pass over the seeds."
                             : "One point for each pass over the links; each turn has a line of its own.");
  }
  const auto some = [&](const char* key) {
    return std::ranges::any_of(turns, [&](const json& turn) { return turn.value(key, 0.0) > 0; });
  };
  if (some("hits@1")) {
    figures += figure("hits", "Hits@1 over turns",
                      "By the search after each turn, among the candidates of this run; at the end, by the "
                      "decoder.");
  }
  if (some("found")) {
    figures += figure("pairs", "Pairs found in each turn",
                      some("reviewed") ? "New pairs, and old ones that are trained on again."
                                       : "Pairs that the search after a turn was sure of, beside the seeds.");
  }
  return section("How it went",
                 paragraph(text) + charts(figures) + (turns.empty() ? "" : turns_table(turns)));
}

std::string ranks_table(const json& evaluation) {
  Table table{.caption = "The right answer among all candidates",
              .header = {"", "answers", "Hits@1", "Hits@5", "Hits@10", "MRR", "mean rank"},
              .rows = {}};
  const auto row = [&](const std::string& name, const json& metrics) {
    table.rows.push_back({name, count_text(metrics.at("count")), three(metrics.at("hits@1")),
                          three(metrics.at("hits@5")), three(metrics.at("hits@10")), three(metrics.at("mrr")),
                          decimal(metrics.at("mean_rank"), 1)});
  };
  for (const char* world : {"closed", "open"}) {
    if (!evaluation.contains(world)) continue;
    const json& one = evaluation.at(world);
    const std::string decoder = fmt::format("{}, {}", world, one.at("decoder").get<std::string>());
    row(decoder + ", right to left", one.at("right_to_left"));
    row(decoder + ", left to right", one.at("left_to_right"));
    constexpr std::string_view kAlone = "_csls";  // after the name of a signal
    for (const auto& [key, figures] : one.items()) {
      if (!key.ends_with(kAlone)) continue;
      const std::string_view signal = std::string_view(key).substr(0, key.size() - kAlone.size());
      row(fmt::format("{}, {} alone, csls", world, signal), figures.at("right_to_left"));
    }
  }
  if (evaluation.contains("structure_only")) {
    row("closed, structure alone, once", evaluation.at("structure_only").at("right_to_left"));
  }
  return html(table);
}

std::string links_table(const json& decisions) {
  const json& links = decisions.at("test_links");
  return html({.caption = "The links that were decided",
               .header = {"", "judged", "right", "known", "precision", "recall", "F1"},
               .rows = {{"against the test links", count_text(links.at("predicted")),
                         count_text(links.at("correct")), count_text(links.at("gold")),
                         three(links.at("precision")), three(links.at("recall")), three(links.at("f1"))}}});
}

/// How many links are expected to be right, and how that is known; runs of earlier versions do not say.
std::string expectation(const json& decisions) {
  if (!decisions.contains("expected") || decisions.at("links") == 0) return "";
  const json& expected = decisions.at("expected");
  return paragraph(
      fmt::format("By their confidences, {:.0f} of the {} links are expected to be right: precision {} ({} "
                  "to {} in 95 of 100 "
                  "cases). Confidences were {}.",
                  expected.at("right").get<double>(), count_text(decisions.at("links")),
                  three(expected.at("precision")), three(expected.at("precision_low")),
                  three(expected.at("precision_high")), decisions.at("confidence").get<std::string>()));
}

std::string quality_section(const RunReport& report) {
  const json& record = report.record;
  const json& decisions = record.at("decisions");
  std::string text, figures;
  if (judged(record)) {
    text = ranks_table(record.at("evaluation")) +
           paragraph(
               "Closed: among the test links' own entities, as the literature does. Open: among all "
               "entities that are in no seed, as a user's data are. Right to left: for an entity of "
               "the right graph, its counterpart among those of the left one.") +
           links_table(decisions);
    const json& reliability = decisions.at("reliability");
    if (reliability.at("count") > 0) {
      figures += figure("coverage", "Precision against coverage",
                        fmt::format("{:.1f}% of the links can be kept at a precision of .95.",
                                    100 * reliability.at("coverage_at_precision_95").get<double>()));
      figures += figure("reliability", "Whether confidences mean what they say",
                        fmt::format("Larger points stand for more links; on the dashed line they would be "
                                    "perfect. They are off by {:.3f} on average.",
                                    reliability.at("expected_calibration_error").get<double>()));
    }
    figures +=
        figure("by-degree", "Hits@1 by degree", "For entities of the right graph, by their number of edges.");
  } else {
    text = paragraph(
        "No test links are known to compare the links with. Divide "
        "known links with --seed-ratio, or give those that you know to dovetail evaluate.");
  }
  text += expectation(decisions);
  if (record.at("links") > 0) {
    figures += figure("confidences", "Links by confidence",
                      fmt::format("Confidence is how likely a link is right: {}.",
                                  decisions.at("confidence").get<std::string>()));
  }
  return section("How good it is", text + charts(figures));
}

std::string map_section(const RunReport& report) {
  if (report.map.empty()) {
    const char* const why = report.record.at("links") == 0 ? "There are no links to draw."
                            : report.embeds ? "It is drawn of smaller graphs only: features of all these "
                                              "entities would take more than 1 GiB."
                                            : "Rules alone make no embeddings to draw.";
    return section("Map of the embeddings", paragraph(why));
  }
  return section(
      "Map of the embeddings",
      "<div class=\"map\">\n" +
          figure(
              "map", "Linked entities of both graphs, in two dimensions",
              fmt::format("{} of {} links, evenly chosen; a line joins the two ends. Point at one for its "
                          "names. The plane is the one that features spread most in (principal components, "
                          "each graph around its own middle): two of many dimensions, so that what lies "
                          "together here may still be apart.",
                          with_commas(report.map.size()), count_text(report.record.at("links")))) +
          "</div>\n");
}

std::string end_text(const char* side, const ReportedEnd& end) {
  const std::string called = end.name == end.identifier ? "" : html_text(end.identifier) + " · ";
  return fmt::format("<div class=\"end of-{}\"><b><bdi>{}</bdi></b><span>{}{} edge{}</span></div>\n", side,
                     html_text(end.name), called, with_commas(end.degree), plural(end.degree));
}

/// An edge as seen from the entity.
std::string edge_text(const ordered_json& edge) {
  const auto relation = edge.at("relation").get<std::string>();
  const bool inverse = relation.starts_with('^');
  const std::string_view called = last_part(std::string_view(relation).substr(inverse ? 1 : 0));
  return fmt::format("{} {} <bdi>{}</bdi>", html_text(called), inverse ? "←" : "→",
                     html_text(edge.at("name").get<std::string>()));
}

std::string evidence_text(const ReportedLink& link) {
  const ordered_json& evidence = link.evidence;
  if (evidence.is_null()) return "";
  // An entity with several links has evidence for one of them.
  if (!evidence.at("link").is_object() || evidence.at("link").at("right") != link.right.identifier) return "";
  std::string rows;
  for (const auto& [key, word] : {std::pair("for", "for"), {"against", "against"}}) {
    const ordered_json& reasons = evidence.at("link").at(key);
    for (std::size_t n = 0; n < std::min(kReasons, reasons.size()); ++n) {
      rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.2f}</td></tr>\n", word,
                          edge_text(reasons[n].at("left")), edge_text(reasons[n].at("right")),
                          reasons[n].at("weight").get<double>());
    }
  }
  if (rows.empty()) return "<p class=\"said\">No neighbour speaks for it or against it.</p>\n";
  return "<table class=\"reasons\">\n" + rows + "</table>\n";
}

/// The best candidate that was not chosen. It may be better than the one that was, which then was the best of
/// those that no other entity had a better claim to.
std::string next_text(const ReportedLink& link) {
  if (link.evidence.is_null()) return "";
  for (const ordered_json& candidate : link.evidence.at("candidates")) {
    if (candidate.at("entity") == link.right.identifier) continue;
    const auto score = candidate.at("score").get<double>();
    return fmt::format(" · {} candidate <bdi>{}</bdi>, {:.3f}", score > link.score ? "best" : "next",
                       html_text(candidate.at("name").get<std::string>()), score);
  }
  return "";
}

std::string link_text(const ReportedLink& link) {
  std::string said = fmt::format("<b>confidence {:.3f}</b> · score {:.3f}", link.confidence, link.score);
  if (!link.evidence.is_null() && link.evidence.at("link").is_object()) {
    said += fmt::format(" · evidence {:.2f}", link.evidence.at("link").at("evidence").get<double>());
  }
  said += next_text(link);
  if (link.correct) {
    said += *link.correct ? " · <span class=\"verdict\">✓ right</span>"
                          : " · <span class=\"verdict wrong\">✗ not the test link</span>";
  }
  return "<li>\n<div class=\"ends\">\n" + end_text("left", link.left) + end_text("right", link.right) +
         "</div>\n<p class=\"said\">" + said + "</p>\n" + evidence_text(link) + "</li>\n";
}

std::string links_section(const RunReport& report) {
  const auto list = [](const char* heading, const std::vector<ReportedLink>& links) {
    std::string text = fmt::format("<h3>{}</h3>\n<ol class=\"links\">\n", heading);
    for (const ReportedLink& link : links) text += link_text(link);
    return links.empty() ? "" : text + "</ol>\n";
  };
  const bool reasons =
      std::ranges::any_of(report.surest, [](const ReportedLink& link) { return !link.evidence.is_null(); });
  return section(
      "Links to look at",
      paragraph(reasons
                    ? "Below each link the linked neighbours that speak for it, by their relations, and "
                      "those that speak against it: where one graph has another neighbour in place of the "
                      "counterpart. Numbers are what each weighs. dovetail explain tells more of any link."
                    : "No evidence was kept: dovetail align with --reasons above 0 tells what speaks for "
                      "each link.") +
          list("The surest", report.surest) + list("The most doubtful", report.doubtful));
}

std::string footer(const json& record) {
  return fmt::format(
      "<footer>\n<p>Made by Dovetail {}. run.json beside this page has every figure and parameter, links.tsv "
      "all links.</p>\n<details>\n<summary>Charts by Chart.js: its licence</summary>\n<pre>{}</pre>\n"
      "</details>\n</footer>\n",
      html_text(record.at("dovetail").get<std::string>()), xml_escaped(kChartLicence));
}

/// What the script draws: of the record, only what it needs.
json chart_figures(const RunReport& report) {
  json figures = {{"confidences", report.confidences}, {"map", report.map}};
  for (const char* key : {"candidates", "data", "training", "evaluation", "decisions"}) {
    if (report.record.contains(key)) figures[key] = report.record.at(key);
  }
  figures["data"].erase("links");
  return figures;
}

}  // namespace

std::string run_page(const RunReport& report) {
  const json& record = report.record;
  const std::string body =
      tiles(report) +
      "<noscript><p>Charts need JavaScript; everything else is here without it.</p></noscript>\n" +
      graphs_section(record.at("data")) + training_section(record) + quality_section(report) +
      map_section(report) + links_section(report) + footer(record) +
      fmt::format(
          "<script type=\"application/json\" "
          "id=\"figures\">{}</script>\n<script>{}</script>\n<script>{}</script>\n",
          script_json(chart_figures(report)), kChartLibrary, kReportScript);
  return html_page(title(record.at("inputs")), kReportStyle, body);
}

}  // namespace dovetail
