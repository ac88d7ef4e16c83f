#include "kernels/table_scores.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/table_scores.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
void table_scores_fast(const TableScores& work) {
  naive::table_scores(work);
}
#else

using Bytes = HWY_CAPPED(std::uint8_t, kTableBlock);
using Words = hn::Repartition<std::uint16_t, Bytes>;

/// The sums of one table, while they are in bytes and then.
struct Sums {
  hn::Vec<Bytes> group;
  hn::Vec<Words> even, odd;

  static HWY_INLINE Sums none() { return {hn::Zero(Bytes()), hn::Zero(Words()), hn::Zero(Words())}; }
  HWY_INLINE void add(const std::uint8_t* entries, hn::Vec<Bytes> code) {
    group = hn::Add(group, hn::TableLookupBytes(hn::LoadDup128(Bytes(), entries), code));
  }
  HWY_INLINE void end_group() {
    const auto both = hn::BitCast(Words(), group);
    even = hn::Add(even, hn::And(both, hn::Set(Words(), 0xFF)));
    odd = hn::Add(odd, hn::ShiftRight<8>(both));
    group = hn::Zero(Bytes());
  }
  HWY_INLINE void store(std::uint16_t* out) const {
    hn::StoreU(even, Words(), out);
    hn::StoreU(odd, Words(), out + kTableBlock / 2);
  }
};

/// Four tables, whose sums fit into 16 registers together with a plane of codes, with all blocks. Spelled
/// out, for compilers do not unroll it.
HWY_INLINE void four_tables(const TableScores& work, std::size_t first) {
  const std::uint8_t* const* const tables = work.tables.data() + first;
  const std::uint8_t *const t0 = tables[0], *const t1 = tables[1], *const t2 = tables[2],
                            *const t3 = tables[3];
  for (std::size_t block = 0; block < work.blocks; ++block) {
    for (std::size_t part = 0; part < kTableBlock; part += hn::Lanes(Bytes())) {
      const std::uint8_t* codes = work.codes + block * work.planes * kTableBlock + part;
      Sums s0 = Sums::none(), s1 = Sums::none(), s2 = Sums::none(), s3 = Sums::none();
      for (std::size_t plane = 0; plane < work.planes;) {
        for (const std::size_t end = plane + kPlaneGroup; plane < end; ++plane, codes += kTableBlock) {
          const auto code = hn::LoadU(Bytes(), codes);
          s0.add(t0 + plane * 16, code);
          s1.add(t1 + plane * 16, code);
          s2.add(t2 + plane * 16, code);
          s3.add(t3 + plane * 16, code);
        }
        s0.end_group();
        s1.end_group();
        s2.end_group();
        s3.end_group();
      }
      std::uint16_t* const out = work.out + first * work.out_stride + block * kTableBlock + part / 2;
      s0.store(out);
      s1.store(out + work.out_stride);
      s2.store(out + 2 * work.out_stride);
      s3.store(out + 3 * work.out_stride);
    }
  }
}

HWY_INLINE void one_table(const TableScores& work, std::size_t number) {
  for (std::size_t block = 0; block < work.blocks; ++block) {
    for (std::size_t part = 0; part < kTableBlock; part += hn::Lanes(Bytes())) {
      const std::uint8_t* const codes = work.codes + block * work.planes * kTableBlock + part;
      Sums sums = Sums::none();
      for (std::size_t plane = 0; plane < work.planes; ++plane) {
        sums.add(work.tables[number] + plane * 16, hn::LoadU(Bytes(), codes + plane * kTableBlock));
        if ((plane + 1) % kPlaneGroup == 0) sums.end_group();
      }
      sums.store(work.out + number * work.out_stride + block * kTableBlock + part / 2);
    }
  }
}

void table_scores_fast(const TableScores& work) {
  constexpr std::size_t kTables = 4;
  std::size_t first = 0;
  for (; first + kTables <= work.tables.size(); first += kTables) four_tables(work, first);
  for (; first < work.tables.size(); ++first) one_table(work, first);
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(table_scores_fast);

void table_scores(const TableScores& work) {
  HWY_DYNAMIC_DISPATCH(table_scores_fast)(work);
}

namespace naive {

void table_scores(const TableScores& work) {
  for (std::size_t t = 0; t < work.tables.size(); ++t) {
    for (std::size_t row = 0; row < work.blocks * kTableBlock; ++row) {
      const std::uint8_t* const block = work.codes + row / kTableBlock * work.planes * kTableBlock;
      std::uint16_t sum = 0;
      for (std::size_t plane = 0; plane < work.planes; ++plane) {
        const std::uint8_t code = block[plane * kTableBlock + place_in_plane(row % kTableBlock)];
        sum = static_cast<std::uint16_t>(sum + work.tables[t][plane * 16 + code]);
      }
      work.out[t * work.out_stride + row] = sum;
    }
  }
}

}  // namespace naive

}  // namespace dovetail
#endif  // HWY_ONCE
