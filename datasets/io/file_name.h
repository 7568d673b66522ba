/* Splits and joins paths, and makes file names of any texts. These names also serve as HTML ids. */
#pragma once

#include "datasets/base/base.h"

/* Returns the part of a path after its last slash. */
const char *path_name(const char *path);

/* Returns whether a path ends with a suffix such as ".obj", in upper or lower case. */
bool path_has_suffix(const char *path, const char *suffix);

/* Returns the three texts as one, or NULL if out of memory. Release with memory_free. */
char *path_join(const char *first, const char *between, const char *second);

enum { FILE_NAME_BYTES = 80 };

/* Writes a file name that consists of `start` (a constant or a checked name) and a name made from `text`.
 * The latter has at most FILE_NAME_BYTES - 1 characters of a-z, 0-9, '-' and '_', and begins with a letter
 * or digit. If `text` is such a name already and does not contain "--", it is used unchanged. Otherwise the
 * name ends with "--" and 16 digits of the text's SHA-256, so that different texts get different names.
 * `start` is truncated to FILE_NAME_BYTES / 2. */
void file_name_from_text(const char *start, const char *text, char name[FILE_NAME_BYTES]);
