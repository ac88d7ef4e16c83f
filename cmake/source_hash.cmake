# Writes a C++ file with a hash of the library's sources: their names and contents, nothing of the machine or the hour,
# so that the same sources have the same hash everywhere. The file stays as it is where the hash is the same.
# usage: cmake -DSOURCE=FOLDER -DOUT=FILE -P source_hash.cmake
file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/src/*.cpp ${SOURCE}/src/*.h ${SOURCE}/include/*.h)
list(SORT files)
set(all "")
foreach(name IN LISTS files)
  file(SHA256 ${SOURCE}/${name} hash)
  string(APPEND all "${name} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
#include "common/build_id.h"

namespace dovetail {

std::string_view build_id() {
  return "@hash@";
}

}  // namespace dovetail
]])
