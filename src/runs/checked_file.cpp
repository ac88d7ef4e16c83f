#include "runs/checked_file.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <fmt/format.h>

namespace dovetail {

CheckedWriter::CheckedWriter(const std::filesystem::path& path, std::string_view magic, std::uint32_t version,
                             std::string_view header)
    : file_(path, magic) {
  const auto length = static_cast<std::uint32_t>(header.size());
  write(magic);
  put(version);
  put(length);
  write(header);
}

void CheckedWriter::commit() {
  const std::uint64_t checksum = checksum_.value();
  put(checksum);
  file_.commit();
}

CheckedReader::CheckedReader(const std::filesystem::path& path, std::string_view kind, std::string_view magic)
    : CheckedReader(path, kind) {
  std::string found(magic.size(), '\0');
  read(found);
  if (found != magic) fail("it does not begin like one");
  version_ = value<std::uint32_t>();
  const auto length = value<std::uint32_t>();
  if (length > source_.size()) fail("its header is longer than the file");
  header_.resize(length);
  read(header_);
}

void CheckedReader::read(std::span<char> bytes) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const std::size_t got = source_.read(bytes.subspan(filled));
    if (got == 0) fail("the file ends too early");
    filled += got;
  }
  checksum_.add({bytes.data(), bytes.size()});
}

void CheckedReader::finish() {
  const std::uint64_t checksum = checksum_.value();
  if (value<std::uint64_t>() != checksum) fail("its checksum does not fit its content");
}

void CheckedReader::check_whole(const std::filesystem::path& path, std::string_view kind) {
  CheckedReader reader(path, kind);
  constexpr std::uint64_t kBlock = 1 << 20;
  std::vector<char> block(kBlock);
  std::uint64_t left = reader.source_.size();
  if (left < sizeof(std::uint64_t)) reader.fail("the file ends too early");
  for (left -= sizeof(std::uint64_t); left > 0; left -= std::min(left, kBlock)) {
    reader.read(std::span(block).first(std::min(left, kBlock)));
  }
  reader.finish();
}

void CheckedReader::fail(const std::string& what) const {
  throw InputError(source_.name(), 0,
                   fmt::format("not a usable {}: {}; expected one that align has written", kind_, what));
}

}  // namespace dovetail
