#include "formats/name_limit.h"

#include <dovetail/errors.h>

#include <fmt/format.h>
#include <string>

#include "common/text.h"

namespace dovetail {

void refuse_name(std::string_view file, std::uint64_t line, std::string_view name) {
  throw InputError(std::string(file), line,
                   fmt::format("found a name of {}, {}; expected at most {}; shorten it or remove the line",
                               human_bytes(name.size()), shown(name), human_bytes(kLongestName)));
}

}  // namespace dovetail
