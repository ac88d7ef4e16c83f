#pragma once

#include <dovetail/deciding.h>
#include <dovetail/evidence.h>
#include <dovetail/links.h>
#include <dovetail/options.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace dovetail {

class ReasonGiver;
struct LearnedBySignals;

/// Says why links were decided, whatever decided them: by the links themselves, the seeds among them, as
/// evidence for each other.
class Explainer {
 public:
  /// `options` of the run, its number of threads among them. The pair must stay valid as long as the
  /// explainer.
  Explainer(const GraphPair& pair, const AlignOptions& options, std::span<const Link> seeds,
            std::span<const DecidedLink> links);
  /// The same with what the run's signals have learned, so that they need not learn it again.
  Explainer(const GraphPair& pair, const AlignOptions& options, std::span<const Link> seeds,
            std::span<const DecidedLink> links, const LearnedBySignals& learned);

  Explainer(const Explainer&) = delete;
  Explainer& operator=(const Explainer&) = delete;
  ~Explainer();

  /// What speaks for a pair and what against it, the `most` weightiest of each; the pair itself is not taken
  /// for granted.
  [[nodiscard]] Reasons reasons(EntityId left, EntityId right, std::size_t most) const;

  /// All that speaks for a pair, added up.
  [[nodiscard]] double evidence(EntityId left, EntityId right) const;

  /// Relations of the left graph, not inverse ones, with those of the right graph that correspond to them;
  /// for each the likeliest first.
  [[nodiscard]] std::vector<RelationLink> relations() const;

 private:
  std::vector<std::unique_ptr<ReasonGiver>> givers_;
};

}  // namespace dovetail
