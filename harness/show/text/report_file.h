/* Names, writes and copies the files of a report. */
#pragma once

#include "datasets/io/file_name.h"

/* Size of a file name that is made from a text, with a prefix and a machine's number. */
enum { FIGURE_NAME_BYTES = FILE_NAME_BYTES + 32 };

/* Open folder/name.extension for writing, and close it. A file that is not open is NULL. Closing returns
 * `before` if that is an error, and otherwise whether the file could be written. */
Status report_file_open(const char *folder, const char *name, const char *extension, FILE **file);
Status report_file_close(FILE *file, const char *name, Status before);

/* Appends one of the program's own files, given by its path below environment_home. *there tells whether
 * the file exists. If `there` is NULL, a missing file fails with STATUS_SYSTEM. */
Status home_file_append(const char *path, FILE *out, bool *there);
