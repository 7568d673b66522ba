/* Temporary folders with an owner. Each is named `.skinbench-XXXXXX`, and its process keeps it locked
 * (flock). The lock belongs to the open folder, so it ends with the process, however that ends. A folder
 * that is not locked was therefore left behind by a killed process. The next process that makes a temporary
 * folder in the same place removes it. Process numbers could not identify owners, because they are reused.
 * If a file system cannot lock folders (NFS), only the owner removes a folder. */
#pragma once

#include "datasets/base/base.h"

typedef struct TemporaryFolder TemporaryFolder;

/* Returns the folder in which the program puts its temporary files: the value of TMPDIR, or /tmp if that is
 * unset or empty. */
const char *temporary_folder_parent(void);

/* Creates a folder in `parent` ("" for the current folder; a trailing slash is optional), after removing
 * the folders that dead processes left there. `user` is the path that messages name. STATUS_BAD_INPUT if
 * the parent cannot be written, STATUS_SYSTEM if memory or disk space ran out. Release with
 * temporary_folder_remove. */
Status temporary_folder_make(const char *parent, const char *user, TemporaryFolder **out);

/* Returns the path of the folder without a trailing slash. Valid until the folder is removed. */
const char *temporary_folder_path(const TemporaryFolder *folder);

/* Removes the folder and its contents. NULL is allowed. */
void temporary_folder_remove(TemporaryFolder *folder);
DEFINE_OWNED_BY(TemporaryFolder, temporary_folder_remove)

/* Removes the folders that dead processes left in `parent`. A folder counts as left behind if it is named
 * `.skinbench-XXXXXX`, belongs to this user, is not a link, and is not locked. */
void temporary_folders_sweep(const char *parent);

/* Calls `visit` with the path of every folder that temporary_folders_sweep would remove. */
void temporary_folders_left(const char *parent, void (*visit)(void *context, const char *path),
                            void *context);

/* Renames a finished file or folder from its temporary to its final name. An existing file is replaced. If
 * `replace` is set, an existing folder is replaced as well: it gets the temporary name, in the same step if
 * the file system supports this (renameat2). Returns 0 or an errno; ECANCELED if an interrupt came
 * first. */
int temporary_rename(const char *temporary, const char *final, bool replace);

/* Undoes a temporary_rename that replaced a folder: the two exchange their names again, even after an
 * interrupt. Returns 0 or an errno. */
int temporary_rename_undo(const char *temporary, const char *final);

/* After an interrupt, stops temporary_rename from renaming anything; `false` allows it again. May be called
 * in a signal handler. */
void temporary_renames_forbid(bool forbidden);

/* Removes all temporary folders that this process made, for a process that ends without returning.
 * Afterwards no thread can make, rename or remove temporary folders, so the caller must call _exit. */
void temporary_folders_remove_all(void);

/* Removes a file, or a folder with its contents. Links are not followed. */
void folder_remove(const char *path);
