// What the whole program finds by values, default options: strict F1 (every link counts, the gold is
// complete; of persons and restaurants only what the gold knows), and the best F1 that any threshold would
// give, without seeds and with a tenth of the links. bench/values.py puts TF-IDF and Splink beside it. usage:
// bench_values DATA_FOLDER [NAME...] [--tables] [--option=value...]
#include <dovetail/evaluation.h>
#include <dovetail/io.h>
#include <dovetail/run.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/text.h"

namespace dovetail {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Files {
  std::string left, right, gold, seeds;
  bool partial;  // the gold knows some kinds of entities only
};

Files files_of(const std::string& data, const std::string& name, bool tables) {
  const std::string folder = data + (tables ? "/tables/" : "/values/") + name + "/";
  const bool partial = name == "person" || name == "restaurant";
  if (!tables) {
    return {folder + "left.nt.gz", folder + "right.nt.gz", folder + "gold.tsv", folder + "seeds10.tsv",
            partial};
  }
  static const std::map<std::string, std::pair<std::string, std::string>> kSides = {
      {"D1", {"rest1", "rest2"}}, {"D2", {"abt", "buy"}},        {"D4", {"dblp", "acm"}},
      {"D5", {"imdb", "tmdb"}},   {"D8", {"walmart", "amazon"}},
  };
  const auto& [left, right] = kSides.at(name);
  return {folder + left + ".csv", folder + right + ".csv", folder + "gt.csv", "", partial};
}

std::set<Link> links_of(const std::string& path, const GraphPair& pair) {
  Observer quiet;
  std::set<Link> links;
  if (path.empty()) return links;
  for (const NamedLink& link : load_links(path, Format::automatic, {}, quiet)) {
    const auto left = pair.left().find(link.left), right = pair.right().find(link.right);
    if (left && right) links.insert({*left, *right});
  }
  return links;
}

struct Figures {
  PrecisionRecall all;
  double best = 0;                 // F1 at the best threshold
  std::size_t sure = 0, held = 0;  // links of confidence .9 and more, and how many of them are right
};

Figures judge(std::vector<DecidedLink> links, const std::set<Link>& gold, const std::set<Link>& seeds,
              bool partial) {
  std::set<EntityId> known_left, known_right, gold_left;
  for (const Link& link : gold) gold_left.insert(link.left);
  for (const Link& link : seeds) {
    known_left.insert(link.left);
    known_right.insert(link.right);
  }
  std::erase_if(links, [&](const DecidedLink& link) {
    return known_left.contains(link.left) || known_right.contains(link.right) ||
           (partial && !gold_left.contains(link.left));
  });
  std::ranges::stable_sort(links, std::greater(), &DecidedLink::confidence);
  Figures figures;
  std::size_t right = 0, said = 0;
  for (const DecidedLink& link : links) {
    const bool holds = gold.contains({link.left, link.right});
    ++said;
    right += holds ? 1 : 0;
    figures.sure += link.confidence >= .9 ? 1 : 0;
    figures.held += link.confidence >= .9 && holds ? 1 : 0;
    figures.all = precision_recall(right, said, gold.size() - seeds.size());
    figures.best = std::max(figures.best, figures.all.f1);
  }
  return figures;
}

struct Asked {
  AlignOptions options;
  bool tables = false;
};

void run(const std::string& data, const std::string& name, const Asked& asked) {
  Observer quiet;
  const Files files = files_of(data, name, asked.tables);
  LoadOptions load;
  load.keep_literals = true;
  for (const std::string& seed_file : {std::string(), files.seeds}) {
    const auto start = std::chrono::steady_clock::now();
    const LoadedPair pair = load_files(files.left, files.right, seed_file, load, quiet);
    const Run run = run_alignment(pair, asked.options, quiet);
    const double seconds = seconds_since(start);
    const std::set<Link> gold = links_of(files.gold, pair.graphs), seeds = links_of(seed_file, pair.graphs);
    const Figures figures = judge(run.decisions.links, gold, seeds, files.partial);
    fmt::print(
        "{:<11} {:<9} F1 {:.3f} (P {:.3f} R {:.3f}) best threshold {:.3f}   confidence >= .9: {} links, "
        "{:.3f} "
        "right   {:.1f} s\n",
        name, seeds.empty() ? "no seeds" : "10% seeds", figures.all.f1, figures.all.precision,
        figures.all.recall, figures.best, figures.sure,
        figures.sure == 0 ? 0 : static_cast<double>(figures.held) / static_cast<double>(figures.sure),
        seconds);
    std::fflush(stdout);
    if (files.seeds.empty()) break;
  }
}

bool set_option(ValueOptions& options, const std::string& text) {
  const std::size_t at = text.find('=');
  if (!text.starts_with("--") || at == text.npos) return false;
  const std::string key = text.substr(2, at - 2);
  const double value = std::strtod(text.c_str() + at + 1, nullptr);
  const std::map<std::string, std::size_t*> counts = {
      {"rounds", &options.rounds},         {"features", &options.features},
      {"fewest", &options.fewest},         {"groupings", &options.groupings},
      {"fitted-on", &options.fitted_on},   {"looked-at", &options.looked_at},
      {"candidates", &options.candidates},
  };
  const std::map<std::string, double*> numbers = {
      {"least-gain", &options.least_gain},
      {"penalty", &options.penalty},
      {"prior", &options.prior},
      {"first-share", &options.first_share},
  };
  if (counts.contains(key)) {
    *counts.at(key) = static_cast<std::size_t>(value);
  } else if (numbers.contains(key)) {
    *numbers.at(key) = value;
  } else {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  std::vector<std::string> names;
  dovetail::Asked asked;
  for (int i = 2; i < argc; ++i) {
    const std::string text = argv[i];
    if (text == "--tables") {
      asked.tables = true;
    } else if (!dovetail::set_option(asked.options.values, text)) {
      names.push_back(text);
    }
  }
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_values DATA_FOLDER [NAME...] [--tables] [--option=value...]\n");
    return 2;
  }
  if (names.empty() && asked.tables) names = {"D2", "D4", "D5", "D8"};
  if (names.empty()) names = {"person", "restaurant", "D2", "D4", "D5", "D8"};
  for (const std::string& name : names) dovetail::run(argv[1], name, asked);
}
