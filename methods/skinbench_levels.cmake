# The levels of the simd backends, least first, with their flags.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(SKINBENCH_SIMD_LEVELS v2 v3 v4)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(SKINBENCH_SIMD_LEVELS neon) # of every such processor: no flags
else()
    set(SKINBENCH_SIMD_LEVELS baseline)
endif()
# A build for this machine alone takes half the time.
set(SKINBENCH_LEVELS all CACHE STRING "Levels of the simd backends: all, or best: the best that this machine runs")
if(SKINBENCH_LEVELS STREQUAL "best")
    if(NOT SKINBENCH_LEVEL_BEST)
        list(JOIN SKINBENCH_SIMD_LEVELS "\", \"" names)
        file(WRITE ${CMAKE_BINARY_DIR}/level_best.c "#include <stddef.h>\n#include <stdio.h>\n"
"#include \"methods/runtime/simd_levels.c\"
const char *const simd_levels_built[] = {\"${names}\", NULL};
int main(void)
{
    const char *levels[SIMD_LEVELS_MAX];
    const int count = simd_levels_here(levels);
    return count > 0 ? printf(\"%s\", levels[count - 1]) < 0 : 1;
}
")
        try_run(code compiled ${CMAKE_BINARY_DIR}/level_best ${CMAKE_BINARY_DIR}/level_best.c
                CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}
                COMPILE_DEFINITIONS -D_POSIX_C_SOURCE=200809L RUN_OUTPUT_VARIABLE level)
        if(NOT compiled OR NOT code EQUAL 0)
            message(FATAL_ERROR "SKINBENCH_LEVELS=best: which level this machine runs could not be tried; use all")
        endif()
        set(SKINBENCH_LEVEL_BEST ${level} CACHE INTERNAL "The best level of the machine that was configured on")
    endif()
    set(SKINBENCH_SIMD_LEVELS ${SKINBENCH_LEVEL_BEST})
elseif(NOT SKINBENCH_LEVELS STREQUAL "all")
    message(FATAL_ERROR "SKINBENCH_LEVELS is all or best, not '${SKINBENCH_LEVELS}'")
endif()
set(SKINBENCH_SIMD_FLAGS_v2 -march=x86-64-v2)
set(SKINBENCH_SIMD_FLAGS_v3 -march=x86-64-v3)
set(SKINBENCH_SIMD_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512)
set(SKINBENCH_SIMD_FLAGS_neon "")
set(SKINBENCH_SIMD_FLAGS_baseline "")
# Vertices of a turn of the loop: one vector or two.
set(SKINBENCH_SIMD_LANES_v2 8)
set(SKINBENCH_SIMD_LANES_v3 8)
set(SKINBENCH_SIMD_LANES_v4 16)
set(SKINBENCH_SIMD_LANES_neon 8)
set(SKINBENCH_SIMD_LANES_baseline 8)
