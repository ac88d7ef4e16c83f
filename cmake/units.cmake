# Compiles up to six files of a room as one unit: that halves the time of a build from nothing, and a changed file is
# still built in seconds. A unit has no file of another room, so that a target may bring rooms of its own in place of the
# library's. Kernels stay alone: they include themselves once for each instruction set.
function(compile_in_units target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "([a-z]+)/[a-z0-9_]+\\.cpp$" OR CMAKE_MATCH_1 STREQUAL "kernels")
      continue()
    endif()
    set(room ${CMAKE_MATCH_1})
    list(APPEND files_of_${room} ${source})
    list(LENGTH files_of_${room} count)
    math(EXPR unit "(${count} - 1) / 6")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${unit})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
