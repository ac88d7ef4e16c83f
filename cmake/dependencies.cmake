# The libraries Dovetail stands on. Used by the build and, installed beside the package's configuration,
# by projects that link to it.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(hwy REQUIRED)
find_package(ICU REQUIRED COMPONENTS i18n uc)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(serd REQUIRED IMPORTED_TARGET serd-0)
pkg_check_modules(raptor2 REQUIRED IMPORTED_TARGET raptor2)
pkg_check_modules(libarchive REQUIRED IMPORTED_TARGET libarchive)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
