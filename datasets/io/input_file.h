/* Opens input files that a user names. Only plain files are opened, and without blocking, because opening a
 * FIFO or a device may wait for its other end or trigger an action. Also finds files by the shell's
 * wildcards (* ? [...]), in any part of the path. A leading dot must be written out. glob is not used
 * because glibc's frees memory twice when out of memory. */
#pragma once

#include "datasets/io/stream.h"

/* Opens a plain file for reading; the caller closes it. size_bytes (may be NULL) is its size.
 * STATUS_BAD_INPUT, with *file -1, if it cannot be opened or is not a plain file, such as a folder, a FIFO
 * or a terminal behind /dev/stdin. */
Status input_file_open(const char *path, int *file, double *size_bytes);

/* For CLEANUP: closes a file opened by input_file_open, if any. */
void descriptor_close(const int *file);

/* Like input_file_open, but opens a stream, which the caller closes with fclose. NULL on failure. */
Status input_stream_open(const char *path, FILE **stream, double *size_bytes);

/* The identity of a file, whatever its name: device, inode and time of birth. The time is needed because
 * inode numbers are reused after a file is deleted. */
typedef struct FileIdentity {
    uint64_t device, inode, born_s, born_ns;
} FileIdentity;

/* Identifies the file at `path` relative to an open folder or AT_FDCWD, or an open file if `path` is "".
 * Returns false and zeros if there is none. */
bool file_identify(int file, const char *path, FileIdentity *out);

/* STATUS_USAGE if this process has opened the file at `path` (relative to an open folder or AT_FDCWD) by
 * the functions above, under any name (links, hard links): a file that was read is never overwritten.
 * atomic_path.h calls this before it replaces a file. `given` is the output's name in the message. */
Status input_file_keep(int folder, const char *path, const char *given);

/* Records that this process has written the file at `path`. It may then replace the file even after reading
 * it. */
void output_file_note(const char *path);

/* Reads a whole plain file into *bytes [*size], followed by a NUL. Release with memory_free.
 * STATUS_BAD_INPUT if the file exceeds `size_max` bytes, or has a NUL among its first bytes or in a hole of
 * a sparse file; then nothing else is read. A binary PLY, known by its first lines, may have NULs. */
Status input_file_read(const char *path, double size_max, char **bytes, size_t *size);

/* Visits every matching path, in no particular order. Folders that cannot be searched are skipped.
 * STATUS_BAD_INPUT if nothing matches, STATUS_SYSTEM if memory or descriptors run out, otherwise the
 * visitor's status. */
Status pattern_each(const char *pattern, Status (*visit)(void *context, const char *path), void *context);
