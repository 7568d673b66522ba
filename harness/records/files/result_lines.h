/* The lines of one or more result files, sorted: environments first, then cells by time of writing. A line
 * counts as written no earlier than the lines before it in its file, so each file keeps its own order. If
 * two records describe one cell on one machine, the later record counts, in whatever order the files are
 * named. */
#pragma once

#include "harness/records/files/environment_record.h"
#include "harness/records/files/results.h"

enum { RESULT_SCHEMA = 1, LINE_PLACE_BYTES = STATUS_TEXT_BYTES / 2 };

typedef struct ResultLine {
    bool is_environment;
    EnvironmentRecord *environment; /* the environment that the line describes, owned; NULL if the line is a
                                       record, or if only texts are stored */
    Record *record;
    char *text;            /* [length] text of the line with its newline; NULL unless texts are stored */
    size_t length, number; /* number: line number in the file, from 1 */
    int file;              /* index of the file */
    char time[TIME_STAMP_BYTES]; /* the time by which lines are sorted */
} ResultLine;

typedef struct ResultLines {
    ResultLine *items; /* [count], owned */
    size_t count;
    int file_count;
    bool texts; /* store the text of each checked line instead of its parsed content */
} ResultLines;

/* Reads files [count] into `lines`, which must be empty. STATUS_BAD_INPUT names file, line and member; it
 * means that a file is empty, or that a line is not a result line (results.h) or has another schema. A torn
 * last line is left out and reported in torn [count]; if `torn` is NULL, it is an error. Release with
 * result_lines_clear, also on failure. */
Status result_lines_read(ResultLines *lines, const char *const *paths, int count, bool *torn);
void result_lines_clear(ResultLines *lines);

/* Appends the lines of one more file in their own order, and keeps the file open for appending
 * (results_open). STATUS_BAD_INPUT as for result_lines_read. */
Status result_lines_open(ResultLines *lines, const char *path, ResultsFile **out, bool *torn);
