#pragma once

#include <dovetail/session.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

/// Describes pairs of entities for the page: what both graphs say of them, side by side.
class PairDescriber {
 public:
  /// The session must stay valid.
  explicit PairDescriber(const dovetail::Session& session);

  /// After a change of links: who is linked to whom, seeds and judged pairs included.
  void renew();

  /// Names and identifier of an entity.
  [[nodiscard]] nlohmann::json entity(dovetail::Side side, dovetail::EntityId entity) const;
  /// Values, neighbours and reasons of a pair, in which agreeing ones are marked. Either may be kNone.
  [[nodiscard]] nlohmann::json pair(const dovetail::Link& pair) const;
  /// The candidates that a person can choose from.
  [[nodiscard]] nlohmann::json candidates(dovetail::Side side, dovetail::EntityId entity) const;

 private:
  [[nodiscard]] nlohmann::json values(dovetail::Side side, dovetail::EntityId entity) const;
  [[nodiscard]] nlohmann::json neighbours(const dovetail::Link& pair) const;

  const dovetail::Session& session_;
  std::vector<std::uint64_t> first_literal_[2];  ///< by entity, and the end
  std::vector<std::uint32_t> literal_order_[2];  ///< numbers of literals by entity
  std::vector<std::uint32_t> counterpart_[2];    ///< by entity; kNone: not linked
};
