/* Reads the papers' tables, strictly: what is misspelt or of the wrong type is refused by name. */
#pragma once

#include "harness/records/papers/published_table.h"

/* Reads and checks one table: its name, title, source and every column and row are there, its columns have
 * what their kind asks for (column_kind.h), every published value is a number or null and belongs to a
 * column, and no member is unknown or of another type. STATUS_USAGE when there is no table of that name,
 * STATUS_BAD_INPUT names the file and the member. Release with published_table_free. */
Status published_table_read(const char *name, PublishedTable **out);
/* The same from a JSON value, which it takes over; `where` opens messages. */
Status published_table_from_json(json_t *file, const char *where, const char *name, PublishedTable **out);

/* The JSON files in results/published and the folder `within` it ("": itself, "/claims") in alphabetical
 * order: their path, and their name without ".json". A visit that ends in STATUS_BAD_INPUT spoils no other:
 * this is returned at the end, with the texts of all. */
Status published_files_each(const char *within,
                            Status (*visit)(void *context, const char *path, const char *name),
                            void *context);

/* All tables in alphabetical order, likewise: damaged ones are left out, and named at the end. */
Status published_tables_each(Status (*visit)(void *context, const PublishedTable *table), void *context);
