#pragma once

#include <dovetail/io.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "verbs.h"

/// The options by which a user says what to load; the same for every verb that reads graphs.
struct InputOptions {
  std::string links;
  std::string not_links;
  std::string test_links;
  std::string format = "auto";
  std::string links_format = "auto";
  std::string names;
  std::string columns;  ///< separated by commas
  std::string links_columns;
  std::string header = "auto";
  std::string form = "auto";
  std::vector<std::string> id_columns;
  std::string multi_value;
  std::string shared_identifiers;  ///< empty: nothing was said
  std::vector<std::string> relation_columns;
  std::vector<std::string> iri_prefixes;
  std::vector<std::string> name_properties;
  bool types_as_entities = false;
  int fold = 1;
  bool strict = false;
  double seed_ratio = -1;
  std::uint64_t split_seed = 1;

  void add_to(CLI::App& verb);
  /// Those of a verb that learns.
  void add_known_pairs_to(CLI::App& verb);
  /// Those of a verb for which classes may be entities or not.
  void add_types_to(CLI::App& verb);
  /// How files are read.
  void add_formats_to(CLI::App& verb);
  [[nodiscard]] dovetail::LoadOptions load_options(const CommonOptions& common) const;
  /// Where the pair is, if it is somewhere: load() says.
  [[nodiscard]] dovetail::PairSource source(const std::vector<std::string>& inputs,
                                            const dovetail::LoadOptions& options) const;
  /// Loads one folder, or two files and the links.
  [[nodiscard]] dovetail::LoadedPair load(const std::vector<std::string>& inputs,
                                          const dovetail::LoadOptions& options,
                                          dovetail::Observer& observer) const;

 private:
  [[nodiscard]] dovetail::LoadedPair load_first(const std::vector<std::string>& inputs,
                                                const dovetail::LoadOptions& options,
                                                dovetail::Observer& observer) const;
};

/// "ntriples, nquads, ...": the formats of the given kinds, for help texts and checks.
[[nodiscard]] std::vector<std::string> format_names(std::initializer_list<dovetail::FormatKind> kinds);
