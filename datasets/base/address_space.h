/* Checks whether the address space limit (ulimit -v) leaves room for a library that ends or stalls the
 * process when it gets no memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns true if there is no limit. Makes system calls only, so it may run before libraries are
 * initialised. */
bool address_space_has(size_t bytes);
