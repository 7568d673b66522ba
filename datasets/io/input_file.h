/* Opening what a user names as input: only plain files, and without waiting, as opening a FIFO or a device
 * may wait for its other end or act on it. And files whose paths match a pattern with the shell's wildcards
 * (* ? [...]), in any part of the path; a leading dot is matched by a dot alone. In place of glob, which
 * frees memory twice in glibc when it runs out. */
#pragma once

#include "datasets/io/stream.h"

/* Opens a plain file for reading, for close; size_bytes (may be NULL) is its size. STATUS_BAD_INPUT, with
 * *file -1, when it cannot be opened or is anything else, such as a folder, a FIFO or a terminal behind
 * /dev/stdin. */
Status input_file_open(const char *path, int *file, double *size_bytes);

/* Closes a file that input_file_open opened, if any; for CLEANUP. */
void descriptor_close(const int *file);

/* The same as a stream, for fclose; NULL on failure. */
Status input_stream_open(const char *path, FILE **stream, double *size_bytes);

/* What stays the same whatever name a file has: device, inode and time of birth, because an inode's number
 * comes back once its file is gone. */
typedef struct FileIdentity {
    uint64_t device, inode, born_s, born_ns;
} FileIdentity;

/* Of the file at `path`, from the open folder or AT_FDCWD, or of an open file if `path` is "". False, and all
 * 0: there is none. */
bool file_identify(int file, const char *path, FileIdentity *out);

/* STATUS_USAGE if the file at `path`, from the open folder or AT_FDCWD, was opened by the functions above in
 * this process, under whatever name (links, hard links): a file that was read is never overwritten.
 * atomic_path.h asks before it replaces a file. `given` is the output's name in the message. */
Status input_file_keep(int folder, const char *path, const char *given);

/* Notes that this process has written the file at `path`, which it may therefore replace even once it has
 * read it. */
void output_file_note(const char *path);

/* Reads a whole plain file into *bytes [*size], which is followed by a NUL and released with memory_free.
 * STATUS_BAD_INPUT if the file has more than `size_max` bytes, or a NUL among its first bytes or in a hole
 * (of a sparse file): then nothing else is read. A binary PLY, which says so in its first lines, may have
 * them. */
Status input_file_read(const char *path, double size_max, char **bytes, size_t *size);

/* Visits every path that matches, in no order. Folders that cannot be searched are skipped.
 * STATUS_BAD_INPUT when nothing matches, STATUS_SYSTEM when memory or descriptors are out; else what the
 * visitor returns. */
Status pattern_each(const char *pattern, Status (*visit)(void *context, const char *path), void *context);
