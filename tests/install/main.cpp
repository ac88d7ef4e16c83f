#include <dovetail/io.h>
#include <dovetail/version.h>

#include <cstdio>

int main(int /*argc*/, char** argv) {
  dovetail::Observer quiet;
  const dovetail::LoadedPair pair = dovetail::load_folder(argv[1], {}, quiet);
  std::printf("%s: %zu + %zu entities, %zu links\n", dovetail::kVersion, pair.graphs.left().entity_count(),
              pair.graphs.right().entity_count(), pair.links.size());
}
