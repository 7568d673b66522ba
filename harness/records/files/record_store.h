/* The records of result files, found by their cell. Of several records of one cell measured on one machine
 * the last counts, and the others are gone from here; cells of different machines stand beside each other.
 * The file is append-only JSON Lines (results.h): a store that is opened for appending holds its lock. */
#pragma once

#include "harness/records/files/result_lines.h"

typedef struct RecordStore RecordStore;

/* Opens for appending (the file is made if there is none); `torn` reports a torn last line, which the first
 * append cuts off. STATUS_SYSTEM when another run has the file open; STATUS_BAD_INPUT names the line, and
 * the member where there is one, and then the file is as it was. Release with record_store_close (NULL is
 * allowed). */
Status record_store_open(const char *path, RecordStore **out, bool *torn);
/* Reads files as one, in the order of result_lines.h, without locking or changing anything. STATUS_BAD_INPUT
 * as above, for a file without results, and for a torn last line. */
Status record_store_read(const char *const *paths, int count, RecordStore **out);
/* The same of lines that were read without their texts; takes their records. */
Status record_store_take(ResultLines *lines, RecordStore **out);
void record_store_close(RecordStore *store);
DEFINE_OWNED_BY(RecordStore, record_store_close)

/* Frees the samples of times, for who needs their medians and intervals alone. */
void record_store_drop_samples(RecordStore *store);

/* How many lines the files have, those of records that no longer count too. */
size_t record_store_line_count(const RecordStore *store);

/* Appends to the file and waits until the disk has it. The record is taken over on success and failure; its
 * machine is that of its environment. STATUS_SYSTEM when it cannot be written: the file then ends as
 * before. */
Status record_store_append(RecordStore *store, Record *record);
Status record_store_append_environment(RecordStore *store, const EnvironmentRecord *record);

/* The record of a cell that counts: of the same key, measured on `machine`, or on any, the last, where
 * machine is NULL. NULL: there is none. Borrowed until the next append. */
const Record *record_store_find(const RecordStore *store, const Cell *cell, const char *machine);
/* The same of the cell of another store's record, on any machine. */
const Record *record_store_find_same(const RecordStore *store, const Record *record);

/* The records that count, in the order of the file: after `previous`, NULL for the first; NULL after the
 * last.
 *     for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;) */
const Record *record_store_next(const RecordStore *store, const Record *previous);

/* The environments of the file's runs, in its order. Borrowed. */
const EnvironmentRecord *record_store_environments(const RecordStore *store, int *count);

/* The environment of a record's run; NULL: no line of the file describes it. Borrowed. */
const EnvironmentRecord *record_store_environment(const RecordStore *store, const Record *record);

/* The records of one machine: what is measured on one is never mixed with another's. */
typedef struct RecordView {
    const RecordStore *store;
    const char *machine; /* NULL: the store has one machine */
    int number;          /* of several machines, 0 for the first */
} RecordView;

/* One view of a store with one machine, else one for each, in the order in which they come first. *views is
 * for memory_free; it borrows from the store. */
Status record_views(const RecordStore *store, RecordView **views, int *count);

/* The records of a view in the order of their file: after `previous`, NULL for the first; NULL after the
 * last. */
const Record *record_view_next(const RecordView *view, const Record *previous);
/* Those of one kind. */
const Record *record_view_next_kind(const RecordView *view, CellKind kind, const Record *previous);

/* The same of the records of one data set, by its digest; NULL: of all. */
const Record *record_view_next_of(const RecordView *view, const char *sha256, const Record *previous);

/* What the files and names of a machine's results end with: "", of the second machine "-2", of the third
 * "-3". */
enum { VIEW_SUFFIX_BYTES = 16, RECORD_NAME_BYTES = CELL_DIGEST_BYTES + VIEW_SUFFIX_BYTES };
void record_view_suffix(const RecordView *view, char suffix[VIEW_SUFFIX_BYTES]);

/* The name of a record in a report: its cell's digest and the suffix of its machine, in `name`, which is
 * returned. "" for the record NULL; NULL: out of memory. */
const char *record_name(const RecordView *view, const Record *record, char name[RECORD_NAME_BYTES]);
