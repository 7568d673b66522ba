/* Code shared by the backends that run on the processor (host_backends.c). They differ in the kernel object
 * that they call, and in the layout of palettes and results. */
#pragma once

#include "methods/runtime/backends/implementation.h"

/* Binds a kernel of the method. The state is for host_functions, whose `release` frees it. */
Status host_create(const BackendBinding *binding, const HostKernel *kernel, void **state);

extern const BackendFunctions host_functions;
