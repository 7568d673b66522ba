/* Files and folders that appear under their name only once they are complete. They are written in a
 * temporary folder beside the final name, so that one rename suffices. The folder is removed at the end or,
 * if the process was killed, by the next one that writes there (temporary_folder.h). Output may go to a new
 * name, or replace a plain file (or folder). Devices, FIFOs and sockets are never replaced. */
#pragma once

#include "datasets/io/stream.h"
#include "datasets/io/temporary_folder.h"

typedef enum OutputKind {
    OUTPUT_FILE,
    OUTPUT_UPDATE,       /* a file that the process may have read, because it rewrites the contents */
    OUTPUT_FOLDER,       /* a new folder */
    OUTPUT_LISTED_FOLDER /* a folder that lists its files and may be replaced (folder_list.h) */
} OutputKind;

/* Resolves the path to which output for `path` is written: follows links to the last target, which need not
 * exist, and drops trailing slashes. The links themselves stay. Release *out with memory_free; `out` may be
 * NULL for the check alone. STATUS_BAD_INPUT names the missing folder, or what must not be replaced. */
Status output_path_resolve(const char *path, OutputKind kind, char **out);

/* Returns the length of a path up to and including its last slash, or 0 for a plain name. */
int output_path_folder_length(const char *path);

/* Copies a path up to its last slash ("" for a plain name). Release with memory_free. NULL if out of
 * memory. */
char *output_path_folder(const char *path);

/* Whether a path ends with `ending`, such as ".h5", and has more before it. */
bool path_ends(const char *path, const char *ending);

typedef struct AtomicPath {
    OutputKind kind;
    char *given;     /* path as the user wrote it, for messages; NULL after commit or discard */
    char *final;     /* path that is replaced, after following links */
    char *temporary; /* unused path with the same last name, to write to */
    TemporaryFolder *folder;
    long failures; /* allocation failures before the work began */
} AtomicPath;

/* Chooses the temporary name. STATUS_BAD_INPUT if the folder is missing or the target must not be replaced
 * (output_path_resolve), such as any folder for OUTPUT_FOLDER. STATUS_USAGE for a file that this process
 * has read (input_file_keep), or for a listed folder with files that are not in its list. STATUS_SYSTEM if
 * nothing can be written there, or if out of memory. */
Status atomic_path_start(const char *path, OutputKind kind, AtomicPath *out);

/* Flushes the finished file or folder to disk and renames it. A file replaces an older one and takes its
 * permissions, unless this process has read that one. A listed folder gets its list and replaces an older
 * folder, unless that has unlisted files. STATUS_STOPPED after an interrupt, STATUS_SYSTEM if an allocation
 * failed since the start. On failure the temporary file or folder is removed. */
Status atomic_path_commit(AtomicPath *path);

/* Removes the temporary file or folder if it exists. Legal after a commit and on {0}. */
void atomic_path_discard(AtomicPath *path);
DEFINE_OWNED_BY(AtomicPath, atomic_path_discard)
