#include "common/threads.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace dovetail {

ThreadPool::ThreadPool(std::size_t threads, Observer* observer) : observer_(observer) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  try {
    workers_.reserve(threads - 1);
    for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::exception& error) {
    // No more can be had, of the system or of memory. Fewer do the same work, only later.
    if (observer_ != nullptr) {
      observer_->note(fmt::format("only {} of {} threads could be started ({}); going on with these", size(),
                                  threads, error.what()));
    }
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(std::size_t pieces, const std::function<void(std::size_t)>& body) {
  std::unique_lock lock(mutex_);
  body_ = &body;
  next_ = 0;
  pieces_ = pieces;
  failure_ = nullptr;
  if (pieces > 1) wake_.notify_all();
  take_pieces(lock);
  done_.wait(lock, [this] { return running_ == 0; });
  body_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stop_ || (body_ != nullptr && next_ < pieces_); });
    if (stop_) return;
    take_pieces(lock);
  }
}

void ThreadPool::take_pieces(std::unique_lock<std::mutex>& lock) {
  while (next_ < pieces_) {
    const std::size_t piece = next_++;
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      if (observer_ != nullptr) observer_->stop_if_cancelled();
      (*body_)(piece);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --running_;
    if (failure) {
      if (!failure_) failure_ = failure;
      next_ = pieces_;
    }
  }
  if (running_ == 0) done_.notify_one();
}

}  // namespace dovetail
