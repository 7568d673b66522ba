/* Checks whether the address space limit (ulimit -v) leaves room for a library that would end or stall the
 * process if it got no memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether the process may map `bytes` more of address space. Always true without a limit. Makes only system
 * calls, so that it can run before libraries are initialised. */
bool address_space_has(size_t bytes);
