/* Converts arbitrary texts to file names, which can also be used as HTML ids. */
#pragma once

#include "datasets/base/base.h"

enum { FILE_NAME_BYTES = 80 };

/* Writes `start` (a constant or a checked name) followed by a name made from `text`. This name has at most
 * FILE_NAME_BYTES - 1 characters of a-z, 0-9, '-' and '_' and begins with a letter or digit. A text that is
 * already such a name and does not contain "--" is used unchanged. Any other name ends with "--" and 16
 * digits of the text's SHA-256, so different texts get different names. `start` is truncated to
 * FILE_NAME_BYTES / 2. */
void file_name_from_text(const char *start, const char *text, char name[FILE_NAME_BYTES]);
