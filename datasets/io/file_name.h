/* Names of files, which are also ids of HTML, made from texts of any origin. */
#pragma once

#include "datasets/base/base.h"

enum { FILE_NAME_BYTES = 80 };

/* Writes `start`, a constant or a checked name, and after it a name made from the whole of `text`: at most
 * FILE_NAME_BYTES - 1 characters of a-z, 0-9, '-' and '_', the first of which is a letter or a digit.
 * A text that is such a name without "--" stays as it is. Any other text ends with "--" and 16 digits of its
 * SHA-256, so two different texts never have one name. `start` is cut after FILE_NAME_BYTES / 2. */
void file_name_from_text(const char *start, const char *text, char name[FILE_NAME_BYTES]);
