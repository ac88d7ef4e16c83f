#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace dovetail {

/// The bytes of an uncompressed file, in memory as far as they are looked at.
class MappedFile {
 public:
  /// Throws SystemError where the file cannot be opened or is no regular one.
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace dovetail
