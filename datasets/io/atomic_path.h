/* Files and folders that appear under their name only when they are whole: work happens under a temporary
 * name in the same folder (so that a rename is one step), which is renamed or removed at the end. */
#ifndef SKINBENCH_IO_ATOMIC_PATH_H
#define SKINBENCH_IO_ATOMIC_PATH_H

#include "datasets/base/status.h"

typedef struct AtomicPath {
    char *final;     /* NULL after commit or discard */
    char *temporary; /* where to write: `.NAME.PID-N.tmp` beside the final name; nothing is there yet */
} AtomicPath;

/* Chooses the temporary name. STATUS_BAD_INPUT for a path whose folder is not there, STATUS_MACHINE when
 * memory is out. */
Status atomic_path_start(const char *path, AtomicPath *out);

/* Flushes the finished file to the disk and renames it over whatever had the final name. On failure the
 * temporary file is removed. */
Status atomic_path_commit_file(AtomicPath *path);

/* The same for a finished folder of plain files; refuses when something has the final name already. */
Status atomic_path_commit_folder(AtomicPath *path);

/* Removes the temporary file or folder, if it is there. Legal after a commit and on {0}. */
void atomic_path_discard(AtomicPath *path);

/* Removes a folder with all that is in it, or a file; links are not followed. */
void folder_remove(const char *path);

#endif
