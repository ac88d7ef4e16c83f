#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/checksum.h"
#include "formats/byte_source.h"
#include "formats/output_file.h"

namespace dovetail {

static_assert(std::endian::native == std::endian::little, "such files are written as memory holds them");

/// A state that says by visit_state() what it consists of.
template <typename State, typename Archive>
concept Visited = requires(Archive& archive, State& state) {
  visit_state(archive, state);
};
template <typename Table>
concept Rows = requires(Table& table) {
  table.rows(), table.columns(), table.span();
};

/// Writes a file of a magic word, a version, a header in JSON, values as memory holds them, and a checksum.
class CheckedWriter {
 public:
  CheckedWriter(const std::filesystem::path& path, std::string_view magic, std::uint32_t version,
                std::string_view header);

  void write(std::string_view bytes) {
    checksum_.add(bytes);
    file_.write(bytes);
  }
  template <typename T>
  void write_values(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  /// Parts of a state, one after the other.
  template <typename... Parts>
  void operator()(Parts&... parts) {
    (put(parts), ...);
  }

  void commit();

 private:
  template <typename T>
  void put(T& part) {
    if constexpr (Visited<T, CheckedWriter>) {
      visit_state(*this, part);
    } else {
      write_values(std::span<const T>(&part, 1));
    }
  }
  template <typename T>
  void put(std::vector<T>& parts) {
    const std::uint64_t count = parts.size();
    put(count);
    if constexpr (std::is_trivially_copyable_v<T> && !Visited<T, CheckedWriter>) {
      write_values(std::span<const T>(parts));
    } else {
      for (T& part : parts) put(part);
    }
  }
  template <typename T>
  void put(std::optional<T>& part) {
    const bool there = part.has_value();
    put(there);
    if (there) put(*part);
  }
  template <Rows Table>
  void put(Table& table) {
    const std::uint64_t rows = table.rows(), columns = table.columns();
    put(rows);
    put(columns);
    write_values(std::span(std::as_const(table).span()));
  }

  OutputFile file_;
  Checksum checksum_;
};

/// Reads such a file. What is not as it should be is an InputError that names what kind of file was expected.
class CheckedReader {
 public:
  /// Reads up to the values. Throws where magic or header are not as they should be.
  CheckedReader(const std::filesystem::path& path, std::string_view kind, std::string_view magic);

  [[nodiscard]] std::uint32_t version() const { return version_; }
  [[nodiscard]] const std::string& header() const { return header_; }

  void read(std::span<char> bytes);
  template <typename T>
  void read_values(std::vector<T>& values, std::uint64_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    check_count(count, sizeof(T));
    values.resize(count);
    read({reinterpret_cast<char*>(values.data()), count * sizeof(T)});
  }
  /// Parts of a state, one after the other. A table that has a size keeps it.
  template <typename... Parts>
  void operator()(Parts&... parts) {
    (get(parts), ...);
  }

  /// Throws unless the checksum follows, and fits.
  void finish();
  /// The same for a whole file that is to be read later.
  static void check_whole(const std::filesystem::path& path, std::string_view kind);
  [[noreturn]] void fail(const std::string& what) const;

 private:
  CheckedReader(const std::filesystem::path& path, std::string_view kind) : kind_(kind), source_(path) {}

  template <typename T>
  T value() {
    T result{};
    read({reinterpret_cast<char*>(&result), sizeof result});
    return result;
  }
  /// What a damaged file claims must not decide how much memory is taken.
  void check_count(std::uint64_t count, std::size_t size) const {
    if (count > source_.size() / size) fail("it claims more numbers than it holds");
  }

  template <typename T>
  void get(T& part) {
    if constexpr (Visited<T, CheckedReader>) {
      visit_state(*this, part);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      read({reinterpret_cast<char*>(&part), sizeof part});
    }
  }
  void get(bool& part) { part = value<std::uint8_t>() != 0; }
  template <typename T>
  void get(std::vector<T>& parts) {
    const auto count = value<std::uint64_t>();
    if constexpr (std::is_trivially_copyable_v<T> && !Visited<T, CheckedReader>) {
      read_values(parts, count);
    } else {
      check_count(count, 1);
      parts.clear();
      for (std::uint64_t n = 0; n < count; ++n) get(parts.emplace_back());
    }
  }
  template <typename T>
  void get(std::optional<T>& part) {
    part.reset();
    bool there = false;
    get(there);
    if (there) get(part.emplace());
  }
  template <Rows Table>
  void get(Table& table) {
    const auto rows = value<std::uint64_t>(), columns = value<std::uint64_t>();
    if (table.rows() == 0 && table.columns() == 0) {
      check_count(rows, sizeof(*table.data()));
      check_count(columns, sizeof(*table.data()) * std::max<std::uint64_t>(1, rows));
      table = Table(rows, columns);
    }
    if (table.rows() != rows || table.columns() != columns) fail("it has tables of other sizes");
    const auto values = table.span();
    read({reinterpret_cast<char*>(values.data()), values.size_bytes()});
  }

  std::string kind_;
  ByteSource source_;
  Checksum checksum_;
  std::uint32_t version_ = 0;
  std::string header_;
};

}  // namespace dovetail
