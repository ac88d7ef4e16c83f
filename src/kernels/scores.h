#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/bfloat16.h"

namespace dovetail {

/// Rows of this many bytes at least are read by four_bit_scores at a time; codes are padded to it.
inline constexpr std::size_t kCodeUnit = 64;

/// Dot products of every row of a with every row of b: out[i, j], i < a_rows, j < b_rows, out_stride apart.
/// a: [a_rows, columns], b: [b_rows, columns].
struct ScoreBlock {
  std::size_t a_rows, b_rows, columns;
  float* out;
  std::size_t out_stride;
  float unit = 1;  ///< factor on the results of four_bit_scores
};

void exact_scores(const Bfloat16* a, const Bfloat16* b, const ScoreBlock& block);

/// On 4-bit codes: a holds code + 8 (1 .. 15), b the code itself (-7 .. 7). b_sums: [b_rows] sum of b's row.
/// columns is a multiple of kCodeUnit.
void four_bit_scores(const std::uint8_t* a, const std::int8_t* b, const std::int32_t* b_sums,
                     const ScoreBlock& block);

/// Codes -7 .. 7 for x / step, plus `offset`. x: [columns]; out: [columns], bytes.
void four_bit_codes(const Bfloat16* x, float step, int offset, std::size_t columns, std::uint8_t* out);

/// The first place from `begin` on whose score reaches `bar`, or its own bar; `end` if there is none.
[[nodiscard]] std::size_t find_reaching(const float* scores, float bar, std::size_t begin, std::size_t end);
[[nodiscard]] std::size_t find_reaching(const float* scores, const float* bars, std::size_t begin,
                                        std::size_t end);

[[nodiscard]] std::size_t find_reaching(const std::uint16_t* scores, std::uint16_t bar, std::size_t begin,
                                        std::size_t end);
[[nodiscard]] std::size_t find_reaching(const std::uint16_t* scores, const std::uint16_t* bars,
                                        std::size_t begin, std::size_t end);

[[nodiscard]] float dot_rows(const Bfloat16* a, const Bfloat16* b, std::size_t columns);

namespace naive {
void exact_scores(const Bfloat16* a, const Bfloat16* b, const ScoreBlock& block);
void four_bit_scores(const std::uint8_t* a, const std::int8_t* b, const std::int32_t* b_sums,
                     const ScoreBlock& block);
void four_bit_codes(const Bfloat16* x, float step, int offset, std::size_t columns, std::uint8_t* out);
[[nodiscard]] std::size_t find_reaching(const float* scores, float bar, std::size_t begin, std::size_t end);
[[nodiscard]] std::size_t find_reaching(const float* scores, const float* bars, std::size_t begin,
                                        std::size_t end);
}  // namespace naive

}  // namespace dovetail
