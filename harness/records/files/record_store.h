/* The records of result files, found by their cell. If several records describe the same cell on the same
 * machine, only the last one counts. Records of different machines exist side by side. The file is
 * append-only JSON Lines (results.h); a store that is open for appending has it locked. */
#pragma once

#include "harness/records/files/result_lines.h"

typedef struct RecordStore RecordStore;

/* Opens a file for appending and creates it if necessary. `torn` reports a torn last line, which the first
 * append cuts off. STATUS_SYSTEM if another run has the file open; STATUS_BAD_INPUT names the faulty line
 * and member, and leaves the file unchanged. Release with record_store_close, which accepts NULL. */
Status record_store_open(const char *path, RecordStore **out, bool *torn);
/* Reads files as if they were one, in the order of result_lines.h, without locking or changing anything.
 * STATUS_BAD_INPUT for the errors of record_store_open, and for a file that has no results or a torn last
 * line. */
Status record_store_read(const char *const *paths, int count, RecordStore **out);
/* Makes a store from lines that were read without their texts. The store takes ownership of the records in
 * the lines. */
Status record_store_from_lines(ResultLines *lines, RecordStore **out);
void record_store_close(RecordStore *store);
DEFINE_OWNED_BY(RecordStore, record_store_close)

/* Frees the samples of times. Their medians and intervals remain. */
void record_store_drop_samples(RecordStore *store);

/* Removes the times of direct methods that a build with one plain loop per kernel took
 * (environment_one_loop). Returns the number of records that lost their times. */
int record_store_drop_one_loop_times(RecordStore *store);

/* Number of lines in the files, including lines whose records were replaced by later ones. */
size_t record_store_line_count(const RecordStore *store);

/* Appends a record to the file and waits until it is on the disk. Sets the machine of the record from its
 * environment. Takes ownership of the record on success and failure. If writing fails, the file is as
 * before and the status is STATUS_SYSTEM. */
Status record_store_append(RecordStore *store, Record *record);
Status record_store_append_environment(RecordStore *store, const EnvironmentRecord *record);

/* Finds the current record of a cell on `machine`, or the last one on any machine if `machine` is NULL.
 * Returns NULL if there is none. Borrowed until the next append. */
const Record *record_store_find(const RecordStore *store, const Cell *cell, const char *machine);
/* Finds the record, on any machine, whose cell equals that of a record from another store. */
const Record *record_store_find_same(const RecordStore *store, const Record *record);

/* Iterates over the current records in the order of the file. Pass NULL to get the first record. Returns
 * NULL after the last.
 *   for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;) */
const Record *record_store_next(const RecordStore *store, const Record *previous);

/* Returns the environments of the runs, in the order of the file. Borrowed. */
const EnvironmentRecord *record_store_environments(const RecordStore *store, int *count);

/* Returns the environment of the run that made a record, or NULL if no line of the file describes it.
 * Borrowed. */
const EnvironmentRecord *record_store_environment(const RecordStore *store, const Record *record);

/* The records of one machine. Measurements of different machines are never mixed. */
typedef struct RecordView {
    const RecordStore *store;
    const char *machine; /* NULL if the store has only one machine */
    int number;          /* index of the machine; 0 is the first */
} RecordView;

/* Makes one view per machine, in the order of their first records. Free *views with memory_free; it borrows
 * from the store. */
Status record_views(const RecordStore *store, RecordView **views, int *count);

/* Iterates over the records of a view in the order of the file. Pass NULL to get the first record. Returns
 * NULL after the last. */
const Record *record_view_next(const RecordView *view, const Record *previous);
/* Iterates over the records of one kind. */
const Record *record_view_next_kind(const RecordView *view, CellKind kind, const Record *previous);

/* Iterates over the records of the data set with this digest, or over all records if the digest is NULL. */
const Record *record_view_next_of(const RecordView *view, const char *sha256, const Record *previous);

/* Writes the suffix for files and names of a machine's results: "" for the first machine, "-2" for the
 * second, "-3" for the third. */
enum { VIEW_SUFFIX_BYTES = 16, RECORD_NAME_BYTES = CELL_DIGEST_BYTES + VIEW_SUFFIX_BYTES };
void record_view_suffix(const RecordView *view, char suffix[VIEW_SUFFIX_BYTES]);

/* Writes to `name` the name that reports use for a record: the digest of its cell, followed by the suffix
 * of its machine. The name of a NULL record is "". Returns `name`, or NULL if out of memory. */
const char *record_name(const RecordView *view, const Record *record, char name[RECORD_NAME_BYTES]);
