#pragma once

#include <dovetail/graph.h>
#include <dovetail/names.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

/// A name as the source wrote it.
struct GivenText {
  std::string_view text;       ///< empty: the entity has no name
  bool of_identifier = false;  ///< part of an identifier: percent-encoded, '_' for spaces
};

/// The text that an entity's name is taken from. A number or a blank node is an identifier but no name: it
/// says nothing about the entity, and would resemble the other graph's numbers.
[[nodiscard]] GivenText name_text(const KnowledgeGraph& graph, EntityId entity, NameSource source);

/// By entity, whether its name would be an identifier that is a code, and so tells nothing about the other
/// graph: running numbers behind the same letters, UUIDs, hashes. Of these there must be many: a few
/// identifiers that look so are names.
[[nodiscard]] std::vector<std::uint8_t> code_identifiers(const KnowledgeGraph& graph, NameSource source);

/// Brings names into the form that they are compared in: words in lower case without accents, one space
/// between two of them. Not to be used by two threads at once.
class NameNormaliser {
 public:
  explicit NameNormaliser(bool transliterate);
  NameNormaliser(const NameNormaliser&) = delete;
  NameNormaliser& operator=(const NameNormaliser&) = delete;
  ~NameNormaliser();

  /// The words of a name, in Latin letters if the normaliser transliterates.
  [[nodiscard]] std::string words(const GivenText& name);
  /// The words of a name as word vectors know them: in their own script, and cut into words where a script
  /// leaves no spaces between them.
  [[nodiscard]] std::string words_for_vectors(const GivenText& name);

 private:
  struct Tools;  // of ICU, whose headers end here
  std::unique_ptr<Tools> tools_;
  bool transliterate_;
};

}  // namespace dovetail
