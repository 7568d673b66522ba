/* Reads the papers' tables strictly. Misspelled members and wrong types are refused by name. */
#pragma once

#include "harness/records/papers/published_table.h"

/* Reads and checks one table: name, title, source and every column and row exist; columns have what their
 * kind requires (column_kind.h); published values are numbers or null and belong to a column; no member is
 * unknown or of the wrong type. STATUS_USAGE: no such table. STATUS_BAD_INPUT names file and member.
 * Release with published_table_free. */
Status published_table_read(const char *name, PublishedTable **out);
/* Reads a table from a JSON value and takes its reference. `where` opens messages. */
Status published_table_from_json(json_t *file, const char *where, const char *name, PublishedTable **out);

/* Visits the JSON files in results/published, or in its folder `within` (such as "/claims"), in
 * alphabetical order with path and name (without ".json"). A visit that returns STATUS_BAD_INPUT does not
 * stop the others; it is returned at the end, with all messages. */
Status published_files_each(const char *within,
                            Status (*visit)(void *context, const char *path, const char *name),
                            void *context);

/* Visits all tables in alphabetical order. Damaged tables are skipped and named at the end. */
Status published_tables_each(Status (*visit)(void *context, const PublishedTable *table), void *context);
