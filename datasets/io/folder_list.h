/* A list of the files that skinbench wrote into a folder, stored in that folder. A folder is replaced only
 * if it contains no other files. Each line has the SHA-256 of a file and its path in the folder, so that
 * `sha256sum -c skinbench-files.txt` can check them. The list is untrusted, so its paths are never opened.
 * Instead, each file of the folder is looked up in the list. It counts as listed only if its bytes are
 * unchanged. */
#pragma once

#include "datasets/base/base.h"

/* Writes the list into a finished folder. Returns 0 or an errno. */
int folder_list_write(const char *folder);

/* Checks that the folder is empty, or has a list that contains all of its files. Links are not followed.
 * STATUS_BAD_INPUT if a file is unlisted or changed, if this process has read one of the files, or if the
 * folder has no list or is the current folder. The message names the file or the reason. `given` is the
 * folder's name in messages. */
Status folder_list_check(const char *folder, const char *given);
