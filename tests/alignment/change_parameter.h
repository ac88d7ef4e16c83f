#pragma once

#include <filesystem>
#include <type_traits>

#include "alignment/parameters.h"

namespace dovetail::test {

/// Gives a parameter another value than the one it has.
template <typename Value>
void change(Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    const auto& names = EnumNames<Value>::kNames;
    value = value == names.front().first ? names.back().first : names.front().first;
  } else if constexpr (std::is_same_v<Value, bool>) {
    value = !value;
  } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
    value = "/vectors of \"words\".vec";
  } else if constexpr (std::is_same_v<Value, Bytes>) {
    value.count = value.count * 3 + 1;
  } else {
    value = static_cast<Value>(value * 3 + 1);
  }
}

}  // namespace dovetail::test
