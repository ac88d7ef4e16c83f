#include <dovetail/errors.h>
#include <dovetail/links.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "common/random.h"

namespace dovetail {

bool kept_apart(std::span<const Link> apart, const Link& link) {
  if (apart.empty()) return false;
  const auto has = [&](const Link& known) { return std::ranges::binary_search(apart, known); };
  return has(link) || has({link.left, kNone}) || has({kNone, link.right});
}

SeedLinks split_links(std::vector<Link> links, const SplitOptions& options) {
  if (!(options.seed_ratio >= 0 && options.valid_ratio >= 0 &&
        options.seed_ratio + options.valid_ratio <= 1)) {
    throw ParameterError(
        fmt::format("the shares of training and development links are {} and {}; both must be at least 0 and "
                    "their sum at most 1",
                    options.seed_ratio, options.valid_ratio));
  }
  Random(options.seed).shuffle(std::span(links));
  const auto share = [&](double ratio) {
    return static_cast<std::ptrdiff_t>(std::llround(ratio * static_cast<double>(links.size())));
  };
  const auto train_end = links.begin() + share(options.seed_ratio);
  const auto valid_end = links.begin() + share(options.seed_ratio + options.valid_ratio);
  SeedLinks split;
  split.train.assign(links.begin(), train_end);
  split.valid.assign(train_end, valid_end);
  split.test.assign(valid_end, links.end());
  split.origin = fmt::format("drawn at random, {:g} for training and {:g} for development, split seed {}",
                             options.seed_ratio, options.valid_ratio, options.seed);
  return split;
}

}  // namespace dovetail
