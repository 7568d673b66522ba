/* Temporary folders with an owner: each is named `.skinbench-XXXXXX` and locked by its process while that
 * lives. A folder that can be locked was left behind by a killed process, and is removed by the next
 * process that makes one in the same place.
 *
 * The lock is flock's. It belongs to the open folder, so it ends with the process however that ends. Unlike
 * process numbers, locks are not reused. If a file system cannot lock folders (NFS), only the owner removes
 * a folder. */
#pragma once

#include "datasets/base/base.h"

typedef struct TemporaryFolder TemporaryFolder;

/* Creates a folder in `parent` ("": the current folder; a trailing slash is optional), after removing
 * folders that dead processes left there. `user` is the path that messages name. STATUS_SYSTEM on failure.
 * Release with temporary_folder_remove. */
Status temporary_folder_make(const char *parent, const char *user, TemporaryFolder **out);

/* Returns the path without a trailing slash. Valid until the folder is removed. */
const char *temporary_folder_path(const TemporaryFolder *folder);

/* Removes the folder and its contents. NULL is allowed. */
void temporary_folder_remove(TemporaryFolder *folder);

/* Removes the folders that dead processes left in `parent`: real folders of this user whose lock is
 * free. */
void temporary_folders_sweep(const char *parent);

/* Calls `visit` with the folders that temporary_folders_sweep would remove. */
void temporary_folders_left(const char *parent, void (*visit)(void *context, const char *path),
                            void *context);

/* Renames a finished file or folder from its temporary to its final name, and may replace a file. With
 * `replace` it may also replace a folder, which gets the temporary name, in the same step if the file
 * system can (renameat2's exchange). Returns 0 or an errno; ECANCELED if an interrupt came first. */
int temporary_rename(const char *temporary, const char *final, bool replace);

/* After an interrupt, stops temporary_rename from renaming anything. `false` allows it again. May be called
 * in a signal handler. */
void temporary_renames_forbid(bool forbidden);

/* For a process that is about to end without returning: removes all temporary folders that it made, and
 * keeps every thread from making, renaming or removing one. The caller must then call _exit. */
void temporary_folders_remove_all(void);

/* Removes a file, or a folder with its contents. Links are not followed. */
void folder_remove(const char *path);
