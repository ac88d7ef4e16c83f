#pragma once

#include <dovetail/run.h>

namespace dovetail {

/// A run works on the two graphs in an order of its own, so that swapping the sides changes nothing: the one
/// with fewer entities comes first, then the one with fewer triples, then what they are called decides.
/// Whether that is the other order than the user's. Where an entity may be in several links the sides differ
/// by themselves, and what is learned of values is kept by side: there they stay as they are.
[[nodiscard]] bool is_turned(const GraphPair& pair, const AlignOptions& options);

/// A pair with the same graphs, which are not copied and must outlive it, with the sides exchanged if `turn`,
/// and with links in an order that follows from the graphs.
class OrientedPair {
 public:
  OrientedPair(const LoadedPair& pair, bool turn);
  OrientedPair(const OrientedPair&) = delete;
  OrientedPair& operator=(const OrientedPair&) = delete;
  ~OrientedPair();

  [[nodiscard]] const LoadedPair& pair() const { return pair_; }

 private:
  LoadedPair pair_;
};

// What a run is given or leaves, with the sides exchanged.

[[nodiscard]] AlignOptions turned(AlignOptions options);
/// `pair`: in the order that the run has it; of a run before, what its graphs have become since.
[[nodiscard]] Run turned(Run run, const GraphPair& pair);

}  // namespace dovetail
