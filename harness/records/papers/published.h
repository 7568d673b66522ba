/* Reads the papers' tables from JSON. Misspelled members and members of a wrong type are errors, which name
 * the member. */
#pragma once

#include "harness/records/papers/column_kind.h"
#include <dirent.h>

/* Reads a table and checks it: it has a name, a title and a source; columns have the members that their
 * kind requires (column_kind.h); published values are numbers or null and belong to a column; no member is
 * unknown or of a wrong type. STATUS_USAGE: no such table. STATUS_BAD_INPUT names file and member. Release
 * with published_table_free. */
Status published_table_read(const char *name, PublishedTable **out);
/* Reads a table from a JSON value and takes ownership of the value. `where` begins each message. */
Status published_table_from_json(json_t *file, const char *where, const char *name, PublishedTable **out);

typedef struct FileList {
    char folder[PUBLISHED_PATH_BYTES];
    struct dirent **entries; /* [count] in alphabetical order */
    int count;
} FileList;

/* Finds the JSON files in results/published, or in its folder `within` (such as "/claims"). Each d_name is
 * without ".json". Release with file_list_clear, also on failure. */
Status published_files_find(const char *within, FileList *out);
void file_list_clear(FileList *files);

/* Returns STATUS_BAD_INPUT with the messages of `damage`, which may be ok, and of a further damaged file. */
Status published_damage_add(Status damage, Status file);

typedef struct PublishedTables {
    PublishedTable **items; /* [count] in alphabetical order */
    int count;
} PublishedTables;

/* Reads all tables, with the rows that `records` (NULL: none) has of a user's own rigs. STATUS_BAD_INPUT
 * names the damaged tables; *out then has the others. Release with published_tables_clear, also on
 * failure. */
Status published_tables_read(const RecordView *records, PublishedTables *out);
void published_tables_clear(PublishedTables *tables);
