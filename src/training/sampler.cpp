#include "training/sampler.h"

#include <dovetail/errors.h>

#include "training/edge_sampler.h"
#include "training/receptive_field.h"

namespace dovetail {

std::unique_ptr<Sampler> make_sampler(const SamplingOptions& options, std::size_t depth,
                                      std::size_t relation_rows, const MessageGraph& graph) {
  if (!(options.tau > 0)) throw ParameterError("tau must be above 0");
  if (draws_graphs(options.method)) {
    return std::make_unique<EdgeSampler>(options, depth, relation_rows, graph);
  }
  return std::make_unique<ReceptiveField>(graph, depth, options.method == Sampling::whole);
}

}  // namespace dovetail
