/* Libraries that may be absent: opened at run time, their functions looked up by name into a struct of
 * function pointers. */
#pragma once

#include "datasets/base/base.h"

/* One function: its name and where its pointer stands in the struct. */
typedef struct DynamicRow {
    const char *name;
    size_t offset;
} DynamicRow;

/* Opens the first library of `names` (NULL-terminated) that is there. STATUS_UNAVAILABLE says what is
 * lacking, called `what`. Libraries stay open until the program ends: drivers keep threads and exit
 * handlers. */
Status dynamic_open(const char *const *names, const char *what, void **library);

/* Fills the struct `functions` by `rows` (closed by a NULL name). */
Status dynamic_load(void *library, const char *what, const DynamicRow *rows, void *functions);
