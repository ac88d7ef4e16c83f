#include "review/limited_server.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

/// A connection on which a request has a deadline and a largest size.
class LimitedStream : public httplib::Stream {
 public:
  explicit LimitedStream(socket_t socket) : socket_(socket) {}

  void start_request() {
    deadline_ = Clock::now() + std::chrono::seconds(LimitedServer::kMostSeconds);
    read_ = 0;
  }
  /// Whether there is something to read within that time.
  [[nodiscard]] bool wait(std::chrono::milliseconds time) const { return poll_for(POLLIN, time); }

  [[nodiscard]] bool is_readable() const override { return poll_for(POLLIN, left()); }
  [[nodiscard]] bool is_writable() const override { return poll_for(POLLOUT, left()); }

  ssize_t read(char* bytes, std::size_t size) override {
    if (begin_ == end_) {
      if (read_ >= LimitedServer::kMostBytes || !is_readable()) return -1;
      ssize_t got = 0;
      do got = ::recv(socket_, buffer_, sizeof buffer_, 0);
      while (got < 0 && errno == EINTR);
      if (got <= 0) return got;
      read_ += static_cast<std::size_t>(got);
      begin_ = 0;
      end_ = static_cast<std::size_t>(got);
    }
    const std::size_t count = std::min(size, end_ - begin_);
    std::copy_n(buffer_ + begin_, count, bytes);
    begin_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, std::size_t size) override {
    for (std::size_t sent = 0; sent < size;) {
      // An answer may be long: each piece of it has its own time.
      if (!poll_for(POLLOUT, std::chrono::seconds(LimitedServer::kMostSeconds))) return -1;
      const ssize_t count = ::send(socket_, bytes + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0 && errno != EINTR && errno != EAGAIN) return -1;
      if (count > 0) sent += static_cast<std::size_t>(count);
    }
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = 0;
  }
  [[nodiscard]] socket_t socket() const override { return socket_; }
  [[nodiscard]] bool buffered() const { return begin_ < end_; }

 private:
  [[nodiscard]] std::chrono::milliseconds left() const {
    return std::max(std::chrono::milliseconds(0),
                    std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()));
  }
  [[nodiscard]] bool poll_for(short events, std::chrono::milliseconds time) const {
    pollfd poll_set{.fd = socket_, .events = events, .revents = 0};
    int ready = 0;
    do ready = ::poll(&poll_set, 1, static_cast<int>(time.count()));
    while (ready < 0 && errno == EINTR);
    return ready > 0 && (poll_set.revents & (events | POLLHUP)) != 0;
  }

  socket_t socket_;
  Clock::time_point deadline_;
  std::size_t read_ = 0;
  char buffer_[16384];
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace

bool LimitedServer::process_and_close_socket(socket_t sock) {
  constexpr std::size_t kRequests = 1000;
  constexpr auto kBetween = std::chrono::seconds(5);
  LimitedStream stream(sock);
  bool well = true;
  for (std::size_t n = 1; n <= kRequests && well; ++n) {
    if (!stream.buffered() && !stream.wait(kBetween)) break;
    stream.start_request();
    bool closed = false;
    well = process_request(stream, n == kRequests, closed, nullptr);
    if (closed) break;
  }
  ::shutdown(sock, SHUT_RDWR);
  ::close(sock);
  return well;
}
