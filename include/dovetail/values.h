#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace dovetail {

/// How pairs are found by their values, and how it is learned what an agreement is worth.
struct ValueOptions {
  std::filesystem::path attributes;  ///< file of pairs of attributes that do or do not correspond; or empty
  /// Candidates kept for each entity of the smaller side; those of the larger side keep so many fewer that
  /// both have about as many in all, but not fewer than `fewest`.
  std::size_t candidates = 20;
  std::size_t fewest = 5;
  /// Entities that share a term, looked at for one entity at most, rarest terms first: this bounds the time.
  std::size_t looked_at = 40'000;
  std::size_t rounds = 4;          ///< of expectation and maximisation
  std::size_t features = 40;       ///< kept at most
  double least_gain = 0.03;        ///< nats about a pair that a feature must bring to be kept
  double penalty = 10;             ///< on squared coefficients, of weights of evidence in units of 3 nats
  double prior = 2;                ///< examples' worth of doubt about each feature's levels
  double first_share = 0.5;        ///< of the mutually best pairs that learning starts from
  std::size_t groupings = 1;       ///< attributes whose presence divides pairs into groups
  std::size_t fitted_on = 60'000;  ///< pairs that are surely wrong, at most; the others are all taken
};

/// What a user says of an attribute of the left graph and one of the right graph.
struct AttributeRule {
  std::string left, right;  ///< as the file names them
  bool same;                ///< they correspond, or never do
  std::uint64_t line;
};

/// How far an attribute of the left graph corresponds to one of the right graph, as learned.
struct AttributeLink {
  std::uint32_t left, right;  ///< numbers in the graphs' attributes()
  /// Share of the matching pairs with both attributes whose values agree, beyond what chance would have
  /// agree.
  double probability;
  double seen;                  ///< matching pairs, by their probabilities, that have both
  std::string_view comparison;  ///< how the values are compared that tell most
  double weight_for;            ///< log-odds that the best agreement adds
  double weight_against;        ///< log-odds that the worst disagreement adds, mostly below 0
};

}  // namespace dovetail
