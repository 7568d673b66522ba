/* The files of a report: naming, writing and copying. */
#pragma once

#include "datasets/io/file_name.h"

/* Room for a name made from a text, with a prefix and the number of a machine. */
enum { FIGURE_NAME_BYTES = FILE_NAME_BYTES + 32 };

/* Open folder/name.extension for writing, and close it (NULL: it is not open). Closing returns `before`
 * unless `before` is OK and the file could not be written. */
Status report_file_open(const char *folder, const char *name, const char *extension, FILE **file);
Status report_file_close(FILE *file, const char *name, Status before);

/* Appends one of the program's own files, by its path below environment_home. *there: whether it exists; if
 * `there` is NULL, a missing file is STATUS_SYSTEM. */
Status home_file_append(const char *path, FILE *out, bool *there);
