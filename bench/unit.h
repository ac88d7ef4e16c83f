#pragma once

#include <cblas.h>
#include <chrono>
#include <cstddef>
#include <vector>

namespace dovetail {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The unit that times are given in: a 4096 x 4096 x 4096 single-precision product on one thread, so that
/// figures of different machines and moments can be compared.
inline double measure_unit() {
  openblas_set_num_threads(1);
  constexpr int kSize = 4096;
  std::vector<float> a(std::size_t{kSize} * kSize, 0.5F), b(a), c(a);
  const auto start = std::chrono::steady_clock::now();
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1, a.data(), kSize, b.data(),
              kSize, 0, c.data(), kSize);
  return seconds_since(start);
}

}  // namespace dovetail
