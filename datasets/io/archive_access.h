/* Reads the members of an archive one after another. libarchive does the work in a confined process
 * (confined.h). */
#pragma once

#include "datasets/base/base.h"

typedef struct ArchiveReader ArchiveReader;

/* Whether a name belongs to one compressed file: it ends in .gz, .bz2, .xz, .lzma or .zst, but not in
 * .tar.gz or similar. */
bool archive_path_packs_one(const char *path);

/* Opens an archive: tar (plain, gzip, bzip2, xz, lzma or zstd), zip or 7z. A single compressed file counts
 * as an archive with one member. If the total unpacked size exceeds input_contents_limit, the functions below
 * return STATUS_BAD_INPUT, before unpacking if the archive announces the size. Release with
 * archive_reader_close. */
Status archive_reader_open(const char *path, ArchiveReader **out);
void archive_reader_close(ArchiveReader *reader);
DEFINE_OWNED_BY(ArchiveReader, archive_reader_close)

/* Advances to the next plain file. Links to plain files follow after all others. *name is valid until the
 * next call, and is NULL at the end of the archive. The confined process unpacks ahead in the meantime. */
Status archive_reader_next(ArchiveReader *reader, const char **name);

/* Reads the bytes of the current member, or of its target if the member is a link, and adds a NUL. Release
 * *text with memory_free. STATUS_BAD_INPUT if the archive is damaged, or if this member alone cannot be
 * read. That is the case if it is encrypted or is a link out of the archive. */
Status archive_reader_text(ArchiveReader *reader, char **text, size_t *length);

/* Returns the fraction of the archive that has been read, from 0 to 1. */
double archive_reader_share(const ArchiveReader *reader);
