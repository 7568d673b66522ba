/* Opens optional libraries at run time and looks up their functions by name into a struct of function
 * pointers. */
#pragma once

#include "datasets/base/base.h"

/* One function: its name and the offset of its pointer in the struct. */
typedef struct DynamicRow {
    const char *name;
    size_t offset;
} DynamicRow;

/* Opens the first library of `names` (NULL-terminated) that exists. Otherwise returns STATUS_UNAVAILABLE
 * and says that `what` is missing. Libraries stay open until the program ends, because drivers keep threads
 * and exit handlers. */
Status dynamic_open(const char *const *names, const char *what, void **library);

/* Fills the struct `functions` with the functions named in `rows`, which end with a NULL name. */
Status dynamic_load(void *library, const char *what, const DynamicRow *rows, void *functions);
