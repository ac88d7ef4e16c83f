#include "common/threads.h"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace dovetail {
namespace {

TEST(ThreadPool, RunsEachPieceOnce) {
  for (const std::size_t threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (int round = 0; round < 50; ++round) {
      std::vector<std::atomic<int>> calls(100);
      pool.run(calls.size(), [&](std::size_t piece) { ++calls[piece]; });
      for (const auto& count : calls) EXPECT_EQ(count, 1);
    }
  }
}

TEST(ThreadPool, RangesCoverEverythingOnceWhateverTheThreads) {
  ThreadPool pool(3);
  for (const std::size_t count : {0, 1, 9, 10, 11, 100}) {
    std::vector<std::atomic<int>> calls(count);
    pool.for_ranges(count, 10, [&](std::size_t begin, std::size_t end) {
      EXPECT_LE(end - begin, 10U);
      for (std::size_t i = begin; i < end; ++i) ++calls[i];
    });
    for (const auto& times : calls) EXPECT_EQ(times, 1);
  }
}

/// Gives the work up after some pieces.
class Impatient : public Observer {
 public:
  bool cancelled() override { return ++asked_ > 5; }

 private:
  std::atomic<int> asked_ = 0;
};

TEST(ThreadPool, StopsWhenItsObserverSaysSo) {
  Impatient observer;
  ThreadPool pool(2, &observer);
  std::atomic<int> calls = 0;
  EXPECT_THROW(pool.run(100, [&](std::size_t) { ++calls; }), Cancelled);
  EXPECT_EQ(calls, 5);
}

TEST(ThreadPool, HandsOnTheFirstExceptionAndStaysUsable) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.run(10,
                        [](std::size_t piece) {
                          if (piece == 3) throw std::runtime_error("x");
                        }),
               std::runtime_error);
  std::atomic<int> calls = 0;
  pool.run(10, [&](std::size_t) { ++calls; });
  EXPECT_EQ(calls, 10);
}

}  // namespace
}  // namespace dovetail
