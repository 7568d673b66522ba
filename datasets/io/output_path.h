/* Where output may go: to a name that is free, or that a plain file (or folder) has, which is replaced. A
 * device, a FIFO or a socket is something else than its name, and stays. */
#pragma once

#include "datasets/base/status.h"
#include <stdbool.h>

typedef enum OutputKind { OUTPUT_FILE, OUTPUT_FOLDER } OutputKind;

/* The path that output for `path` is written under: links are followed, to the last one's target, which need
 * not exist (the links stay as they are), and slashes at the end are left out. *out is for memory_free; `out`
 * may be NULL: only the check is wanted. STATUS_BAD_INPUT says what stands there that is not replaced, or
 * which folder is missing. */
Status output_path_resolve(const char *path, OutputKind kind, char **out);

/* The part of a path before its last name, with its slash, as a length; 0 for a plain name. */
int output_path_folder_length(const char *path);

/* A copy of that part, "" for a plain name; for memory_free. NULL: out of memory. */
char *output_path_folder(const char *path);

/* Whether a path ends with `ending`, such as ".h5", and is longer. */
bool path_ends(const char *path, const char *ending);
