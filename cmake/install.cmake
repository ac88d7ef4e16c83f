# `cmake --install`: the program, the library, its headers, and what find_package(dovetail) needs.
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
