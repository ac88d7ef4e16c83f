#pragma once

#include <dovetail/parameters.h>

#include <filesystem>
#include <type_traits>

namespace dovetail::test {

/// Gives a parameter another value than the one it has, within its range.
template <typename Value>
void change(Value& value, const Range& range) {
  const double middle = (range.least + range.most) / 2;
  if constexpr (std::is_enum_v<Value>) {
    const auto& names = EnumNames<Value>::kNames;
    value = value == names.front().first ? names.back().first : names.front().first;
  } else if constexpr (std::is_same_v<Value, bool>) {
    value = !value;
  } else if constexpr (std::is_same_v<Value, std::filesystem::path>) {
    value = "/vectors of \"words\".vec";
  } else if constexpr (std::is_same_v<Value, Bytes>) {
    value.count = static_cast<std::uint64_t>(middle);
  } else {
    const auto other = static_cast<Value>(middle);
    value = value == other ? static_cast<Value>(range.least) : other;
  }
}

}  // namespace dovetail::test
