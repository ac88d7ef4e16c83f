#pragma once

#include <dovetail/observer.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace dovetail {

/// The library's one set of threads. Work is divided into the same pieces whatever the number of threads,
/// so that a result that depends on the pieces does not depend on the threads.
class ThreadPool {
 public:
  /// `threads` including the calling one; 0 takes as many as the machine has. An observer, if there is one,
  /// is asked before each piece of work whether to give up.
  explicit ThreadPool(std::size_t threads = 0, Observer* observer = nullptr);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  [[nodiscard]] std::size_t size() const { return workers_.size() + 1; }
  [[nodiscard]] Observer* observer() const { return observer_; }

  /// As long as one lives, work is finished even if the observer would have it given up.
  class Finishing {
   public:
    explicit Finishing(ThreadPool& pool) : pool_(pool), observer_(std::exchange(pool.observer_, nullptr)) {}
    Finishing(const Finishing&) = delete;
    Finishing& operator=(const Finishing&) = delete;
    ~Finishing() { pool_.observer_ = observer_; }

   private:
    ThreadPool& pool_;
    Observer* observer_;
  };

  /// Calls body(piece) for each piece in [0, pieces), each once, on any thread; returns when all are done.
  /// The first exception that a body threw is thrown again here. Not to be called from within a body.
  void run(std::size_t pieces, const std::function<void(std::size_t)>& body);

  /// Divides [0, count) into ranges of at most `grain` and calls body(begin, end) for each.
  template <typename Body>
  void for_ranges(std::size_t count, std::size_t grain, const Body& body) {
    const std::size_t pieces = (count + grain - 1) / grain;
    run(pieces, [&](std::size_t piece) {
      const std::size_t begin = piece * grain;
      body(begin, begin + grain < count ? begin + grain : count);
    });
  }

 private:
  void work();
  /// Takes pieces of the current task until none is left. `lock` is held on entry and on return.
  void take_pieces(std::unique_lock<std::mutex>& lock);

  Observer* observer_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(std::size_t)>* body_ = nullptr;
  std::size_t next_ = 0;
  std::size_t pieces_ = 0;
  std::size_t running_ = 0;
  std::exception_ptr failure_;
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace dovetail
