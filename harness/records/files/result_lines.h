/* The lines of one result file or of several, in the one order in which they count: environments first, then
 * cells by the time at which they were written (the latest of their file so far: no file's own order is
 * changed). Of two records of one cell and machine so ordered the last counts, whatever the order in which
 * the files are named. */
#pragma once

#include "harness/records/files/environment_record.h"

enum { RESULT_SCHEMA = 1, LINE_PLACE_BYTES = STATUS_TEXT_BYTES / 2 };

typedef struct ResultLine {
    bool is_environment;
    EnvironmentRecord *environment; /* owned, as all three; NULL: the line is a record, or texts are kept */
    Record *record;
    char *text;                  /* [length] with its newline, where texts are kept */
    size_t length, number;       /* in its file, from 1 */
    int file;                    /* 0, 1, ... */
    char time[TIME_STAMP_BYTES]; /* as ordered by */
} ResultLine;

typedef struct ResultLines {
    ResultLine *items; /* [count], owned */
    size_t count;
    int file_count;
    bool texts; /* keep the text of each line, once it is known to be one, in place of what it says */
} ResultLines;

/* Reads the files into lines that are empty. STATUS_BAD_INPUT with the file, the line and the member: no line
 * of a result file (results.h), or of another schema than this program's; and for a file that holds no line.
 * A torn last line is left out and counted in torn [count]; where torn is NULL it is refused, with what can
 * be done. Release with result_lines_clear, after a failure too. */
Status result_lines_read(ResultLines *lines, const char *const *paths, int count, bool *torn);
void result_lines_clear(ResultLines *lines);

/* Appends the lines of one more file, in its own order. STATUS_BAD_INPUT as above. */
Status result_lines_add(ResultLines *lines, const char *path, const json_t *objects);
