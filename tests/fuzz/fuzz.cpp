// What libFuzzer calls. One program for all readers: DOVETAIL_FUZZ_TARGET says which of them is fed.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/targets.h"

namespace {

const dovetail::test::FuzzTarget* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* const wanted = std::getenv("DOVETAIL_FUZZ_TARGET");
  for (const auto& target : dovetail::test::fuzz_targets()) {
    if (wanted != nullptr && target.name == std::string_view(wanted)) chosen = &target;
  }
  if (chosen != nullptr) return 0;
  std::fputs("DOVETAIL_FUZZ_TARGET names no target; expected one of:", stderr);
  for (const auto& target : dovetail::test::fuzz_targets()) std::fprintf(stderr, " %s", target.name);
  std::fputs("\n", stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dovetail::test::feed(*chosen, {reinterpret_cast<const char*>(data), size});
  return 0;
}
