/* The lines of one result file or of several, in the one order in which they count: environments first, then
 * cells by the time at which they were written (the latest of their file so far: no file's own order is
 * changed). Of two records of one cell and machine so ordered the last counts, whatever the order in which
 * the files are named. */
#pragma once

#include "harness/records/record/record.h"
#include <jansson.h>

enum { RESULT_SCHEMA = 1, LINE_PLACE_BYTES = STATUS_TEXT_BYTES / 2 };

typedef struct ResultLine {
    const json_t *json;
    const char *path; /* of its file, borrowed from the caller */
    size_t number;    /* in its file, from 1 */
    int file;         /* 0, 1, ... */
    bool is_environment;
    char time[TIME_STAMP_BYTES]; /* as ordered by */
} ResultLine;

typedef struct ResultLines {
    ResultLine *items; /* [count], owned, as are the files that they borrow from */
    size_t count;
    json_t **files;
    int file_count;
} ResultLines;

/* Reads the files. STATUS_BAD_INPUT with the file and the line: no line of a result file (results.h), or of
 * another schema than this program's; and for a file that holds no line. A torn last line is left out and
 * counted in torn [count]; where torn is NULL it is refused, with what can be done. Release with
 * result_lines_clear, which takes {0} too; on failure there is nothing to release. */
Status result_lines_read(const char *const *paths, int count, ResultLines *out, bool *torn);
void result_lines_clear(ResultLines *lines);

/* Appends the lines of one more file, in its own order; takes the array over. STATUS_BAD_INPUT as above; the
 * lines are still to be cleared. */
Status result_lines_add(ResultLines *lines, const char *path, json_t *objects);

/* "run.jsonl:3", for messages. */
void result_line_place(const ResultLine *line, char place[LINE_PLACE_BYTES]);
