#include "review/server.h"

#include <dovetail/errors.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <sys/random.h>
#include <thread>

#include "review/assets.h"
#include "review/desk.h"
#include "review/limited_server.h"

using namespace dovetail;
using httplib::Request;
using httplib::Response;
using nlohmann::json;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kThreads = 64;  // so that some slow clients do not keep others waiting

/// 128 random bits in hexadecimal digits.
std::string random_token() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) {
    throw SystemError("the system gives no random numbers", errno);
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

/// Takes as long whatever differs.
bool same_token(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  unsigned differing = 0;
  for (std::size_t n = 0; n < one.size(); ++n) {
    differing |= static_cast<unsigned char>(one[n]) ^ static_cast<unsigned char>(other[n]);
  }
  return differing == 0;
}

/// The name of a host without its port.
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.rfind(':'));
}

/// This machine by the names under which a browser on it reaches it, also through a forwarded port.
bool is_this_machine(std::string_view host) {
  const std::string_view name = without_port(host);
  return name == "127.0.0.1" || name == "localhost" || name == "[::1]";
}

bool is_own_origin(const Request& request) {
  if (!request.has_header("Origin")) return true;
  const std::string origin = request.get_header_value("Origin");
  return origin == "http://" + request.get_header_value("Host");
}

std::string cookie_of(const Request& request, std::string_view name) {
  const std::string cookies = request.get_header_value("Cookie");
  std::string_view rest = cookies;
  while (!rest.empty()) {
    const std::size_t end = rest.find(';');
    std::string_view one = rest.substr(0, end);
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('=')) {
      return std::string(one.substr(name.size() + 1));
    }
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return {};
}

template <typename Number>
Number number_of(const std::string& text, Number usual) {
  Number value = usual;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end ? value : usual;
}

TableQuery query_of(const json& request) {
  TableQuery query;
  query.text = request.value("text", "");
  query.kind = request.value("kind", "");
  query.verdict = request.value("verdict_is", "");
  query.relation = request.value("relation", "");
  query.least = request.value("least", 0.0);
  query.most = request.value("most", 1.0);
  query.sort = request.value("sort", "confidence");
  query.offset = request.value("offset", std::size_t{0});
  query.limit = request.value("limit", std::size_t{50});
  return query;
}

void refuse(Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(json{{"error", why}}.dump(-1, ' ', false, json::error_handler_t::replace),
                       "application/json");
}

}  // namespace

struct ReviewServer::State {
  explicit State(ReviewDesk& reviewed) : desk(reviewed) {}

  ReviewDesk& desk;
  LimitedServer server;
  std::string token = random_token();
  int port = 0;
  std::atomic<bool> ended = false;
  std::string cookie;  ///< its name, which differs by port: cookies do not
  std::atomic<Clock::rep> last = Clock::now().time_since_epoch().count();

  httplib::Server::HandlerResponse let_in(const Request& request, Response& response);
  void route();

  /// A handler that answers with JSON; errors become answers too.
  template <typename Answer>
  auto answered(Answer answer) {
    return [answer](const Request& request, Response& response) {
      try {
        const json result = answer(request);
        response.set_content(result.dump(-1, ' ', false, json::error_handler_t::replace), "application/json");
      } catch (const json::exception&) {
        refuse(response, 400, "the request is not what the page sends; load the page again");
      } catch (const ParameterError& error) {
        refuse(response, 409, error.what());
      } catch (const SystemError& error) {
        refuse(response, 507, error.what());
      } catch (const std::exception& error) {
        refuse(response, 500, error.what());
      }
    };
  }
};

httplib::Server::HandlerResponse ReviewServer::State::let_in(const Request& request, Response& response) {
  using Result = httplib::Server::HandlerResponse;
  response.set_header("Content-Security-Policy",
                      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                      "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cache-Control", "no-store");
  if (request.get_header_value_count("Host") != 1 || !is_this_machine(request.get_header_value("Host"))) {
    refuse(response, 403, "this page is for this machine alone");
    return Result::Handled;
  }
  if (!is_own_origin(request)) {
    refuse(response, 403, "another page asked for it");
    return Result::Handled;
  }
  if (request.path == "/" && request.has_param("token") &&
      same_token(request.get_param_value("token"), token)) {
    response.set_header("Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie, token));
    response.set_redirect("/", 303);
    last = Clock::now().time_since_epoch().count();
    return Result::Handled;
  }
  if (!same_token(cookie_of(request, cookie), token)) {
    refuse(response, 403, "open the address that dovetail review has printed");
    return Result::Handled;
  }
  if (request.method == "POST" && !request.get_header_value("Content-Type").starts_with("application/json")) {
    refuse(response, 415, "expected JSON");
    return Result::Handled;
  }
  last = Clock::now().time_since_epoch().count();
  return Result::Unhandled;
}

void ReviewServer::State::route() {
  const auto file = [&](const char* path, std::string_view text, const char* type) {
    server.Get(path, [text, type](const Request&, Response& response) {
      response.set_content(text.data(), text.size(), type);
    });
  };
  file("/", kReviewPage, "text/html; charset=utf-8");
  file("/review.css", kReviewStyle, "text/css; charset=utf-8");
  file("/review.js", kReviewScript, "text/javascript; charset=utf-8");
  file("/icon.svg", kReviewIcon, "image/svg+xml");
  const auto parameter = [](const Request& request, const char* name) {
    return request.has_param(name) ? request.get_param_value(name) : std::string();
  };
  server.Get("/api/state", answered([this](const Request&) { return desk.state(); }));
  server.Get("/api/next", answered([this, parameter](const Request& request) {
               const std::string after = parameter(request, "after");
               return desk.next(parameter(request, "order"),
                                after.empty() ? std::nullopt : std::optional(number_of(after, kNone)),
                                number_of(parameter(request, "least"), 0.0),
                                number_of(parameter(request, "most"), 1.0),
                                parameter(request, "blind") == "1");
             }));
  server.Get("/api/item", answered([this, parameter](const Request& request) {
               return desk.item(number_of(parameter(request, "item"), kNone),
                                parameter(request, "blind") == "1");
             }));
  server.Get("/api/quality", answered([this, parameter](const Request& request) {
               return desk.quality(number_of(parameter(request, "threshold"), 0.0));
             }));
  server.Get("/api/learning", answered([this](const Request&) { return desk.learning(); }));
  server.Post("/api/judge",
              answered([this](const Request& request) { return desk.judge(json::parse(request.body)); }));
  server.Post("/api/undo", answered([this](const Request&) { return desk.undo(); }));
  server.Post("/api/table", answered([this](const Request& request) {
                return desk.table(query_of(json::parse(request.body)));
              }));
  server.Post("/api/judge-all", answered([this](const Request& request) {
                const json body = json::parse(request.body);
                return desk.judge_all(query_of(body), body.at("verdict"), body.at("count"));
              }));
  server.Post("/api/learn", answered([this](const Request&) { return desk.start_learning(); }));
  server.Post("/api/save", answered([this](const Request&) { return desk.save(); }));
  server.Get("/api/export", [this, parameter](const Request& request, Response& response) {
    try {
      const std::string format = parameter(request, "format");
      const std::string text = desk.exported(format, parameter(request, "what") == "accepted",
                                             number_of(parameter(request, "least"), 0.0));
      const std::string name = format == "review"
                                   ? "review.tsv"
                                   : std::string("links") + format_info(format_from_name(format)).extension;
      response.set_header("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
      response.set_content(text, "application/octet-stream");
    } catch (const ParameterError& error) {
      refuse(response, 409, error.what());
    }
  });
}

ReviewServer::ReviewServer(ReviewDesk& desk) : state_(std::make_unique<State>(desk)) {
  LimitedServer& server = state_->server;
  server.set_payload_max_length(LimitedServer::kMostBody);
  server.set_tcp_nodelay(true);
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  server.set_pre_routing_handler(
      [this](const Request& request, Response& response) { return state_->let_in(request, response); });
  server.set_exception_handler([](const Request&, Response& response, const std::exception_ptr&) {
    refuse(response, 500, "something went wrong; load the page again");
  });
  state_->route();
  state_->port = server.bind_to_any_port("127.0.0.1");
  if (state_->port <= 0) throw SystemError("no port of 127.0.0.1 is free", EADDRINUSE);
  state_->cookie = fmt::format("dovetail-{}", state_->port);
}

ReviewServer::~ReviewServer() = default;

std::string ReviewServer::address() const {
  return fmt::format("http://127.0.0.1:{}/?token={}", state_->port, state_->token);
}

void ReviewServer::serve() {
  state_->server.listen_after_bind();
  state_->ended = true;
}

void ReviewServer::stop() {
  // The library takes no notice of a stop that comes before it has begun to listen.
  while (!state_->ended) {
    state_->server.stop();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::chrono::seconds ReviewServer::idle() const {
  const Clock::duration since(Clock::now().time_since_epoch().count() - state_->last);
  return std::chrono::duration_cast<std::chrono::seconds>(since);
}
