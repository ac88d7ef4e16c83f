#include "matching/product_search.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <vector>

#include "common/tally.h"
#include "kernels/scores.h"
#include "kernels/table_scores.h"
#include "matching/product_codes.h"
#include "matching/regions.h"

namespace dovetail {
namespace {

/// Left rows and coded right rows that are compared at a time. The codes and scores fit into the second-level
/// cache; with fewer left rows, too few of them would look at the same region for its codes to be worth
/// loading.
constexpr std::size_t kLeftRows = 256;
constexpr std::size_t kTileRows = 512;

/// Right rows of one region that are coded side by side.
struct Tile {
  std::size_t region;
  std::size_t block;                    ///< the first one of codes
  std::span<const std::uint32_t> rows;  ///< their numbers, kTileRows at most
};

/// The least whole number that reaches a bar.
std::uint16_t whole_bar(float bar) {
  return bar > 0 ? static_cast<std::uint16_t>(bar) : std::uint16_t{0};
}

class ProductScan {
 public:
  ProductScan(const MatchVectors& vectors, std::size_t probes, ThreadPool& pool)
      : vectors_(vectors),
        pool_(pool),
        regions_(find_regions(vectors, probes, pool)),
        products_(vectors.right, vectors.left, pool) {
    std::vector<std::uint32_t> coded;  // regions begin at borders of blocks
    for (std::size_t region = 0; region < regions_.size(); ++region) {
      const std::span<const std::uint32_t> rows = std::as_const(regions_).right_rows[region];
      for (std::size_t first = 0; first < rows.size(); first += kTileRows) {
        const std::size_t count = std::min(kTileRows, rows.size() - first);
        tiles_.push_back({region, coded.size() / kTableBlock, rows.subspan(first, count)});
        coded.insert(coded.end(), tiles_.back().rows.begin(), tiles_.back().rows.end());
        while (coded.size() % kTableBlock != 0) coded.push_back(coded.back());
      }
    }
    codes_ = products_.encode(vectors.right, coded, pool);
    busy_ = std::vector<std::mutex>(tiles_.size());
  }

  void run(TopLists& left, TopLists& right) {
    const std::size_t count = regions_.left_rows.size();
    const std::size_t groups = (count + kLeftRows - 1) / kLeftRows;
    Tally tally(pool_, "search", count, "entities");
    pool_.run(groups, [&](std::size_t group) {
      const std::size_t first = group * kLeftRows;
      const std::size_t rows = std::min(kLeftRows, count - first);
      compare({regions_.left_rows.items().data() + first, rows}, group, left, right);
      tally.add(rows);
      vectors_.left.rest(0, vectors_.left.rows());
    });
  }

 private:
  /// Left rows with all tiles of the regions they look at.
  void compare(std::span<const std::uint32_t> rows, std::size_t group, TopLists& left, TopLists& right) {
    std::vector<std::uint8_t> tables(rows.size() * ProductCodes::kTableBytes);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      products_.make_table(vectors_.left.row(rows[i]), tables.data() + i * ProductCodes::kTableBytes);
    }
    std::vector<std::vector<std::uint32_t>> looking(regions_.size());  // places in rows
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      for (const std::uint32_t region : regions_.looks_at(rows[i])) looking[region].push_back(i);
    }
    std::vector<std::uint16_t> scores(kLeftRows * kTileRows);
    std::vector<const std::uint8_t*> tables_of;
    std::vector<std::uint32_t> rows_of;
    for (const std::size_t number : order_for(group, looking)) {
      const Tile& tile = tiles_[number];
      tables_of.clear();
      rows_of.clear();
      for (const std::uint32_t i : looking[tile.region]) {
        tables_of.push_back(tables.data() + i * ProductCodes::kTableBytes);
        rows_of.push_back(rows[i]);
      }
      if (rows_of.empty()) continue;
      table_scores({.tables = tables_of,
                    .codes = codes_.data() + tile.block * ProductCodes::kPlanes * kTableBlock,
                    .blocks = (tile.rows.size() + kTableBlock - 1) / kTableBlock,
                    .planes = ProductCodes::kPlanes,
                    .out = scores.data(),
                    .out_stride = kTileRows});
      offer_rows(rows_of, tile, scores.data(), left);
      const std::lock_guard lock(busy_[number]);
      offer_columns(rows_of, tile, scores.data(), right);
    }
  }

  /// All tiles, those that many look at first: they are the nearest, and later ones have little to offer
  /// then. Otherwise threads begin at different tiles, so that they seldom want the same one.
  [[nodiscard]] std::vector<std::size_t> order_for(
      std::size_t group, const std::vector<std::vector<std::uint32_t>>& looking) const {
    std::vector<std::size_t> order(tiles_.size());
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(group * 7919 % tiles_.size()),
                order.end());
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t number) { return looking[tiles_[number].region].size(); });
    return order;
  }

  static void offer_rows(std::span<const std::uint32_t> rows, const Tile& tile, const std::uint16_t* scores,
                         TopLists& left) {
    const std::size_t columns = tile.rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint16_t* const row = scores + i * kTileRows;
      const float& least = left.least()[rows[i]];
      for (std::size_t j = find_reaching(row, whole_bar(least), 0, columns); j < columns;
           j = find_reaching(row, whole_bar(least), j + 1, columns)) {
        left.offer(rows[i], {tile.rows[j], static_cast<float>(row[j])});
      }
    }
  }

  static void offer_columns(std::span<const std::uint32_t> rows, const Tile& tile,
                            const std::uint16_t* scores, TopLists& right) {
    const std::size_t columns = tile.rows.size();
    std::vector<std::uint16_t> bars(columns);
    for (std::size_t j = 0; j < columns; ++j) bars[j] = whole_bar(right.least()[tile.rows[j]]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint16_t* const row = scores + i * kTileRows;
      for (std::size_t j = find_reaching(row, bars.data(), 0, columns); j < columns;
           j = find_reaching(row, bars.data(), j + 1, columns)) {
        right.offer(tile.rows[j], {rows[i], static_cast<float>(row[j])});
        bars[j] = whole_bar(right.least()[tile.rows[j]]);
      }
    }
  }

  const MatchVectors& vectors_;
  ThreadPool& pool_;
  Regions regions_;
  ProductCodes products_;
  std::vector<Tile> tiles_;
  Buffer<std::uint8_t> codes_;
  std::vector<std::mutex> busy_;  // by tile: whoever offers to its rows' lists
};

}  // namespace

void scan_products(const MatchVectors& vectors, const MatchingOptions& options, ThreadPool& pool,
                   TopLists& left, TopLists& right) {
  if (vectors.left.rows() == 0 || vectors.right.rows() == 0) return;
  ProductScan(vectors, options.probes, pool).run(left, right);
}

}  // namespace dovetail
