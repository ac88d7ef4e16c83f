#pragma once

namespace dovetail::test {

/// Whether a sanitizer watches this build: it takes terabytes of addresses, has to be loaded first, and looks
/// for leaks only in what it may trace.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace dovetail::test
