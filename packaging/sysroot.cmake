# Toolchain of the presets portable and aarch64: gcc of this machine, headers and libraries of the folder SKINBENCH_SYSROOT
# (scripts/sysroot), whose glibc is as old as the oldest system that the program is to start on. Tests of another processor's
# program run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${SKINBENCH_PROCESSOR})
set(CMAKE_SYSROOT ${SKINBENCH_SYSROOT})
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SKINBENCH_PROCESSOR SKINBENCH_SYSROOT)
set(CMAKE_C_COMPILER ${SKINBENCH_PROCESSOR}-linux-gnu-gcc)
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(libraries ${CMAKE_SYSROOT}/usr/lib/${SKINBENCH_PROCESSOR}-linux-gnu)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/pkgconfig:${libraries}/openblas-openmp/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
# The compiler looks beside itself first, where its own system's headers, start files and libraries are.
set(CMAKE_C_FLAGS_INIT "-isystem ${CMAKE_SYSROOT}/usr/include/${SKINBENCH_PROCESSOR}-linux-gnu -isystem ${CMAKE_SYSROOT}/usr/include")
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-B${libraries} -L${libraries} -L${CMAKE_SYSROOT}/lib/${SKINBENCH_PROCESSOR}-linux-gnu")
endforeach()
# What the compiler's wrapper of HDF5 would say of this machine.
set(HDF5_C_COMPILER_NO_INTERROGATE ON)
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES ${CMAKE_SYSROOT}/usr/include/hdf5/serial)
set(CMAKE_C_STANDARD_LIBRARIES "-L${libraries}/hdf5/serial -lhdf5")
if(NOT SKINBENCH_PROCESSOR STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${SKINBENCH_PROCESSOR}-static -L ${CMAKE_SYSROOT})
endif()
