#pragma once

#include <dovetail/graph.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "formats/word_vectors.h"
#include "graph/string_index.h"

namespace dovetail {

/// Takes the text or the bytes of a file of word vectors piece by piece, and keeps the words wanted.
class WordVectorParser {
 public:
  using Simplify = std::function<std::string(std::string_view)>;

  WordVectorParser(std::string file, const StringTable& wanted, const Simplify& simplify);

  /// Reads what is complete at the front of `piece`; returns how many bytes that was. What is left comes
  /// again, with more behind it, unless this was the `last` piece. The first piece is at least
  /// kBeginning long, or else the last.
  static constexpr std::size_t kBeginning = 1 << 20;
  std::size_t take(std::string_view piece, bool last);

  /// After the last piece.
  [[nodiscard]] WordVectors finish();

 private:
  /// Finds out which format it is; returns the length of the header, 0 if there is none.
  std::size_t recognise(std::string_view beginning);
  void take_line(std::string_view line);
  /// The word of a line; the rest of the line is then numbers only.
  std::string_view cut_word(std::string_view& line) const;
  /// The length of the record at the front of `piece`, 0 if it goes on behind it.
  std::size_t take_record(std::string_view piece);
  /// The row to fill for a word of the file; null if the word is not wanted, or known already.
  float* row_for(std::string_view word);
  void set_dimension(std::uint64_t dimension);
  [[noreturn]] void fail(const std::string& problem) const;

  std::string file_;
  const StringTable& wanted_;
  const Simplify& simplify_;
  StringIndex index_;
  WordVectors result_;
  bool started_ = false;
  bool binary_ = false;
  bool has_header_ = false;
  std::uint64_t promised_ = 0;  // words, by the header
  std::uint64_t line_ = 0;      // of text
};

}  // namespace dovetail
