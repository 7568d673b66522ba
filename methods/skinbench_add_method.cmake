# skinbench_add_method(NAME <name> KIND skinning|decomposition SOURCES <file>... [KERNEL <file>])
# makes the folder of the calling CMakeLists.txt a method. Its const table is <name>_method and its kernel's
# function <name>_vertex, with every - of the name written _. A direct method's kernel is compiled to an object
# per flavour (reference, scalar, one per instruction-set level) and embedded as text for OpenCL and CUDA.

include(${CMAKE_CURRENT_LIST_DIR}/skinbench_levels.cmake)
# A loop over influences is unrolled whole, up to 16 of them: only then do compilers vectorise the one around it.
if(SKINBENCH_ONE_LOOP) # checked loops are not vectorised, and unrolled they would take minutes to compile
    set(SKINBENCH_SIMD_UNROLL $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
elseif(CMAKE_C_COMPILER_ID STREQUAL "Clang")
    # Sums over neighbouring lanes are not looked for: clang 14 finds others of them each time it compiles the same text.
    set(SKINBENCH_SIMD_UNROLL "SHELL:-mllvm -unroll-threshold=100000" "SHELL:-mllvm -slp-vectorize-hor=false" -Wno-pass-failed)
else()
    set(SKINBENCH_SIMD_UNROLL
        "SHELL:--param max-completely-peeled-insns=8000" "SHELL:--param max-completely-peel-times=16"
        "SHELL:--param max-peel-branches=1000" # where signs are chosen for each vertex
        # Sums stay chains of fused multiply-adds: there are enough of them side by side.
        "SHELL:--param tree-reassoc-width=1"
        # At the same speed, half the time to compile such long loops: an instruction is combined with one other, not
        # with three, and registers are allotted to a function as a whole.
        "SHELL:--param max-combine-insns=2" -fira-region=one -fno-gcse-after-reload)
endif()

# One object of a kernel. The options of the project come first, so that a flavour's own can override them
# (a linked interface would put them last).
function(skinbench_kernel_object symbol kernel flavour lanes)
    set(target kernel_${symbol}_${flavour})
    add_library(${target} OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/runtime/backends/host_loops.c)
    target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:skinbench_options,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target} PRIVATE
        $<TARGET_PROPERTY:skinbench_options,INTERFACE_COMPILE_DEFINITIONS>
        KERNEL_HEADER="${kernel}" KERNEL_VERTEX=${symbol}_vertex KERNEL_OBJECT=${symbol}_kernel_${flavour}
        KERNEL_LANES=${lanes} ${ARGN})
    # A kernel need not read all that KERNEL_ARGUMENTS brings.
    target_compile_options(${target} PRIVATE
        $<TARGET_PROPERTY:skinbench_options,INTERFACE_COMPILE_OPTIONS> -Wno-unused-parameter)
    target_sources(skinbench_methods PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

# The text of a kernel for compilers at run time, as <symbol>_kernel_text in the library. What it may include: these
# headers and those beside it. A function may be named that the kernel must define.
function(skinbench_embed_kernel library symbol kernel)
    set(text ${CMAKE_CURRENT_BINARY_DIR}/${symbol}_kernel_text.c)
    get_filename_component(folder ${kernel} DIRECTORY)
    file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/datasets/geometry/*.h
         ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/kernel/*.h ${folder}/*.h)
    add_custom_command(OUTPUT ${text}
        COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DKERNEL=${kernel} -DSYMBOL=${symbol} -DVERTEX=${ARGN}
                -DOUTPUT=${text} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/kernel/embed_kernel.cmake
        DEPENDS ${kernel} ${headers} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/kernel/embed_kernel.cmake
        COMMENT "Embedding the kernel ${symbol}" VERBATIM)
    add_library(kernel_${symbol}_text OBJECT ${text})
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:kernel_${symbol}_text>)
endfunction()

function(skinbench_add_kernel name symbol kernel)
    skinbench_kernel_object(${symbol} ${kernel} reference 1 KERNEL_LEVEL="" KERNEL_CHECKS)
    target_compile_options(kernel_${symbol}_reference PRIVATE $<$<CONFIG:Release>:-O1>) # the truth, which is read more than timed
    skinbench_kernel_object(${symbol} ${kernel} scalar 1 KERNEL_LEVEL="" SKINBENCH_REAL_FLOAT)
    target_compile_options(kernel_${symbol}_scalar PRIVATE -fno-tree-vectorize -fno-tree-slp-vectorize)
    foreach(level IN LISTS SKINBENCH_SIMD_LEVELS)
        skinbench_kernel_object(${symbol} ${kernel} ${level} ${SKINBENCH_SIMD_LANES_${level}}
                                KERNEL_LEVEL="${level}" SKINBENCH_REAL_FLOAT
                                $<$<BOOL:${SKINBENCH_ONE_LOOP}>:KERNEL_ONE_LOOP>
                                $<$<STREQUAL:${level},v2>:KERNEL_FEW_LOOPS>) # least used, slowest to compile
        # Vector loops in every build type; a sanitized one checks addresses, which are the same in all loops, and
        # would take minutes to compile them all.
        target_compile_options(kernel_${symbol}_${level} PRIVATE
            $<IF:$<BOOL:${SKINBENCH_ONE_LOOP}>,-O1,-O3> -fopenmp-simd ${SKINBENCH_SIMD_FLAGS_${level}}
            -fno-math-errno -fno-trapping-math -fassociative-math -fno-signed-zeros -ffinite-math-only
            -ffp-contract=fast ${SKINBENCH_SIMD_UNROLL}
            # Where registers are 16, what is read is read where it is used, not before.
            $<$<AND:$<NOT:$<STREQUAL:${level},v4>>,$<C_COMPILER_ID:GNU>>:-fschedule-insns>
            $<$<AND:$<NOT:$<STREQUAL:${level},v4>>,$<C_COMPILER_ID:GNU>>:-fsched-pressure>)
    endforeach()
    # The text once more, counting its operations.
    set(target kernel_${symbol}_count)
    add_library(${target} OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/runtime/count_kernel.c)
    target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:skinbench_options,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target} PRIVATE
        $<TARGET_PROPERTY:skinbench_options,INTERFACE_COMPILE_DEFINITIONS>
        KERNEL_HEADER="${kernel}" KERNEL_VERTEX=${symbol}_vertex KERNEL_COUNT=${symbol}_kernel_counter)
    target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:skinbench_options,INTERFACE_COMPILE_OPTIONS> -O2
                           -fno-math-errno -fno-trapping-math -fno-sanitize=all -Wno-unused-parameter -Wno-conversion
                           -Wno-double-promotion)
    target_sources(skinbench_methods PRIVATE $<TARGET_OBJECTS:${target}>)
    skinbench_embed_kernel(skinbench_methods ${symbol} ${kernel} ${symbol}_vertex)
    # The text is made first, because it says most clearly that the function is missing.
    foreach(flavour IN ITEMS reference scalar ${SKINBENCH_SIMD_LEVELS} count)
        add_dependencies(kernel_${symbol}_${flavour} kernel_${symbol}_text)
    endforeach()
endfunction()

function(skinbench_add_method)
    cmake_parse_arguments(METHOD "" "NAME;KIND;KERNEL" "SOURCES" ${ARGN})
    set(here "skinbench_add_method in ${CMAKE_CURRENT_SOURCE_DIR}")
    get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    get_property(names GLOBAL PROPERTY SKINBENCH_METHOD_NAMES)
    if(METHOD_UNPARSED_ARGUMENTS OR NOT METHOD_NAME OR NOT METHOD_SOURCES
       OR NOT METHOD_KIND MATCHES "^(skinning|decomposition)$")
        message(FATAL_ERROR "${here} is called wrongly: it takes NAME <name> KIND skinning|decomposition "
                            "SOURCES <file>... [KERNEL <file>], not ${ARGN}")
    elseif(NOT METHOD_NAME MATCHES "^[a-z][a-z0-9-]*$")
        message(FATAL_ERROR "${here}: the name '${METHOD_NAME}' is not lower-case letters, digits and -")
    elseif(METHOD_NAME IN_LIST names)
        message(FATAL_ERROR "${here}: another method is named '${METHOD_NAME}' already")
    elseif(NOT METHOD_NAME STREQUAL folder)
        message(FATAL_ERROR "${here}: the method '${METHOD_NAME}' stands in a folder of another name, '${folder}'")
    elseif(METHOD_KIND STREQUAL "skinning" AND NOT METHOD_KERNEL)
        message(FATAL_ERROR "${here}: '${METHOD_NAME}' is of KIND skinning and has no KERNEL")
    elseif(METHOD_KIND STREQUAL "decomposition" AND METHOD_KERNEL)
        message(FATAL_ERROR "${here}: '${METHOD_NAME}' is of KIND decomposition, which has no KERNEL")
    endif()
    foreach(file IN LISTS METHOD_SOURCES METHOD_KERNEL)
        if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
            message(FATAL_ERROR "${here}: there is no file ${file}")
        endif()
    endforeach()
    set_property(GLOBAL APPEND PROPERTY SKINBENCH_METHOD_NAMES ${METHOD_NAME})
    set_property(GLOBAL APPEND PROPERTY SKINBENCH_METHODS_${METHOD_KIND} ${METHOD_NAME})

    list(TRANSFORM METHOD_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    target_sources(skinbench_methods PRIVATE ${METHOD_SOURCES})
    string(REPLACE "-" "_" symbol ${METHOD_NAME})
    if(METHOD_KIND STREQUAL "skinning")
        skinbench_add_kernel(${METHOD_NAME} ${symbol} ${CMAKE_CURRENT_SOURCE_DIR}/${METHOD_KERNEL})
    endif()
endfunction()

# Writes the registry from the calls so far and adds it to skinbench_methods.
function(skinbench_write_registry)
    set(declarations "")
    set(skinning_rows "")
    set(decomposition_rows "")
    set(decomposition_names "")
    get_property(names GLOBAL PROPERTY SKINBENCH_METHODS_skinning)
    list(SORT names)
    foreach(name IN LISTS names)
        string(REPLACE "-" "_" symbol ${name})
        set(simd "")
        set(kernels "${symbol}_kernel_reference, ${symbol}_kernel_scalar")
        foreach(level IN LISTS SKINBENCH_SIMD_LEVELS)
            string(APPEND simd "&${symbol}_kernel_${level}, ")
            string(APPEND kernels ", ${symbol}_kernel_${level}")
        endforeach()
        string(APPEND declarations "extern const SkinningMethod ${symbol}_method;\n"
                                   "extern const HostKernel ${kernels};\n"
                                   "extern const char ${symbol}_kernel_text[];\n"
                                   "extern KernelCounter ${symbol}_kernel_counter;\n")
        string(APPEND skinning_rows "    {\"${name}\", &${symbol}_method, &${symbol}_kernel_reference, "
                                    "&${symbol}_kernel_scalar, {${simd}NULL}, \"${symbol}_vertex\", "
                                    "${symbol}_kernel_text, ${symbol}_kernel_counter},\n")
    endforeach()
    set(levels "")
    foreach(level IN LISTS SKINBENCH_SIMD_LEVELS)
        string(APPEND levels "\"${level}\", ")
    endforeach()
    get_property(names GLOBAL PROPERTY SKINBENCH_METHODS_decomposition)
    list(SORT names)
    foreach(name IN LISTS names)
        string(REPLACE "-" "_" symbol ${name})
        string(APPEND declarations "extern const DecompositionMethod ${symbol}_method;\n")
        string(APPEND decomposition_rows "    &${symbol}_method,\n")
        string(APPEND decomposition_names "    \"${name}\",\n")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/registry_tables.c @ONLY CONTENT
"/* Written by skinbench_add_method.cmake. */
#include \"methods/registry.h\"

#include <stddef.h>

@declarations@
const SkinningEntry skinning_registry[] = {
@skinning_rows@    {NULL, NULL, NULL, NULL, {NULL}, NULL, NULL, NULL},
};

const DecompositionMethod *const decomposition_registry[] = {
@decomposition_rows@    NULL,
};

const char *const decomposition_names[] = {
@decomposition_names@    NULL,
};
")
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/simd_levels_built.c @ONLY CONTENT
"/* Written by skinbench_add_method.cmake. */
#include \"methods/runtime/simd_levels.h\"

#include <stddef.h>

const char *const simd_levels_built[] = {@levels@NULL};
")
    target_sources(skinbench_methods PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/registry_tables.c
                                             ${CMAKE_CURRENT_BINARY_DIR}/simd_levels_built.c)
endfunction()
