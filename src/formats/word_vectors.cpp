#include "formats/word_vectors.h"

#include <dovetail/errors.h>

#include <string>

#include "formats/byte_source.h"
#include "formats/word_vector_parser.h"

namespace dovetail {

namespace {

constexpr std::size_t kPiece = 16 << 20;
static_assert(kPiece >= WordVectorParser::kBeginning);

/// Lines and records beyond this are none, whatever the file says.
constexpr std::size_t kLongest = 64 << 20;

void read_stream(ByteSource& source, const std::string& task, WordVectorParser& parser, Observer& observer) {
  std::string buffer;
  const bool small = source.size() > 0 && source.size() < kPiece && !source.compressed();
  const std::size_t piece = small ? source.size() + 1 : kPiece;
  while (true) {
    if (buffer.size() > kLongest) {
      throw InputError(
          source.name(), 0,
          "a line or record of over 64 MiB; expected a word and its vector; is this really a file "
          "of word vectors?");
    }
    const std::size_t left = buffer.size();
    buffer.resize(left + piece);
    std::size_t filled = left;
    while (filled < buffer.size()) {
      const std::size_t got = source.read({buffer.data() + filled, buffer.size() - filled});
      if (got == 0) break;
      filled += got;
    }
    const bool last = filled < buffer.size();
    buffer.resize(filled);
    buffer.erase(0, parser.take(buffer, last));
    observer.stop_if_cancelled();
    observer.progress(task, source.position(), source.size(), "bytes");
    if (last) return;
  }
}

}  // namespace

WordVectors read_word_vectors(const std::filesystem::path& path, const StringTable& wanted,
                              const std::function<std::string(std::string_view)>& simplify,
                              Observer& observer) {
  const std::string task = "reading " + path.filename().string();
  WordVectorParser parser(path.string(), wanted, simplify);
  ByteSource source(path);
  read_stream(source, task, parser, observer);
  return parser.finish();
}

}  // namespace dovetail
