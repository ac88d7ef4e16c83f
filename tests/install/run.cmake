# Installs Dovetail below WORK, builds the project beside this file against that copy, and runs it.
# cmake -DBUILD=... -DSOURCE=... -DWORK=... -DPROGRAM=... -DEXPECTED=... -P run.cmake
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result)
    message(FATAL_ERROR "${ARGV} failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/prefix/bin/dovetail generate ${WORK}/pair --entities 1000 --quiet)
run(${WORK}/build/outside ${WORK}/pair)
if(NOT output STREQUAL "${EXPECTED}\n")
  message(FATAL_ERROR "expected \"${EXPECTED}\", found \"${output}\"")
endif()
