#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace dovetail {

/// Zeroed memory for `bytes`, aligned to a cache line, in huge pages where it is large and the system has
/// them; pages that are never written cost nothing. Throws std::bad_alloc.
[[nodiscard]] void* allocate_zeroed(std::size_t bytes);
void release(void* memory, std::size_t bytes) noexcept;
/// The same in an unnamed file of the folder, which is gone with the memory: the system may move it out at
/// any time. Throws SystemError if the disk has no room for it.
[[nodiscard]] void* map_scratch_file(std::size_t bytes, const std::filesystem::path& folder);
void unmap_scratch_file(void* memory, std::size_t bytes) noexcept;
/// Moves what lies between out to the file; it comes back when it is touched.
void move_out(void* begin, void* end) noexcept;
/// Gives back to the system what release() has kept for the next allocation.
void drop_spare_memory() noexcept;
/// While one of these lives, release() keeps nothing: where memory counts more than time.
class NoSpareMemory {
 public:
  NoSpareMemory();
  NoSpareMemory(const NoSpareMemory&) = delete;
  NoSpareMemory& operator=(const NoSpareMemory&) = delete;
  ~NoSpareMemory();
};

/// Where a std::vector has its memory from so that it is in huge pages, too.
template <typename T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <typename Other>
  HugePages(const HugePages<Other>&) {}
  [[nodiscard]] T* allocate(std::size_t count) { return static_cast<T*>(allocate_zeroed(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { release(memory, count * sizeof(T)); }
  bool operator==(const HugePages&) const = default;
};

/// For lists as long as the graphs, which are looked at anywhere.
template <typename T>
using LargeVector = std::vector<T, HugePages<T>>;

/// A fixed-size array of plain values that starts as zeros, in memory or in a file of a folder; moves, does
/// not copy.
template <typename T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    if (size > 0) data_ = static_cast<T*>(allocate_zeroed(size * sizeof(T)));
  }
  /// In memory if the folder is empty.
  Buffer(std::size_t size, const std::filesystem::path& folder) : size_(size), in_file_(!folder.empty()) {
    if (size == 0) return;
    data_ = static_cast<T*>(in_file_ ? map_scratch_file(size * sizeof(T), folder)
                                     : allocate_zeroed(size * sizeof(T)));
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        in_file_(other.in_file_) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(in_file_, other.in_file_);
    return *this;
  }
  ~Buffer() {
    if (data_ == nullptr) return;
    if (in_file_) {
      unmap_scratch_file(data_, size_ * sizeof(T));
    } else {
      release(data_, size_ * sizeof(T));
    }
  }

  [[nodiscard]] bool in_file() const { return in_file_; }
  /// What lies in a file need not stay in memory; nothing else is changed by this.
  void rest(std::size_t begin, std::size_t end) const {
    if (in_file_ && begin < end) move_out(data_ + begin, data_ + end);
  }

  /// At least `size` values; the content is lost when it grows.
  void require(std::size_t size) {
    if (size <= size_) return;
    *this = Buffer();
    *this = Buffer(size);
  }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] std::span<T> span() { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  bool in_file_ = false;
};

/// Rows of equal length in one Buffer.
template <typename T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns) {}
  /// In a file of the folder, unless that is empty.
  Matrix(std::size_t rows, std::size_t columns, const std::filesystem::path& folder)
      : rows_(rows), columns_(columns), values_(rows * columns, folder) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] T* row(std::size_t i) { return values_.data() + i * columns_; }
  [[nodiscard]] const T* row(std::size_t i) const { return values_.data() + i * columns_; }
  [[nodiscard]] T* data() { return values_.data(); }
  [[nodiscard]] const T* data() const { return values_.data(); }
  [[nodiscard]] std::span<T> span() { return values_.span(); }
  [[nodiscard]] std::span<const T> span() const { return values_.span(); }
  [[nodiscard]] bool in_file() const { return values_.in_file(); }
  /// Rows in a file that are not needed for now leave memory.
  void rest(std::size_t first, std::size_t end) const { values_.rest(first * columns_, end * columns_); }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  Buffer<T> values_;
};

}  // namespace dovetail
