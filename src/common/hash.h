#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <xxhash.h>

namespace dovetail {

/// XXH3 of one piece after another.
class Hash {
 public:
  Hash() : state_(XXH3_createState(), XXH3_freeState) { XXH3_64bits_reset(state_.get()); }
  template <typename T>
  void add(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::uint64_t size = values.size();  // so that pieces do not run into each other
    XXH3_64bits_update(state_.get(), &size, sizeof size);
    XXH3_64bits_update(state_.get(), values.data(), values.size_bytes());
  }
  void add(std::string_view text) { add(std::span(text.data(), text.size())); }
  [[nodiscard]] std::uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

}  // namespace dovetail
