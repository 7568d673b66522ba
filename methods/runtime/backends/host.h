/* What the backends that run on the processor share (host_backends.c): they differ in which object of the
 * kernel they call and in the layout of palettes and results. */
#pragma once

#include "methods/runtime/backends/implementation.h"

/* Binds a kernel, whose reals are doubles where it is `is_double`. Its state is for host_functions, whose
 * `release` frees it. */
Status host_create(const BackendBinding *binding, const HostKernel *kernel, bool is_double, void **state);

extern const BackendFunctions host_functions;
