# `make package`: a Debian package of all that is installed, and the same as a tarball.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME dovetail)
set(CPACK_PACKAGE_CONTACT "The Dovetail developers")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Dovetail reads two graphs in RDF or as tables, and some links between them,
and finds the other links, with confidences and with the evidence for each.
It needs no GPU and no network.

The C++ library is part of this package; what linking to it takes are the
suggested packages.")
# The library is a static one: whoever links to it needs what it stands on, as packages.txt has it.
file(STRINGS ${PROJECT_SOURCE_DIR}/packages.txt suggested REGEX "^build .* linked$")
list(TRANSFORM suggested REPLACE "^build (.*) linked$" "\\1")
list(JOIN suggested ", " CPACK_DEBIAN_PACKAGE_SUGGESTS)
include(CPack)
