# `cmake --install`: the program with man pages and completions, the library, its headers, what
# find_package(dovetail) needs, and the documentation.
include(CMakePackageConfigHelpers)

install(TARGETS dovetail_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS dovetail EXPORT dovetailTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/dovetail DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/dovetail/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dovetail)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dovetail)
install(EXPORT dovetailTargets NAMESPACE dovetail:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/dovetailConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/dovetailConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dovetailConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dovetailConfig.cmake ${PROJECT_BINARY_DIR}/dovetailConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/dependencies.cmake DESTINATION ${package_dir})

install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR})
# Debian's zsh looks there for what is installed below /usr, and into site-functions for the rest.
install(FILES ${PROJECT_BINARY_DIR}/share/zsh/site-functions/_dovetail
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/cmake/copyright
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Some of the libraries are nothing but headers, and so in the program itself: their notices go with it.
file(STRINGS ${PROJECT_SOURCE_DIR}/packages.txt libraries REGEX "^build (lib|nlohmann)")
foreach(library ${libraries})
  string(REGEX REPLACE "^build ([^ ]+).*" "\\1" library ${library})
  install(FILES /usr/share/doc/${library}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/third-party
          RENAME ${library}.txt OPTIONAL)
endforeach()
