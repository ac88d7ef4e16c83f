#pragma once

#include <chrono>
#include <memory>
#include <string>

class ReviewDesk;

/// Serves the page of a review on this machine alone. Who knows the token may use it: it comes with the first
/// address and is a cookie from then on. Requests that name another host, or come from a page of another
/// origin, are refused.
class ReviewServer {
 public:
  /// Takes a free port of 127.0.0.1. Throws SystemError if there is none.
  explicit ReviewServer(ReviewDesk& desk);
  ReviewServer(const ReviewServer&) = delete;
  ReviewServer& operator=(const ReviewServer&) = delete;
  ~ReviewServer();

  /// The address to open, with the token.
  [[nodiscard]] std::string address() const;
  /// Serves until stop().
  void serve();
  /// Returns when serve() has ended. To be called from another thread, and only where serve() was or will be.
  void stop();
  /// Time since the last request that was let in.
  [[nodiscard]] std::chrono::seconds idle() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};
