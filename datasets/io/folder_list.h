/* A list of the files that skinbench wrote into a folder, stored in the folder. A folder is replaced only
 * if it holds nothing else. Each line has the SHA-256 of a file and its path in the folder, so that
 * `sha256sum -c skinbench-files.txt` can check it.
 *
 * The list is untrusted, so its paths are never opened. Instead, the folder's files are looked up in the
 * list. A file counts only if its bytes are unchanged. */
#pragma once

#include "datasets/base/base.h"

/* Writes the list into a finished folder. Returns 0 or an errno. */
int folder_list_write(const char *folder);

/* Checks that the folder is empty, or has a list and only files in that list. Links are not followed.
 * STATUS_USAGE names an unlisted or changed file, or one that this process has read, or says that the
 * folder has no list or is the current folder. `given` is the folder's name in messages. */
Status folder_list_check(const char *folder, const char *given);
