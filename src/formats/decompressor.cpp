#include "formats/decompressor.h"

#include <algorithm>
#include <bzlib.h>
#include <cstdint>
#include <fmt/format.h>
#include <lzma.h>
#include <new>
#include <zlib.h>
#include <zstd.h>

namespace dovetail {

namespace {

/// gzip and bzip2: members one behind the other, each complete in itself, and perhaps zeros behind the last
/// one, which tapes and block devices leave.
class MemberDecompressor : public Decompressor {
 public:
  Step step(std::span<const char> input, std::span<char> output, bool /*last*/) final {
    std::size_t zeros = 0;
    if (!inside_) {
      if (ended_) {
        const auto* const other = std::ranges::find_if(input, [](char c) { return c != 0; }).base();
        zeros = static_cast<std::size_t>(other - input.data());
        padded_ = padded_ || zeros > 0;
        input = input.subspan(zeros);
      }
      if (input.empty()) return {zeros, 0};
      if (padded_) throw DamagedData("other data follow its end");
      begin_member(input.front());
      inside_ = true;
    }
    Step done = advance(input, output);
    done.taken += zeros;
    return done;
  }
  [[nodiscard]] bool complete() const final { return !inside_; }

 protected:
  /// Gets ready for another member, which begins with `first`.
  virtual void begin_member(char first) = 0;
  /// Goes on within a member; calls end_member() at its end.
  virtual Step advance(std::span<const char> input, std::span<char> output) = 0;

  void end_member() {
    inside_ = false;
    ended_ = true;
  }
  /// Throws unless a member may begin with this byte.
  void check_first(char first, char expected) const {
    if (ended_ && first != expected) throw DamagedData("other data follow its end");
  }

 private:
  bool inside_ = false;
  bool ended_ = false;   // a member
  bool padded_ = false;  // with zeros
};

/// zlib compares the CRC and the length of each member.
class Gzip : public MemberDecompressor {
 public:
  Gzip() {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&stream_); }

 private:
  void begin_member(char first) override {
    check_first(first, '\x1f');
    inflateReset(&stream_);
  }

  Step advance(std::span<const char> input, std::span<char> output) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = static_cast<uInt>(output.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END) {
      end_member();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw DamagedData(stream_.msg == nullptr ? "zlib cannot read it" : stream_.msg);
    }
    return {input.size() - stream_.avail_in, output.size() - stream_.avail_out};
  }

  z_stream stream_{};
};

/// libbz2 compares the CRC of each block and of each member.
class Bzip2 : public MemberDecompressor {
 public:
  Bzip2() = default;
  ~Bzip2() override { BZ2_bzDecompressEnd(&stream_); }

 private:
  void begin_member(char first) override {
    check_first(first, 'B');
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  Step advance(std::span<const char> input, std::span<char> output) override {
    stream_.next_in = const_cast<char*>(input.data());
    stream_.avail_in = static_cast<unsigned>(input.size());
    stream_.next_out = output.data();
    stream_.avail_out = static_cast<unsigned>(output.size());
    const int status = BZ2_bzDecompress(&stream_);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    if (status == BZ_STREAM_END) {
      end_member();
    } else if (status != BZ_OK) {
      throw DamagedData(status == BZ_DATA_ERROR_MAGIC ? "no bzip2 header" : "incorrect data check");
    }
    return {input.size() - stream_.avail_in, output.size() - stream_.avail_out};
  }

  bz_stream stream_{};
};

class Xz : public Decompressor {
 public:
  Xz() {
    constexpr std::uint64_t kMostMemory = 1 << 30;  // xz -9 needs 65 MiB
    if (lzma_stream_decoder(&stream_, kMostMemory, LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK) !=
        LZMA_OK) {
      throw std::bad_alloc();
    }
  }
  ~Xz() override { lzma_end(&stream_); }

  Step step(std::span<const char> input, std::span<char> output, bool last) override {
    if (complete_) return {};
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(output.data());
    stream_.avail_out = output.size();
    const lzma_ret status = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    complete_ = status == LZMA_STREAM_END;
    if (status != LZMA_OK && status != LZMA_BUF_ERROR && !complete_) fail(status);
    return {input.size() - stream_.avail_in, output.size() - stream_.avail_out};
  }
  [[nodiscard]] bool complete() const override { return complete_; }

 private:
  [[noreturn]] static void fail(lzma_ret status) {
    switch (status) {
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        throw DamagedData("it asks for over 1 GiB of memory");
      case LZMA_UNSUPPORTED_CHECK:
        throw DamagedData("its kind of checksum is not known");
      case LZMA_OPTIONS_ERROR:
        throw DamagedData("an xz header that is not known");
      case LZMA_FORMAT_ERROR:
        throw DamagedData("no xz header");
      default:
        throw DamagedData("incorrect data check");
    }
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool complete_ = false;
};

/// libzstd compares the checksum of each frame that carries one, as those that the program zstd writes do.
class Zstd : public Decompressor {
 public:
  Zstd() : stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!stream_) throw std::bad_alloc();
  }

  Step step(std::span<const char> input, std::span<char> output, bool /*last*/) override {
    if (complete_ && input.empty()) return {};
    ZSTD_inBuffer from = {input.data(), input.size(), 0};
    ZSTD_outBuffer to = {output.data(), output.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_.get(), &to, &from);
    if (ZSTD_isError(status) != 0) throw DamagedData(ZSTD_getErrorName(status));
    complete_ = status == 0;
    return {from.pos, to.pos};
  }
  [[nodiscard]] bool complete() const override { return complete_; }

 private:
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  bool complete_ = false;  // a frame, and no other has begun
};

}  // namespace

std::unique_ptr<Decompressor> make_decompressor(std::string_view head) {
  using namespace std::string_view_literals;
  // "BZh" alone may begin a text; the first half of a block's magic, or of that of the end, may not.
  if (head.size() == 8 && head.starts_with("BZh"sv) &&
      (head.ends_with("1AY&"sv) || head.ends_with("\x17\x72\x45\x38"sv))) {
    return std::make_unique<Bzip2>();
  }
  if (head.starts_with("\x1f\x8b"sv)) return std::make_unique<Gzip>();
  if (head.starts_with("\xfd\x37\x7a\x58\x5a\0"sv)) return std::make_unique<Xz>();
  if (head.starts_with("\x28\xb5\x2f\xfd"sv)) return std::make_unique<Zstd>();
  return nullptr;
}

}  // namespace dovetail
