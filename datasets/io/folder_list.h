/* The list of what skinbench wrote into a folder, in the folder itself: only a folder that holds nothing else
 * is ever replaced. A line for each file has its SHA-256 and its path in the folder, as `sha256sum -c
 * skinbench-files.txt` reads it. The list may come from a stranger, so no path in it is ever opened: the
 * folder's own files are looked up in the list. A file counts only if its bytes are those that were written.
 */
#pragma once

#include "datasets/base/base.h"

/* Writes the list into a finished folder. Returns 0 or an errno. */
int folder_list_write(const char *folder);

/* Checks that the folder is empty, or holds a list and only files that are in it. Follows no links.
 * STATUS_USAGE names what else is there, what was changed since, a file that this process has read, or says
 * that the folder has no list or is the current one. `given` is the folder's name in messages. */
Status folder_list_check(const char *folder, const char *given);
