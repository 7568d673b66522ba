/* Result files are strict JSON Lines: append-only, one object per line (results/formats.md documents the
 * members). Each line is written by one write() and reaches the disk before the call returns. A killed run
 * therefore leaves complete lines and at most one torn line, which the next append cuts off. A file is
 * locked while it is open for appending, so only one process writes to it. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/io/json_file.h"

typedef struct ResultsFile ResultsFile;

/* A line of a file as text, without its newline. `number` counts lines from 1. Several lines at once are
 * passed to a reader. */
typedef struct ResultText {
    const char *text;
    size_t length, number;
} ResultText;
typedef Status ResultsReader(void *context, const ResultText *lines, size_t count);
/* Parses one line with json_line_read. STATUS_BAD_INPUT names a line that is not an object. */
Status result_text_read(const ResultText *line, const char *path, JsonLines *lines, json_t **out);

/* Passes the lines of a file to a reader without locking or changing the file. `torn` reports a torn last
 * line, which is left out. */
Status results_each(const char *path, ResultsReader *read, void *context, bool *torn);
/* Opens a file for appending (created if necessary) and passes its lines to a reader, as results_each does.
 * The first append cuts off a torn last line. STATUS_SYSTEM if another run has the file open.
 * STATUS_BAD_INPUT for a file that cannot be opened or is not regular (atomic_path.h). Release with
 * results_close, which accepts NULL. */
Status results_open(const char *path, ResultsReader *read, void *context, ResultsFile **out, bool *torn);
/* Opens and locks a file without reading it, only to keep other runs from appending. */
Status results_lock(const char *path, ResultsFile **out);
void results_close(ResultsFile *file);
DEFINE_OWNED_BY(ResultsFile, results_close)

/* Appends one object and takes ownership of it. A NULL object means that memory ran out, and fails as such.
 * If `durable` is set, the call waits until the line is on the disk. Otherwise a line survives a crash of
 * the process but not of the machine. If writing fails, the file is as before and the status is
 * STATUS_SYSTEM. */
Status results_append(ResultsFile *file, json_t *record, bool durable);

/* Returns the line that results_append writes for an object. The line is ASCII, *length bytes long, ends
 * with a newline and is not terminated by a NUL. Release with free; NULL if out of memory. */
char *results_line(const json_t *record, size_t *length);

/* Closes and removes the file. */
void results_remove(ResultsFile *file);
