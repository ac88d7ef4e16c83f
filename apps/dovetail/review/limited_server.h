#pragma once

#include <httplib.h>

/// cpp-httplib's server with limits on what a client may send: a request, headers and body together, of at
/// most 2 MiB within ten seconds. The library itself has no limit on the length of a header.
class LimitedServer : public httplib::Server {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{2} << 20;
  static constexpr std::size_t kMostBody = std::size_t{1} << 20;
  static constexpr int kMostSeconds = 10;

 private:
  bool process_and_close_socket(socket_t sock) override;
};
