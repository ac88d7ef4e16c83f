#include <dovetail/errors.h>
#include <dovetail/link_metrics.h>

#include <fmt/format.h>
#include <memory>
#include <unicode/regex.h>

#include "common/text.h"

namespace dovetail {

void keep_matching(const std::string& expression, std::vector<NamedLink>& links) {
  UErrorCode code = U_ZERO_ERROR;
  UParseError where{};
  const std::unique_ptr<icu::RegexPattern> pattern(
      icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(expression), where, code));
  if (U_FAILURE(code) != 0) {
    throw ParameterError(
        fmt::format("found {}; expected a regular expression, which this is not from character {} on",
                    shown(expression), where.offset));
  }
  std::erase_if(links, [&](const NamedLink& link) {
    UErrorCode found = U_ZERO_ERROR;
    const icu::UnicodeString text = icu::UnicodeString::fromUTF8(link.left);
    const std::unique_ptr<icu::RegexMatcher> matcher(pattern->matcher(text, found));
    const bool keep = U_SUCCESS(found) != 0 && matcher->find(found) != 0;
    // ICU gives up where the expression would take all of the stack.
    if (U_FAILURE(found) != 0) {
      throw ParameterError(fmt::format("{} takes too long on {}; expected a simpler regular expression",
                                       shown(expression), shown(link.left)));
    }
    return !keep;
  });
}

}  // namespace dovetail
