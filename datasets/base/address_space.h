/* Whether the limit of the address space (ulimit -v) leaves room for a library that ends or stalls the
 * process where it gets no memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* true where there is no limit. Calls nothing but the system, so that it may run before libraries are set
 * up. */
bool address_space_has(size_t bytes);
