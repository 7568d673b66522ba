/* Reads the members of an archive one after another, with libarchive in its own process (confined.h). */
#pragma once

#include "datasets/base/base.h"

typedef struct ArchiveReader ArchiveReader;

/* Whether a name is that of one compressed file: it ends in .gz, .bz2, .xz, .lzma or .zst, but not in
 * .tar.gz or the like. */
bool archive_path_packs_one(const char *path);

/* Opens tar (plain, gzip, bzip2, xz, lzma, zstd), zip and 7z, or a single compressed file as the only
 * member. The members may unpack to the largest of 64 MB, 200 times the archive, and --memory-limit
 * (datasets/base/memory.h). Beyond that the functions below return STATUS_BAD_INPUT, before unpacking if
 * the size is announced. Release with archive_reader_close. */
Status archive_reader_open(const char *path, ArchiveReader **out);
void archive_reader_close(ArchiveReader *reader);
DEFINE_OWNED_BY(ArchiveReader, archive_reader_close)

/* Advances to the next plain file, or to a link once there are no more files. *name is NULL at the end, and
 * valid until the next call. The process unpacks ahead. */
Status archive_reader_next(ArchiveReader *reader, const char **name);

/* Reads the current member's bytes, followed by a NUL. A link has the bytes of its target. Release *text
 * with memory_free. STATUS_BAD_INPUT also if only this member cannot be read: it is encrypted, or a link
 * out of the archive. */
Status archive_reader_text(ArchiveReader *reader, char **text, size_t *length);

/* Returns the share of the archive that has been read, from 0 to 1. */
double archive_reader_share(const ArchiveReader *reader);
