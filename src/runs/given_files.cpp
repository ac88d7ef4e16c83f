#include "runs/given_files.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "formats/pair_source.h"

namespace dovetail {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestName = 200;  // bytes; file systems take 255

/// The highest number that a file's name in the folder begins with.
std::uint64_t highest_number(const fs::path& folder) {
  std::uint64_t highest = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    std::uint64_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    highest = std::max(highest, number);
  }
  return highest;
}

/// A file's name as every file system and JSON take it; its end, which tells the format, stays.
std::string plain_name(const fs::path& file) {
  std::string name = file.filename().string();
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && std::string_view("._-+,=@ ").find(c) == std::string_view::npos) c = '_';
  }
  return name.size() > kLongestName ? name.substr(name.size() - kLongestName) : name;
}

bool same_place(const fs::path& one, const fs::path& other) {
  const auto first = place_of(one), second = place_of(other);
  return first && second && first->same(*second);
}

}  // namespace

GivenFiles::GivenFiles(const fs::path& opened, OutputFolder& target)
    : target_(target),
      opened_(fs::absolute(opened) / kGivenFolder),
      in_place_(same_place(opened, target.final_path())),
      number_(std::max(highest_number(opened_), highest_number(target.final_path() / kGivenFolder))) {}

MoreFiles GivenFiles::take(MoreFiles more) {
  const auto take_one = [&](const char* /*name*/, fs::path& file) {
    if (file.empty()) return;
    const auto place = place_of(file);
    if (!place || place->folder) return;  // the reader will say so
    const bool again = fs::is_regular_file(file);
    if (again) {
      struct stat status {};
      if (::stat(file.c_str(), &status) == 0) stamps_.emplace(fs::absolute(file), status);
    }
    const fs::path copy = copy_of(file);
    if (!again) {
      const fs::path staged = target_.working_path() / kGivenFolder / copy.filename();
      copies_[fs::absolute(staged)] = copy;
      file = staged;
    }
  };
  visit_files(more, take_one);
  take_one("names", more.options.names);
  return more;
}

void GivenFiles::settle(PairSource& source) {
  for (const auto& [file, stamp] : stamps_) {
    struct stat status {};
    if (::stat(file.c_str(), &status) == 0 && FileStamp(status) == stamp) continue;
    throw InputError(file.string(), 0,
                     "the file was changed while it was read; expected it to stay as it is");
  }
  const auto settle_one = [&](const char* /*name*/, fs::path& file) {
    if (!file.empty()) file = copy_of(file);
  };
  for (MoreFiles& more : source.more) {
    visit_files(more, settle_one);
    settle_one("names", more.options.names);
  }
}

fs::path GivenFiles::copy_of(const fs::path& file) {
  const fs::path absolute = fs::absolute(file);
  if (const auto known = copies_.find(absolute); known != copies_.end()) return known->second;
  const bool earlier = absolute.parent_path() == opened_ && !stamps_.contains(absolute);
  const fs::path home = target_.final_path();
  if (earlier && in_place_) return copies_[absolute] = home / kGivenFolder / absolute.filename();
  std::string name = fmt::format("{}/{}", kGivenFolder, absolute.filename().string());
  if (!earlier || status_of(home / name)) name = free_name(absolute);
  fs::create_directories(target_.working_path() / kGivenFolder);
  copy_flushed(absolute, target_.working_path() / name);
  target_.keep(name);
  return copies_[absolute] = home / name;
}

std::string GivenFiles::free_name(const fs::path& file) {
  return fmt::format("{}/{}-{}", kGivenFolder, ++number_, plain_name(file));
}

}  // namespace dovetail
