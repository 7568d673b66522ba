/* The files of a report: their names, writing them, and what is copied into them. */
#pragma once

#include "datasets/io/file_name.h"

/* Room for a name made from a text, a word before it and the number of a machine behind it. */
enum { FIGURE_NAME_BYTES = FILE_NAME_BYTES + 32 };

/* Opens folder/name.extension for writing; closes it (NULL: it is not open), and returns `before` unless that
 * is OK and the file could not be written. */
Status report_file_open(const char *folder, const char *name, const char *extension, FILE **file);
Status report_file_close(FILE *file, const char *name, Status before);

/* Appends a file of ours, by its path below environment_home. *there: whether it is there; where that is NULL
 * it has to be, else STATUS_SYSTEM. */
Status home_file_append(const char *path, FILE *out, bool *there);
