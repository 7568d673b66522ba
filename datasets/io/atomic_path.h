/* Files and folders that appear under their name only when they are whole: work happens in a temporary folder
 * beside the final name (so that a rename is one step), which is removed at the end, or, after a kill, by the
 * next process that writes there (temporary_folder.h). Output goes to a name
 * that is free, or that a plain file (or folder) has, which is replaced. A device, a FIFO or a socket is
 * something else than its name, and stays. */
#pragma once

#include "datasets/io/stream.h"
#include "datasets/io/temporary_folder.h"

typedef enum OutputKind {
    OUTPUT_FILE,
    OUTPUT_UPDATE, /* a file that the process may have read, because it is written anew from what was in it */
    OUTPUT_FOLDER, /* a new folder */
    OUTPUT_LISTED_FOLDER /* a folder with a list of its files, by which it can be replaced (folder_list.h) */
} OutputKind;

/* The path that output for `path` is written under: links are followed, to the last one's target, which need
 * not exist (the links stay as they are), and slashes at the end are left out. *out is for memory_free; `out`
 * may be NULL: only the check is wanted. STATUS_BAD_INPUT says what stands there that is not replaced, or
 * which folder is missing. */
Status output_path_resolve(const char *path, OutputKind kind, char **out);

/* The part of a path before its last name, with its slash, as a length; 0 for a plain name. */
int output_path_folder_length(const char *path);

/* A copy of that part, "" for a plain name; for memory_free. NULL: out of memory. */
char *output_path_folder(const char *path);

/* Whether a path ends with `ending`, such as ".h5", and is longer. */
bool path_ends(const char *path, const char *ending);

typedef struct AtomicPath {
    OutputKind kind;
    char *given;     /* the path as the user wrote it, for messages; NULL after commit or discard */
    char *final;     /* what is replaced: links followed */
    char *temporary; /* where to write: of the same last name; nothing is there yet */
    TemporaryFolder *folder;
    long failures; /* of memory, before the work began */
} AtomicPath;

/* Chooses the temporary name. STATUS_BAD_INPUT for a path whose folder is not there or where something stands
 * that is not replaced (output_path_resolve), such as any folder for OUTPUT_FOLDER. STATUS_USAGE for a file
 * that this process has read (input_file_keep), or for a listed folder that holds what is not in its list.
 * STATUS_SYSTEM when nothing can be written there or out of memory. */
Status atomic_path_start(const char *path, OutputKind kind, AtomicPath *out);

/* Flushes the finished file or folder of plain files to the disk and renames it to the final name. A file
 * replaces the one of that name, whose permissions it takes, unless this process has read that meanwhile. A
 * listed folder gets the list of its files, and replaces the one of that name unless that holds what is not
 * in its own list. STATUS_STOPPED when an interrupt has arrived before, STATUS_SYSTEM when an allocation has
 * failed since the start: something may be missing. On failure the temporary file or folder is removed. */
Status atomic_path_commit(AtomicPath *path);

/* Removes the temporary file or folder, if it is there. Legal after a commit and on {0}. */
void atomic_path_discard(AtomicPath *path);
DEFINE_OWNED_BY(AtomicPath, atomic_path_discard)
