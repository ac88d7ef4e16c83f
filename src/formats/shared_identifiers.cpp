#include <dovetail/errors.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "formats/folders.h"

namespace dovetail {
namespace {

/// http://..., urn:... A prefix that was not expanded (dbr:Berlin) looks like a scheme, but says nothing to
/// outsiders.
bool is_absolute_iri(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size() || !is_letter(text[0])) return false;
  const bool is_scheme = std::ranges::all_of(text.substr(0, colon), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  });
  return is_scheme && (text.substr(colon).starts_with("://") || text.starts_with("urn:"));
}

/// By entity of a side, whether a link names it.
std::vector<bool> linked(const SeedLinks& links, EntityId Link::*end, std::size_t count) {
  std::vector<bool> in_link(count, false);
  for (const std::vector<Link>* list : {&links.train, &links.valid, &links.test}) {
    for (const Link& link : *list) in_link[link.*end] = true;
  }
  return in_link;
}

}  // namespace

void link_shared_identifiers(LoadedPair& pair) {
  SeedLinks& links = pair.links;
  SharedIdentifiers& use = pair.source.options.shared_identifiers;
  if (use == SharedIdentifiers::automatic) {
    const bool own_links = !pair.source.folder.empty() && links.size() > 0;
    use = own_links || pair.local_identifiers ? SharedIdentifiers::ignore : SharedIdentifiers::seeds;
  }
  if (use == SharedIdentifiers::ignore) return;
  if (pair.local_identifiers) {
    throw ParameterError(
        "shared-identifiers is seeds, but entities are rows of tables, whose ids mean nothing in the other "
        "table; "
        "expected graphs with absolute IRIs, or links in a file");
  }
  const KnowledgeGraph &left = pair.graphs.left(), &right = pair.graphs.right();
  const std::vector<bool> left_known = linked(links, &Link::left, left.entity_count());
  const std::vector<bool> right_known = linked(links, &Link::right, right.entity_count());
  for (EntityId entity = 0; entity < left.entity_count(); ++entity) {
    if (left_known[entity] || !is_absolute_iri(left.entity(entity))) continue;
    const EntityId other = right.find(left.entity(entity)).value_or(kNone);
    if (other == kNone || right_known[other]) continue;
    if (std::ranges::binary_search(links.apart, Link{entity, other})) continue;
    links.train.push_back({entity, other});
    ++pair.shared_identifiers;
  }
}

void forget_shared_identifiers(LoadedPair& pair) {
  pair.links.train.resize(pair.links.train.size() - pair.shared_identifiers);
  pair.shared_identifiers = 0;
}

}  // namespace dovetail
