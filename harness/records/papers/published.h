/* Reads the papers' tables from JSON. Misspelled members and members of a wrong type are errors, which name
 * the member. */
#pragma once

#include "harness/records/papers/cell_value.h"

/* Reads a table and checks it: it has a name, a title and a source; columns have the members that their
 * kind requires (column_kind.h); published values are numbers or null and belong to a column; no member is
 * unknown or of a wrong type. STATUS_USAGE: no such table. STATUS_BAD_INPUT names file and member. Release
 * with published_table_free. */
Status published_table_read(const char *name, PublishedTable **out);
/* Reads a table from a JSON value and takes ownership of the value. `where` begins each message. */
Status published_table_from_json(json_t *file, const char *where, const char *name, PublishedTable **out);

/* Calls `visit`, in alphabetical order, for the JSON files in results/published or in its folder `within`
 * (such as "/claims"). The name is without ".json". If a visit returns STATUS_BAD_INPUT, the other files
 * are still visited, and the status is returned at the end with all messages. */
Status published_files_each(const char *within,
                            Status (*visit)(void *context, const char *path, const char *name),
                            void *context);

/* Visits all tables in alphabetical order, with the rows that `records` (NULL: none) has of a user's own
 * rigs. Damaged tables are skipped and named at the end. */
Status published_tables_each(const RecordView *records,
                             Status (*visit)(void *context, const PublishedTable *table), void *context);
