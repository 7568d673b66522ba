/* The papers' numbers: results/published/<name>.json, one file per table (results/README.md tells the
 * fields). A published number is never mixed with a measured one; null stands where the paper prints none. */
#ifndef SKINBENCH_TABLES_PUBLISHED_H
#define SKINBENCH_TABLES_PUBLISHED_H

#include "datasets/base/status.h"
#include <jansson.h>

enum { PUBLISHED_PATH_BYTES = 4096 };

/* Reads and checks one table: its name, title, source and every column and row are there, its columns have
 * what their kind asks for (table_kind.h), every published value is a number or null and belongs to a column
 * (a column marked `extra` has none: it is measured only). STATUS_USAGE when there is no table of that name,
 * STATUS_BAD_INPUT names the file and what is wrong. For json_decref. */
Status published_read(const char *name, json_t **table);

/* All tables in alphabetical order. */
Status published_each(Status (*tell)(void *context, const json_t *table), void *context);

/* The member of an array of objects whose `name` this is; NULL: none. Borrowed. */
json_t *named_at(const json_t *array, const char *name);

#endif
