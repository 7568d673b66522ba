/* Result files: strict JSON Lines, append-only, one object per line (results/README.md documents the
 * members). A line is written by one write() and flushed to the disk before the call returns, so a run that
 * is killed leaves whole lines and at most one torn one, the last, which the next append cuts off. One writer
 * at a time: a file is locked while it is open for appending. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/io/json_file.h"

typedef struct ResultsFile ResultsFile;

/* Opens for appending (the file is made if there is none) and gives what the file holds: a new array of
 * objects, for json_decref. `torn` reports a torn last line, which the first append cuts off. STATUS_SYSTEM
 * when another run has the file open; STATUS_BAD_INPUT names what is no plain file (atomic_path.h), or the
 * line that is not an object. Release with results_close (NULL is allowed). */
Status results_open(const char *path, ResultsFile **out, json_t **records, bool *torn);
/* The same without reading it: nothing is to be appended, only kept from others. */
Status results_lock(const char *path, ResultsFile **out);
void results_close(ResultsFile *file);
DEFINE_OWNED_BY(ResultsFile, results_close)

/* Appends one object, whose reference it takes (NULL: it could not be allocated). `durable`: wait until the
 * disk has it; without that a line survives the end of the process but not of the machine. STATUS_SYSTEM when
 * it cannot be written; the file then ends as before. */
Status results_append(ResultsFile *file, json_t *record, bool durable);

/* The line of an object as results_append writes it, in ASCII: *length bytes with a newline at the end and no
 * NUL. For free; NULL: out of memory. */
char *results_line(const json_t *record, size_t *length);

/* Closes and removes the file. */
void results_remove(ResultsFile *file);

/* Reads without locking or changing anything; a torn last line is left out. */
Status results_read(const char *path, json_t **records, bool *torn);

/* The same as texts, in batches of lines without their newlines; `number` from 1. */
typedef struct ResultText {
    const char *text;
    size_t length, number;
} ResultText;
typedef Status ResultsReader(void *context, const ResultText *lines, size_t count);
Status results_each(const char *path, ResultsReader *read, void *context, bool *torn);
/* Parses one of them (json_line_read). STATUS_BAD_INPUT names it where it is no object. */
Status result_text_read(const ResultText *line, const char *path, JsonLines *lines, json_t **out);
