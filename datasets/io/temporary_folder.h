/* Temporary folders that have an owner: `.skinbench-XXXXXX`, locked by the process that works in it for as
 * long as it lives. One that can be locked is what a killed process left behind, and is removed by the next
 * process that makes one in the same place.
 *
 * The lock is flock's: it belongs to the open folder, so it ends with its process, however that ends, and is
 * no concern of process numbers, which come back. Where a file system cannot lock folders (NFS), nothing is
 * removed but by its owner. */
#pragma once

#include "datasets/base/base.h"

typedef struct TemporaryFolder TemporaryFolder;

/* Makes one in `parent` ("": the current folder; else with or without a slash at its end), after removing
 * what dead processes left there. `user` is the path that messages name. STATUS_SYSTEM when none can be
 * made. Release with temporary_folder_remove. */
Status temporary_folder_make(const char *parent, const char *user, TemporaryFolder **out);

/* Without a slash at the end. Valid until the folder is removed. */
const char *temporary_folder_path(const TemporaryFolder *folder);

/* Removes the folder with all that is in it. NULL is allowed. */
void temporary_folder_remove(TemporaryFolder *folder);

/* Removes what dead processes left in `parent`: real folders of this user whose lock is free. */
void temporary_folders_sweep(const char *parent);

/* The same folders, each given to `visit` rather than removed. */
void temporary_folders_left(const char *parent, void (*visit)(void *context, const char *path),
                            void *context);

/* Gives what stands in a temporary folder its final name, which may be a file's already. `replace`: or a
 * folder's, which then takes the temporary name, in the same step where the file system can do that
 * (renameat2's exchange). Returns 0 or an errno; ECANCELED: an interrupt came first. */
int temporary_rename(const char *temporary, const char *final, bool replace);

/* From now on temporary_rename renames nothing: an interrupt has arrived. May be called in a signal handler.
 * `false` ends this. */
void temporary_renames_forbid(bool forbidden);

/* For a process that ends without returning from what it does: removes all temporary folders that it made,
 * and lets no thread make, rename or remove one any more. The caller ends the process next, by _exit. */
void temporary_folders_remove_all(void);

/* Removes a folder with all that is in it, or a file; links are not followed. */
void folder_remove(const char *path);
