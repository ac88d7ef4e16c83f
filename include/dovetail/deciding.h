#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace dovetail {

/// Sinkhorn: probabilities from scores, by bringing the rows and the columns of exp(score / temperature) to
/// sum 1 in turn.
struct SinkhornOptions {
  std::size_t iterations = 10;  ///< each one pass over the rows and one over the columns
  double temperature = 0.03;    ///< in units of the scores; .03 suits CSLS-corrected cosines
  /// The score of having no counterpart, for each row and each column. Without it all of a row's and a
  /// column's mass goes to its candidates, which suits closed sets where everything has a counterpart.
  std::optional<double> no_counterpart = std::nullopt;
  /// A column may get less than 1, so that columns nobody asks for do not pull: for pools whose right side
  /// has entities without counterpart and whose left side has none.
  bool cap_columns = false;
};

/// How many links an entity may be in.
enum class Cardinality : std::uint8_t {
  one_to_one,    ///< each left and each right entity in one at most
  one_to_many,   ///< a left entity in several, a right one in one at most
  many_to_many,  ///< no limit
};

/// Which entities pairs are looked for among.
enum class CandidatePool : std::uint8_t {
  automatic,  ///< test for a folder with test links, else open
  test,       ///< the entities of the test links, as the literature does
  open,       ///< every entity that is in no seed link
};

enum class Decoder : std::uint8_t {
  automatic,   ///< csls for basic, else sinkhorn
  greedy,      ///< plain similarity; evidence where rules alone have found the pairs
  csls,        ///< similarity less that of the nearest neighbours
  sinkhorn,    ///< probabilities under which every entity has one counterpart
  assignment,  ///< the one-to-one choice with the largest total
  stable,      ///< no two would rather have each other
};

struct DecidingOptions {
  CandidatePool pool = CandidatePool::automatic;
  Decoder decoder = Decoder::automatic;
  Cardinality cardinality = Cardinality::one_to_one;
  double min_confidence = 0;  ///< links below it are left out
  /// Keep the largest set of links, taken in order of confidence, whose mean confidence is at least this; 0:
  /// all links.
  double precision = 0;
  /// An entity that is more likely than this to have no counterpart has no link; only in open pools.
  double none_above = 0.5;
  std::size_t iterations = 10;  ///< of Sinkhorn
  double temperature = 0.05;    ///< of Sinkhorn, for CSLS scores of structure alone; where it is set, for all
  double combined_temperature =
      1;  ///< of several signals' scores; settled from `temperature` where that is set
  /// Where there are test links, evaluate in the other pool too, and structure alone beside names.
  bool compare = true;
  bool calibrate = true;          ///< fit confidences on held-out seeds, in a small training of its own
  std::size_t reasons = 5;        ///< written for and against each link; 0: none
  bool learn_scales = false;      ///< the next two from held-out seeds
  double structure_scale = 0.12;  ///< CSLS scores of structure count in these units beside names or rules
  double name_scale = 0.1;        ///< and those of names in these
};

/// Two entities that were decided to be the same.
struct DecidedLink {
  EntityId left, right;
  float score;        ///< the decoder's
  float margin;       ///< how far it is ahead of the left entity's next candidate
  double confidence;  ///< how likely it is right
};

}  // namespace dovetail
