/* Reading the members of an archive one after the other, through libarchive, in a process of its own
 * (confined.h). */
#pragma once

#include "datasets/base/base.h"

typedef struct ArchiveReader ArchiveReader;

/* Whether a name ends as that of one packed file: .gz, .bz2, .xz, .lzma or .zst, but not .tar.gz and so on.
 */
bool archive_path_packs_one(const char *path);

/* Opens tar (plain, gzip, bzip2, xz, lzma, zstd), zip and 7z, and one packed file as its only member. Release
 * with archive_reader_close. All members together may unpack to 64 MB or 200 times the archive, whichever is
 * more, or to --memory-limit where that was given and is more still (datasets/base/memory.h); beyond that the
 * functions below refuse it, STATUS_BAD_INPUT, before it is unpacked where its size is announced. */
Status archive_reader_open(const char *path, ArchiveReader **out);
void archive_reader_close(ArchiveReader *reader);
DEFINE_OWNED_BY(ArchiveReader, archive_reader_close)

/* Steps to the next plain file and, after all of these, to the links. *name is NULL at the end, and valid
 * until the next step. The process unpacks ahead. */
Status archive_reader_next(ArchiveReader *reader, const char **name);

/* Reads the current member's bytes, followed by a NUL; a link gives what it leads to. Release *text with
 * memory_free. STATUS_BAD_INPUT if only this member cannot be read: a link out of the archive, or an
 * encrypted file. */
Status archive_reader_text(ArchiveReader *reader, char **text, size_t *length);

/* How much of the archive has been read, 0 to 1. */
double archive_reader_share(const ArchiveReader *reader);
