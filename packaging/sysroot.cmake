# Toolchain of the presets portable and aarch64. It uses the gcc of this machine, and the headers and libraries in the folder
# SKINBENCH_SYSROOT (scripts/sysroot), whose glibc is that of the oldest system on which the program must start. Tests built for
# another processor run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${SKINBENCH_PROCESSOR})
set(CMAKE_SYSROOT ${SKINBENCH_SYSROOT})
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SKINBENCH_PROCESSOR SKINBENCH_SYSROOT)
set(CMAKE_C_COMPILER ${SKINBENCH_PROCESSOR}-linux-gnu-gcc)
# Without a C++ compiler for that processor, Draco is left out: c++ is this machine's.
find_program(SKINBENCH_CXX ${SKINBENCH_PROCESSOR}-linux-gnu-g++)
set(CMAKE_CXX_COMPILER ${SKINBENCH_CXX})
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(libraries ${CMAKE_SYSROOT}/usr/lib/${SKINBENCH_PROCESSOR}-linux-gnu)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/pkgconfig:${libraries}/openblas-openmp/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
# The compiler first searches next to itself, where the headers, start files and libraries of its own system are.
set(CMAKE_C_FLAGS_INIT "-isystem ${CMAKE_SYSROOT}/usr/include/${SKINBENCH_PROCESSOR}-linux-gnu -isystem ${CMAKE_SYSROOT}/usr/include")
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-B${libraries} -L${libraries} -L${CMAKE_SYSROOT}/lib/${SKINBENCH_PROCESSOR}-linux-gnu")
endforeach()
# Settings that HDF5's compiler wrapper would otherwise report for this machine.
set(HDF5_C_COMPILER_NO_INTERROGATE ON)
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES ${CMAKE_SYSROOT}/usr/include/hdf5/serial)
set(CMAKE_C_STANDARD_LIBRARIES "-L${libraries}/hdf5/serial -lhdf5")
if(NOT SKINBENCH_PROCESSOR STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${SKINBENCH_PROCESSOR}-static -L ${CMAKE_SYSROOT})
endif()
