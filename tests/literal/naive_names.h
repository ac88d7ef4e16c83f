#pragma once

#include <dovetail/graph.h>
#include <dovetail/graph_builder.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace dovetail::test {

/// A graph whose entities are called so; an empty name is none.
inline KnowledgeGraph named_graph(const std::vector<std::string>& names) {
  GraphBuilder builder;
  for (std::size_t i = 0; i < names.size(); ++i) {
    builder.add_entity(std::to_string(i));
    if (!names[i].empty()) builder.label(static_cast<std::uint32_t>(i), names[i]);
  }
  return std::move(builder).build(std::nullopt);
}

/// Similarity of names in the plainest way: every pair, in double precision, with maps. Takes names that are
/// normalised already: ASCII words in lower case, one space between two.
class NaiveNames {
 public:
  using Vector = std::map<std::string, double>;
  using Names = std::vector<std::string>;

  NaiveNames(const Names& left, const Names& right, double characters, double words)
      : grams_{vectors({left, right}, grams_of)},
        words_{vectors({left, right}, words_of)},
        characters_(characters / (characters + words)) {}

  [[nodiscard]] double score(std::size_t left, std::size_t right) const {
    return characters_ * product(grams_[0][left], grams_[1][right]) +
           (1 - characters_) * product(words_[0][left], words_[1][right]);
  }

 private:
  static std::vector<std::string> grams_of(const std::string& name) {
    std::vector<std::string> out;
    const std::string wrapped = name.empty() ? "" : "^" + name + "$";
    for (const std::size_t length : {2U, 3U}) {
      for (std::size_t i = 0; i + length <= wrapped.size(); ++i) out.push_back(wrapped.substr(i, length));
    }
    return out;
  }

  static std::vector<std::string> words_of(const std::string& name) {
    std::vector<std::string> out(1);
    for (const char c : name) {
      if (c == ' ') {
        out.emplace_back();
      } else {
        out.back() += c;
      }
    }
    if (name.empty()) out.clear();
    return out;
  }

  template <typename TermsOf>
  static std::array<std::vector<Vector>, 2> vectors(const std::array<Names, 2>& names,
                                                    const TermsOf& terms_of) {
    std::map<std::string, double> names_with;
    double count = 0;
    for (const Names& side : names) {
      for (const std::string& name : side) {
        count += name.empty() ? 0 : 1;
        const auto terms = terms_of(name);
        for (const std::string& term : std::set<std::string>(terms.begin(), terms.end()))
          names_with[term] += 1;
      }
    }
    std::array<std::vector<Vector>, 2> out;
    for (std::size_t s = 0; s < 2; ++s) {
      for (const std::string& name : names[s]) {
        Vector vector;
        for (const std::string& term : terms_of(name))
          vector[term] += std::log((count + 1) / names_with[term]);
        const double length = std::sqrt(product(vector, vector));
        for (auto& [term, weight] : vector) weight /= length;
        out[s].push_back(vector);
      }
    }
    return out;
  }

  static double product(const Vector& a, const Vector& b) {
    double sum = 0;
    for (const auto& [term, weight] : a) {
      const auto other = b.find(term);
      if (other != b.end()) sum += weight * other->second;
    }
    return sum;
  }

  std::array<std::vector<Vector>, 2> grams_, words_;
  double characters_;
};

}  // namespace dovetail::test
