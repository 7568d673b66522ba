/* Opens input files that a user names. Only plain files are opened. Opening a FIFO or a device could wait
 * for its other end or trigger an action, so files are opened without blocking. Also finds files by the
 * shell's wildcards (* ? [...]) in any part of the path. A pattern matches a leading dot only with a dot.
 * glob() is not used, because in glibc it frees memory twice when out of memory. */
#pragma once

#include "datasets/io/stream.h"

/* Opens a plain file for reading; the caller closes it. *size_bytes (may be NULL) is its size. If the file
 * cannot be opened or is not plain (a folder, a FIFO, a terminal behind /dev/stdin), returns
 * STATUS_BAD_INPUT and sets *file to -1. */
Status input_file_open(const char *path, int *file, double *size_bytes);

/* Closes a file at the end of its scope (CLEANUP). A descriptor of -1 is allowed. */
void descriptor_close(const int *file);

/* Opens a plain file as a stream. Accepts the same files as input_file_open. *stream is NULL on failure.
 * The caller closes it with fclose. */
Status input_stream_open(const char *path, FILE **stream, double *size_bytes);

/* Reads `size` bytes from offset `start` of an open file. Returns how many bytes were read. If they are
 * fewer, errno is that of the failure, or 0 at the end of the file. */
size_t input_bytes_read(int file, int64_t start, size_t size, void *bytes);

/* Returns a failure to open or read a file: "PATH: cannot be `done`: " and the text of errno. */
Status input_failure(const char *path, const char *done);

/* Identifies a file independently of its name, by device, inode and time of creation. Inode numbers alone
 * would not do, because they are reused after a file is deleted. */
typedef struct FileIdentity {
    uint64_t device, inode, born_s, born_ns;
} FileIdentity;

/* Identifies the file at `path`, which is relative to an open folder or to AT_FDCWD. If `path` is "",
 * identifies the open file itself. If there is no file, returns false and sets the identity to zeros. */
bool file_identify(int file, const char *path, FileIdentity *out);

/* Returns STATUS_USAGE if this process has opened the file at `path` (relative to an open folder or
 * AT_FDCWD) by the functions above, under any name or link. atomic_path.h calls this before it replaces a
 * file, so that a file that was read is never overwritten. `given` is the name of the output in the
 * message. */
Status input_file_keep(int folder, const char *path, const char *given);

/* Records that this process has written the file at `path`. The process may then replace the file even
 * after reading it. */
void output_file_note(const char *path);

/* Reads a whole plain file into *bytes [*size] and adds a NUL. Release with memory_free. STATUS_BAD_INPUT
 * if the file exceeds `size_max` bytes or is not text. A NUL in its first bytes or a hole of a sparse file
 * shows that it is not text; the rest is then not read. A binary PLY file, recognised by its first lines,
 * may contain NULs. */
Status input_file_read(const char *path, double size_max, char **bytes, size_t *size);

/* Returns the limit for the memory that the contents of a file take: 64 MB, 200 times the size of the file,
 * or --memory-limit (datasets/base/memory.h), whichever is largest. A small malicious file can announce
 * much. Real data need far less: sequences of text files shrink to a twentieth of their size, or further if
 * the mesh does not move. */
double input_contents_limit(double file_bytes);

/* Calls `visit` with every path that matches the pattern, in no particular order. Folders that cannot be
 * searched are skipped. STATUS_BAD_INPUT if nothing matches, STATUS_SYSTEM if memory or descriptors run
 * out, otherwise the status of `visit`. */
Status pattern_each(const char *pattern, Status (*visit)(void *context, const char *path), void *context);
