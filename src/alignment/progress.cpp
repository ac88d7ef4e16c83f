#include "alignment/progress.h"

#include "alignment/workbench.h"

namespace dovetail {

Progress Keeper::kept() {
  return {};
}

void train_kept(Trainer<float>& trainer, std::span<const NodePair> links, std::span<const NodePair> valid,
                const AlignOptions& options, Observer& observer, Progress& progress) {
  Keeper none;
  Keeper& keeper = progress.keeper == nullptr ? none : *progress.keeper;
  keeper.restore(trainer);
  std::optional<ThreadPool::Finishing> finishing;
  if (keeper.keeps()) finishing.emplace(trainer.pool());
  train_loop<float>(trainer, links, valid, learning_options(options), observer, progress.report,
                    progress.position, [&] {
                      keeper.keep(progress, &trainer);
                      observer.stop_if_cancelled();
                    });
  progress.position = {};
}

}  // namespace dovetail
