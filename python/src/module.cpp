// The Python package's compiled half: thin, and private to it. python/dovetail has what users see.
#include <dovetail/config.h>
#include <dovetail/errors.h>
#include <dovetail/generate.h>
#include <dovetail/graph_builder.h>
#include <dovetail/limits.h>
#include <dovetail/literal.h>
#include <dovetail/pair_writer.h>
#include <dovetail/parameters.h>
#include <dovetail/run.h>
#include <dovetail/text.h>
#include <dovetail/version.h>

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "observer.h"
#include "result.h"

namespace dovetail::python {

namespace {

using namespace nb::literals;
namespace fs = std::filesystem;

using Names = std::vector<std::string>;
using NamePairs = std::vector<std::pair<std::string, std::string>>;
using SharedPair = std::shared_ptr<LoadedPair>;

Side side_from(const std::string& name) {
  if (name != "left" && name != "right")
    throw ParameterError("side is '" + name + "'; expected 'left' or 'right'");
  return name == "left" ? Side::left : Side::right;
}

/// Python's exceptions for ours.
void translate(const std::exception_ptr& failure, void* /*unused*/) {
  const auto said = [](const Error& error) { return printable(error.what()); };
  try {
    std::rethrow_exception(failure);
  } catch (const InputError& error) {
    const nb::object type = nb::module_::import_("dovetail._errors").attr("InputError");
    // As Python spells a name that is not UTF-8, so that the file can be opened by it.
    const nb::object file = nb::steal(
        PyUnicode_DecodeFSDefaultAndSize(error.file().data(), static_cast<Py_ssize_t>(error.file().size())));
    const nb::object exception = type(error.what(), file, error.line());
    PyErr_SetObject(type.ptr(), exception.ptr());
  } catch (const SystemError& error) {
    // Python itself makes FileNotFoundError and its like of the number.
    const nb::object arguments = nb::make_tuple(error.code() == 0 ? EIO : error.code(), said(error));
    PyErr_SetObject(PyExc_OSError, arguments.ptr());
  } catch (const ParameterError& error) {
    PyErr_SetString(PyExc_ValueError, said(error).c_str());
  } catch (const UnsupportedError& error) {
    PyErr_SetString(PyExc_ValueError, said(error).c_str());
  } catch (const Cancelled& error) {
    PyErr_SetString(PyExc_KeyboardInterrupt, said(error).c_str());
  } catch (const Error& error) {
    PyErr_SetString(PyExc_RuntimeError, said(error).c_str());
  }
}

struct LoadArguments {
  std::string format, links_format;
  Names columns, links_columns;
  std::optional<bool> header;
  std::optional<fs::path> names;
  int fold;
  bool strict;
  std::string cardinality;
  std::optional<std::string> shared_identifiers;
  std::optional<double> seed_ratio;
  std::uint64_t split_seed;
  std::size_t threads;
};

Cardinality cardinality_from(const std::string& name) {
  for (const auto& [value, known] : EnumNames<Cardinality>::kNames) {
    if (known == name) return value;
  }
  throw ParameterError("cardinality is '" + name + "'; expected '1:1', '1:n' or 'n:m'");
}

SharedIdentifiers shared_identifiers_from(const std::optional<std::string>& name) {
  if (!name) return SharedIdentifiers::automatic;
  if (*name != "seeds" && *name != "ignore")
    throw ParameterError("shared_identifiers is '" + *name + "'; expected 'seeds' or 'ignore'");
  return *name == "seeds" ? SharedIdentifiers::seeds : SharedIdentifiers::ignore;
}

LoadOptions options_of(const LoadArguments& given) {
  LoadOptions options;
  options.graph_format = format_from_name(given.format);
  options.links_format = format_from_name(given.links_format);
  options.graph_table = {.columns = given.columns, .header = given.header};
  options.links_table = {.columns = given.links_columns, .header = given.header};
  options.names = given.names.value_or(fs::path{});
  options.fold = given.fold;
  options.strict = given.strict;
  options.cardinality = cardinality_from(given.cardinality);
  options.shared_identifiers = shared_identifiers_from(given.shared_identifiers);
  options.split.seed = given.split_seed;
  if (given.seed_ratio) {
    options.split.seed_ratio = *given.seed_ratio;
    options.split_files = true;
  }
  options.threads = given.threads;
  return options;
}

/// A graph that Python puts together.
struct GraphInput {
  GraphBuilder builder;

  void triples(const Names& heads, const Names& relations, const Names& tails) {
    for (std::size_t i = 0; i < heads.size(); ++i) {
      const std::uint32_t head = builder.entity(heads[i]);
      builder.triple(head, builder.relation(relations.at(i)), builder.entity(tails.at(i)));
    }
  }
  void literals(const Names& subjects, const Names& attributes, const Names& texts, const Names& languages,
                const Names& datatypes) {
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      add_literal(builder, builder.entity(subjects[i]), attributes.at(i),
                  make_literal(texts.at(i), languages.at(i), datatypes.at(i)));
    }
  }
  void labels(const Names& entities, const Names& texts) {
    for (std::size_t i = 0; i < entities.size(); ++i) {
      if (const auto entity = builder.find(entities[i])) builder.label(*entity, texts.at(i));
    }
  }
};

/// Links by the names of their ends; no entity may be in two.
class NamedSeeds {
 public:
  explicit NamedSeeds(const GraphPair& graphs) : graphs_(graphs) {
    taken_[0].resize(graphs.left().entity_count());
    taken_[1].resize(graphs.right().entity_count());
  }

  std::vector<Link> links(const NamePairs& pairs) {
    std::vector<Link> result;
    for (const auto& [left, right] : pairs)
      result.push_back({take(Side::left, left), take(Side::right, right)});
    return result;
  }

 private:
  EntityId take(Side side, const std::string& name) {
    const char* const where = side == Side::left ? "left" : "right";
    const auto entity = graphs_.graph(side).find(name);
    if (!entity)
      throw ParameterError(fmt::format("a link names {}, which is not in the {} graph", shown(name), where));
    auto& taken = taken_.at(static_cast<std::size_t>(side));
    if (taken[*entity])
      throw ParameterError(fmt::format("{} of the {} graph is in two links", shown(name), where));
    taken[*entity] = true;
    return *entity;
  }

  const GraphPair& graphs_;
  std::array<std::vector<bool>, 2> taken_;
};

SharedPair make_pair(GraphInput& left, GraphInput& right, const NamePairs& train, const NamePairs& valid,
                     const NamePairs& test) {
  const LoadOptions usual;
  const auto build = [&](GraphInput& input, Side side) {
    return std::move(input.builder).build(side_seed(usual, side));
  };
  GraphPair graphs(build(left, Side::left), build(right, Side::right));
  SeedLinks links;
  NamedSeeds seeds(graphs);
  links.train = seeds.links(train);
  links.valid = seeds.links(valid);
  links.test = seeds.links(test);
  links.origin = "memory";
  return std::make_shared<LoadedPair>(
      LoadedPair{.graphs = std::move(graphs), .links = std::move(links), .format = "memory"});
}

Names entities_of(const LoadedPair& pair, const std::string& side) {
  const KnowledgeGraph& graph = pair.graphs.graph(side_from(side));
  Names names;
  for (EntityId e = 0; e < graph.entity_count(); ++e) names.emplace_back(graph.entity(e));
  return names;
}

Names labels_of(const LoadedPair& pair, const std::string& side) {
  const KnowledgeGraph& graph = pair.graphs.graph(side_from(side));
  Names names;
  for (EntityId e = 0; e < graph.entity_count(); ++e) names.emplace_back(graph.name(e));
  return names;
}

NamePairs links_of(const LoadedPair& pair, const std::string& use) {
  const SeedLinks& links = pair.links;
  const std::vector<Link>& part = use == "train" ? links.train : use == "valid" ? links.valid : links.test;
  NamePairs names;
  for (const Link& link : part) {
    names.emplace_back(pair.graphs.left().entity(link.left), pair.graphs.right().entity(link.right));
  }
  return names;
}

AlignOptions align_options(const std::optional<std::string>& preset, const NamePairs& parameters,
                           std::size_t threads) {
  AlignOptions options = preset ? preset_options(*preset) : AlignOptions{};
  const auto before = parameter_texts(options);
  for (const auto& [name, value] : parameters) set_parameter(options, name, value);
  // A whole configuration may be passed: only what differs was set on purpose.
  const auto after = parameter_texts(options);
  for (std::size_t n = 0; n < after.size(); ++n) {
    if (after[n] != before[n]) options.given.push_back(after[n].first);
  }
  options.must_count = options.given;
  options.threads = threads;
  return options;
}

/// Every parameter by name, under a preset or by default.
nb::dict parameters(const std::optional<std::string>& preset) {
  const AlignOptions options = align_options(preset, {}, 0);
  nb::dict all;
  visit_parameters(options, [&](const char*, const char* name, const auto& value, const char*) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_enum_v<Value>) {
      all[name] = std::string(enum_name(value));
    } else if constexpr (std::is_same_v<Value, fs::path>) {
      all[name] = value.string();
    } else if constexpr (std::is_same_v<Value, Bytes>) {
      all[name] = value.count;
    } else {
      all[name] = value;
    }
  });
  return all;
}

void generate(const fs::path& folder, const std::string& format, bool replace, const GenerateOptions& options,
              const nb::object& callback) {
  observed(callback, [&](Observer& observer) {
    const auto writer = make_pair_writer(folder, format_from_name(format), {.replace = replace}, observer);
    generate_pair(options, *writer, observer);
    writer->commit();
    return true;
  });
}

void bind_pair(nb::module_& m) {
  nb::class_<LoadedPair>(m, "Pair")
      .def("entities", &entities_of, "side"_a)
      .def("names", &labels_of, "side"_a)
      .def("links", &links_of, "use"_a)
      .def("sizes", [](const LoadedPair& pair, const std::string& side) {
        const KnowledgeGraph& graph = pair.graphs.graph(side_from(side));
        return nb::make_tuple(graph.entity_count(), graph.relation_count(), graph.triple_count());
      });
  nb::class_<GraphInput>(m, "GraphInput")
      .def(nb::init<>())
      .def("triples", &GraphInput::triples, "heads"_a, "relations"_a, "tails"_a)
      .def("literals", &GraphInput::literals, "subjects"_a, "attributes"_a, "texts"_a, "languages"_a,
           "datatypes"_a)
      .def("labels", &GraphInput::labels, "entities"_a, "texts"_a);
  m.def("make_pair", &make_pair, "left"_a, "right"_a, "train"_a, "valid"_a, "test"_a);
  m.def(
      "load",
      [](const fs::path& left, const std::optional<fs::path>& right, const std::optional<fs::path>& links,
         std::string format, std::string links_format, Names columns, Names links_columns,
         std::optional<bool> header, std::optional<fs::path> names, int fold, bool strict,
         std::string cardinality, std::optional<std::string> shared_identifiers,
         std::optional<double> seed_ratio, std::uint64_t split_seed, std::size_t threads,
         nb::object callback) {
        const LoadOptions options = options_of(
            {std::move(format), std::move(links_format), std::move(columns), std::move(links_columns), header,
             std::move(names), fold, strict, std::move(cardinality), std::move(shared_identifiers),
             seed_ratio, split_seed, threads});
        return observed(std::move(callback), [&](Observer& observer) {
          return std::make_shared<LoadedPair>(
              right ? load_files(left, *right, links.value_or(fs::path{}), options, observer)
                    : load_folder(left, options, observer));
        });
      },
      "left"_a, "right"_a.none(), "links"_a.none(), "format"_a, "links_format"_a, "columns"_a,
      "links_columns"_a, "header"_a.none(), "names"_a.none(), "fold"_a, "strict"_a, "cardinality"_a,
      "shared_identifiers"_a.none(), "seed_ratio"_a.none(), "split_seed"_a, "threads"_a, "callback"_a.none());
}

void bind_result(nb::module_& m) {
  using Numbers = nb::ndarray<nb::numpy, const float, nb::ndim<2>, nb::c_contig>;
  const auto array = [](nb::handle self, std::span<const float> values, std::size_t dimension) {
    return Numbers(values.data(), {values.size() / dimension, dimension}, self);
  };
  nb::class_<Result>(m, "Result")
      .def("links",
           [](const Result& result) {
             nb::list left, right;
             for (const SavedLink& link : result.links()) {
               left.append(link.left);
               right.append(link.right);
             }
             return nb::make_tuple(left, right);
           })
      .def(
          "numbers", [](const Result& result, const std::string& column) { return result.numbers(column); },
          "column"_a)
      .def("unmatched",
           [](const Result& result) {
             nb::list rows;
             for (const SavedUnmatched& own : result.unmatched()) {
               nb::object candidate = nb::none();
               if (!own.candidate.empty()) candidate = nb::cast(own.candidate);
               rows.append(nb::make_tuple(own.side == Side::left ? "left" : "right", own.entity, candidate,
                                          own.score, own.probability, own.reason));
             }
             return rows;
           })
      .def("record", &Result::record)
      .def(
          "entity_embeddings",
          [array](nb::pointer_and_handle<Result> self, const std::string& side) {
            return array(self.h, self.p->entity_embeddings(side_from(side)),
                         self.p->model().encoder.dimension);
          },
          "side"_a)
      .def("relation_embeddings",
           [array](nb::pointer_and_handle<Result> self) {
             return array(self.h, self.p->model().relations, self.p->model().encoder.dimension);
           })
      .def(
          "pair",
          [](Result& result, nb::object callback) {
            return observed(std::move(callback), [&](Observer& observer) { return result.pair(observer); });
          },
          "callback"_a.none())
      .def(
          "save",
          [](Result& result, const fs::path& folder, bool replace) {
            observed(nb::none(), [&](Observer& observer) {
              result.save(folder, replace, observer);
              return true;
            });
          },
          "folder"_a, "replace"_a)
      .def("evaluate", &Result::evaluate, "gold"_a, "complete"_a)
      .def(
          "candidates",
          [](Result& result, const std::string& left) {
            Observer quiet;
            return result.candidates(left, quiet);
          },
          "left"_a)
      .def(
          "judge",
          [](Result& result, const std::string& left, const std::string& right, bool same) {
            Observer quiet;
            result.judge(left, right, same, quiet);
          },
          "left"_a, "right"_a, "same"_a)
      .def(
          "refresh",
          [](Result& result, nb::object callback) {
            return observed(std::move(callback),
                            [&](Observer& observer) { return result.refresh(observer); });
          },
          "callback"_a.none());
  m.def(
      "align",
      [](const SharedPair& pair, const std::optional<std::string>& preset, const NamePairs& parameters,
         std::size_t threads, nb::object callback) {
        const AlignOptions options = align_options(preset, parameters, threads);
        return observed(std::move(callback), [&](Observer& observer) {
          return std::make_shared<Result>(pair, run_alignment(*pair, options, observer));
        });
      },
      "pair"_a, "preset"_a.none(), "parameters"_a, "threads"_a, "callback"_a.none());
  m.def(
      "open", [](const fs::path& folder) { return std::make_shared<Result>(open_run(folder)); }, "folder"_a);
}

}  // namespace

}  // namespace dovetail::python

NB_MODULE(_core, m) {
  using namespace dovetail::python;
  m.doc() = "The compiled half of the package dovetail.";
  m.attr("__version__") = dovetail::kVersion;
  nb::register_exception_translator(translate);
  bind_pair(m);
  bind_result(m);
  m.def("set_largest_expansion", &dovetail::set_largest_expansion, "times"_a);
  m.def("parameters", &parameters, "preset"_a.none());
  m.def(
      "generate",
      [](const fs::path& folder, std::uint64_t entities, std::uint64_t triples, std::uint64_t seed,
         double dangling, double name_difference, double overlap, double seed_ratio, bool labels,
         std::uint64_t right_entities, double isolated, double duplicates, const std::string& format,
         bool replace, const nb::object& callback) {
        dovetail::GenerateOptions options;
        options.entities = entities;
        options.triples = triples;
        options.seed = seed;
        options.difference.dangling = dangling;
        options.difference.names = name_difference;
        options.difference.overlap = overlap;
        options.split.seed_ratio = seed_ratio;
        options.labels = labels;
        options.right_entities = right_entities;
        options.difference.isolated = isolated;
        options.difference.duplicates = duplicates;
        generate(folder, format, replace, options, callback);
      },
      "folder"_a, "entities"_a, "triples"_a, "seed"_a, "dangling"_a, "name_difference"_a, "overlap"_a,
      "seed_ratio"_a, "labels"_a, "right_entities"_a, "isolated"_a, "duplicates"_a, "format"_a, "replace"_a,
      "callback"_a.none());
}
