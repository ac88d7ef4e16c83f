#include "formats/word_vector_parser.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <simdjson.h>
#include <utility>

#include "common/text.h"

namespace dovetail {

namespace {

constexpr std::uint64_t kMostColumns = 1 << 16;
constexpr std::size_t kLongestWord = 1 << 16;  // bytes; a word2vec file that is none has no end of word
constexpr std::uint8_t kSimplified = 1;        // known by a simplified form, so far
constexpr std::uint8_t kExact = 2;
constexpr const char* kKinds = "word vectors of word2vec, GloVe or fastText (.vec)";

bool is_gap(char c) {
  return c == ' ' || c == '\t';
}

std::string_view without_end(std::string_view line) {
  while (!line.empty() && (is_gap(line.back()) || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Whether bytes behind a header are text. Four bytes of a float hardly ever are UTF-8 without control
/// characters, and there are many of them.
bool is_text(std::string_view sample) {
  const auto control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  };
  if (std::ranges::any_of(sample, control)) return false;
  for (int cut = 0; cut < 4; ++cut) {  // the sample may end within a character
    if (simdjson::validate_utf8(sample.data(), sample.size())) return true;
    if (!sample.empty()) sample.remove_suffix(1);
  }
  return false;
}

}  // namespace

WordVectorParser::WordVectorParser(std::string file, const StringTable& wanted, const Simplify& simplify)
    : file_(std::move(file)), wanted_(wanted), simplify_(simplify), index_(wanted) {
  result_.known.assign(wanted.size(), 0);
}

void WordVectorParser::fail(const std::string& problem) const {
  throw InputError(file_, line_, problem);
}

void WordVectorParser::set_dimension(std::uint64_t dimension) {
  if (dimension == 0 || dimension > kMostColumns) {
    fail(fmt::format("found vectors of {} numbers; expected {}, of 1 to {} numbers; is this such a file?",
                     dimension, kKinds, kMostColumns));
  }
  result_.dimension = static_cast<std::size_t>(dimension);
  result_.vectors = Matrix<float>(wanted_.size(), result_.dimension);
}

std::size_t WordVectorParser::recognise(std::string_view beginning) {
  const std::size_t mark = beginning.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::size_t end = beginning.find('\n', mark);
  const std::string_view first =
      without_end(beginning.substr(mark, end == beginning.npos ? end : end - mark));
  line_ = 1;
  if (first.empty()) {
    fail(fmt::format("found an empty line; expected {}; check that the file is complete", kKinds));
  }
  const std::size_t gap = first.find_first_of(" \t");
  const auto words = parse_count(first.substr(0, gap));
  const auto columns = gap == first.npos ? std::nullopt : parse_count(first.substr(gap + 1));
  if (!words || !columns) {
    set_dimension(static_cast<std::uint64_t>(std::ranges::count_if(first, is_gap)));
    line_ = 0;
    return mark;
  }
  has_header_ = true;
  promised_ = *words;
  set_dimension(*columns);
  const std::size_t header = end == beginning.npos ? beginning.size() : end + 1;
  std::string_view sample = beginning.substr(header);
  sample.remove_prefix(std::min(sample.find_first_of(" \t"), sample.size()));
  binary_ = !is_text(sample.substr(0, result_.dimension * sizeof(float)));
  return header;
}

std::size_t WordVectorParser::take(std::string_view piece, bool last) {
  std::size_t done = 0;
  if (!std::exchange(started_, true)) done = recognise(piece);
  if (binary_) {
    line_ = 0;  // there are no lines
    while (result_.in_file < promised_) {
      const std::size_t length = take_record(piece.substr(done));
      if (length == 0) return done;
      done += length;
    }
    const std::string_view rest = piece.substr(done);
    if (rest.find_first_not_of(" \r\n") != rest.npos) {
      fail(
          fmt::format("found more bytes behind the last of {} words; expected vectors of {} numbers, as the "
                      "header says; is the header damaged?",
                      with_commas(promised_), result_.dimension));
    }
    return piece.size();
  }
  while (done < piece.size()) {
    const std::size_t end = piece.find('\n', done);
    if (end == piece.npos && !last) break;
    ++line_;
    const std::string_view line = without_end(piece.substr(done, end == piece.npos ? end : end - done));
    if (!line.empty()) take_line(line);
    done = end == piece.npos ? piece.size() : end + 1;
  }
  return done;
}

std::string_view WordVectorParser::cut_word(std::string_view& line) const {
  const auto gaps = static_cast<std::size_t>(std::ranges::count_if(line, is_gap));
  const auto refuse = [&](std::string_view word) {
    fail(fmt::format("found {} column{} behind {}; expected {} numbers as {}; is the file complete?", gaps,
                     plural(gaps), shown(word), result_.dimension,
                     has_header_ ? "the header says" : "in the first line"));
  };
  std::size_t cut = line.find_first_of(" \t");
  if (gaps < result_.dimension) refuse(line.substr(0, cut));
  if (gaps > result_.dimension) {
    // Some words of GloVe have spaces in them, and no numbers at their end.
    const std::string_view first = line.substr(0, cut);
    std::size_t end = line.size();
    for (std::size_t i = 0; i < result_.dimension; ++i) end = line.find_last_of(" \t", end - 1);
    const std::string_view before = line.substr(0, end);
    if (parse_number(before.substr(before.find_last_of(" \t") + 1))) refuse(first);
    cut = end;
  }
  const std::string_view word = line.substr(0, cut);
  line.remove_prefix(cut + 1);
  return word;
}

void WordVectorParser::take_line(std::string_view line) {
  if (line.find('\0') != line.npos) {
    fail(
        "found a NUL byte; expected a word and numbers in text; is the file damaged, or a binary one whose "
        "header is missing?");
  }
  const std::string_view word = cut_word(line);
  ++result_.in_file;
  float* const row = row_for(word);
  if (row == nullptr) return;
  for (std::size_t i = 0; i < result_.dimension; ++i) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const auto number = parse_number(line.substr(0, end));
    if (!number || !std::isfinite(static_cast<float>(*number))) {
      fail(fmt::format("found {} as number {} of {}; expected a number; correct or remove the line",
                       shown(line.substr(0, end)), i + 1, shown(word)));
    }
    row[i] = static_cast<float>(*number);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

std::size_t WordVectorParser::take_record(std::string_view piece) {
  // Most programs end a record as a line, some do not.
  const std::size_t begin = std::min(piece.find_first_not_of('\n'), piece.size());
  const std::size_t end = piece.substr(0, begin + kLongestWord).find(' ', begin);
  const auto place = [&] {
    return fmt::format("word {} of {}", with_commas(result_.in_file + 1), with_commas(promised_));
  };
  if (end == piece.npos) {
    if (piece.size() - begin < kLongestWord) return 0;
    fail(
        fmt::format("found no space behind {}; expected binary vectors of {} numbers, as the header says; is "
                    "this a word2vec file?",
                    place(), result_.dimension));
  }
  const std::size_t bytes = result_.dimension * sizeof(float);
  if (piece.size() - end - 1 < bytes) return 0;
  const std::string_view word = piece.substr(begin, end - begin);
  if (float* const row = row_for(word); row != nullptr) {
    std::memcpy(row, piece.data() + end + 1, bytes);  // little-endian, as this program's machines are
    if (!std::all_of(row, row + result_.dimension, [](float x) { return std::isfinite(x); })) {
      fail(
          fmt::format("found a vector that is not all numbers at {}, {}; expected binary vectors of {} "
                      "numbers, as the header says; is the file damaged?",
                      place(), shown(word), result_.dimension));
    }
  }
  ++result_.in_file;
  return end + 1 + bytes;
}

float* WordVectorParser::row_for(std::string_view word) {
  std::uint32_t number = index_.find(wanted_, word);
  std::uint8_t form = kExact;
  if (number == kNone) {
    form = kSimplified;
    number = index_.find(wanted_, simplify_(word));
  }
  if (number == kNone || result_.known[number] >= form) return nullptr;
  result_.known[number] = form;
  return result_.vectors.row(number);
}

WordVectors WordVectorParser::finish() {
  line_ = 0;
  if (has_header_ && result_.in_file < promised_) {
    fail(
        fmt::format("the file ends after {} of {} words; expected as many as the header says; copy or "
                    "download it again",
                    with_commas(result_.in_file), with_commas(promised_)));
  }
  for (std::uint8_t& known : result_.known) known = known != 0 ? 1 : 0;
  return std::move(result_);
}

}  // namespace dovetail
