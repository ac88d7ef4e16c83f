#include <dovetail/run.h>

#include <chrono>

#include "alignment/parameters.h"
#include "common/buffer.h"
#include "common/text.h"

namespace dovetail {

Run run_alignment(const LoadedPair& pair, const AlignOptions& options, Observer& observer) {
  check_options(options);
  const auto begin = std::chrono::steady_clock::now();
  Run run;
  run.options = options;
  run.model = train(pair.graphs, pair.links, options, observer, &run.training);
  const std::vector<Link>& test = pair.links.test;
  if (!test.empty()) {
    run.closed = match(pair.graphs, run.model, closed_pools(test), test, options, observer);
  }
  run.open =
      match(pair.graphs, run.model, open_pools(pair.graphs, pair.links.train), test, options, observer);
  run.seconds.train = run.training.seconds;
  run.seconds.match = run.closed.match_seconds + run.open.match_seconds;
  run.seconds.total = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.peak_memory_bytes = peak_memory_bytes();
  drop_spare_memory();
  return run;
}

}  // namespace dovetail
