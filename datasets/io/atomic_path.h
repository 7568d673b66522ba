/* Files and folders that appear under their final name only when they are complete. They are written in a
 * temporary folder beside the final name, and a single rename moves them to it. The temporary folder is
 * then removed. If the process is killed earlier, the next process that writes there removes it
 * (temporary_folder.h). Output may go to a new name, or replace a plain file (or folder). Devices, FIFOs
 * and sockets are never replaced. */
#pragma once

#include "datasets/io/stream.h"
#include "datasets/io/temporary_folder.h"

typedef enum OutputKind {
    OUTPUT_FILE,
    OUTPUT_UPDATE,       /* a file that is rewritten, and that this process may therefore have read before */
    OUTPUT_FOLDER,       /* a new folder */
    OUTPUT_LISTED_FOLDER /* a folder with a list of its files, which may replace an older such folder
                            (folder_list.h) */
} OutputKind;

/* Finds the path to which output for `path` is written: follows links to the last target, which need not
 * exist, and drops trailing slashes. The links themselves are not replaced. Release *out with memory_free;
 * if `out` is NULL, the path is only checked. The message of STATUS_BAD_INPUT names the missing folder, or
 * the file or folder that must not be replaced. */
Status output_path_resolve(const char *path, OutputKind kind, char **out);

/* Returns the length of a path up to and including its last slash, or 0 for a plain name. */
int output_path_folder_length(const char *path);

/* Copies a path up to and including its last slash ("" for a plain name). Returns NULL if out of memory.
 * Release with memory_free. */
char *output_path_folder(const char *path);

/* Whether a path is longer than `ending`, such as ".h5", and ends with it. */
bool path_ends(const char *path, const char *ending);

typedef struct AtomicPath {
    OutputKind kind;
    char *given;     /* path as the user wrote it, for messages; NULL after commit or discard */
    char *final;     /* path that is replaced at the end; links have been followed */
    char *temporary; /* path to write to, which did not exist before; its last part is the same as that of the
                        final path */
    TemporaryFolder *folder;
    long failures; /* memory_failures() before the work began */
} AtomicPath;

/* Chooses the temporary name. STATUS_BAD_INPUT if the folder is missing or cannot be written, or the target
 * must not be replaced (see output_path_resolve) or is a listed folder with unlisted files; OUTPUT_FOLDER
 * replaces no existing folder. STATUS_USAGE if the target is a file that this process has read
 * (input_file_keep). STATUS_SYSTEM if memory or disk space ran out. */
Status atomic_path_start(const char *path, OutputKind kind, AtomicPath *out);

/* Flushes the finished file or folder to disk and renames it. A file replaces an older one and takes its
 * permissions, unless this process has read the older file. A listed folder gets its list and replaces an
 * older folder, unless the older folder has unlisted files. STATUS_STOPPED after an interrupt,
 * STATUS_SYSTEM if an allocation failed since the start. On failure the temporary file or folder is
 * removed. */
Status atomic_path_commit(AtomicPath *path);

/* Removes the temporary file or folder if it exists. Does nothing after a commit or on {0}. */
void atomic_path_discard(AtomicPath *path);
DEFINE_OWNED_BY(AtomicPath, atomic_path_discard)
