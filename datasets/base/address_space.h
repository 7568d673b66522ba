/* Checks whether the address space limit (ulimit -v) leaves room for a library that would end or stall the
 * process if it got no memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether `bytes` more can be mapped; true if there is no limit. Makes only system calls, so this function
 * may run before libraries are initialised. */
bool address_space_has(size_t bytes);
