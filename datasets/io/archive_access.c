/* Archive members as texts, through libarchive. */
#include "datasets/io/archive_access.h"

#include "datasets/base/memory.h"
#include "datasets/io/input_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

struct ArchiveReader {
    struct archive *archive;
    char *path;
    const char *member;
    int file;
    double size_bytes;     /* of the archive */
    double before_bytes;   /* of earlier members: announced, or read where that is more */
    double member_bytes;   /* of this one */
    double unpacked_limit; /* of all members, and of the tar file in a compressed one */
};

/* Sequences of text pack to a twentieth or, where a mesh stands still, less; this is far beyond. */
static const double UNPACKED_PER_BYTE = 200.0, UNPACKED_BYTES = 64.0 * (1 << 20);
static const double MEMBER_HEADER_BYTES = 512.0; /* as in tar: empty members count too */

static Status archive_failure(const ArchiveReader *reader)
{
    const char *reason = archive_error_string(reader->archive);
    if (archive_errno(reader->archive) == ENOMEM)
        return status_out_of_memory(reader->path);
    return status_make(STATUS_BAD_INPUT, "%s%s%s: cannot be read: %s", reader->path,
                       reader->member ? ":" : "", reader->member ? reader->member : "",
                       reason ? reason : "no reason given");
}

/* Refuses what unpacks to far more than it is; a member's announced size before any of it is unpacked. */
static Status unpacked_check(const ArchiveReader *reader)
{
    const double unpacked =
        fmax((double)archive_filter_bytes(reader->archive, 0), reader->before_bytes + reader->member_bytes);
    if (unpacked <= reader->unpacked_limit)
        return status_ok();
    return status_make(
        STATUS_BAD_INPUT,
        "%s%s%s: unpacks to more than %.0f MB, %.0f times the %.0f bytes of the archive; if that is "
        "meant, say so by --memory-limit SIZE",
        reader->path, reader->member ? ":" : "", reader->member ? reader->member : "",
        reader->unpacked_limit / (1 << 20), floor(unpacked / reader->size_bytes), reader->size_bytes);
}

Status archive_reader_open(const char *path, ArchiveReader **out)
{
    enum { BLOCK_BYTES = 1 << 16 };
    *out = NULL;
    ArchiveReader *reader = memory_array(1, sizeof *reader);
    if (!reader)
        return status_out_of_memory("an archive");
    reader->file = -1;
    Status status = input_file_open(path, &reader->file, &reader->size_bytes);
    if (status.code != STATUS_OK) {
        archive_reader_close(reader);
        return status;
    }
    reader->unpacked_limit =
        fmax(fmax(UNPACKED_PER_BYTE * reader->size_bytes, UNPACKED_BYTES), (double)memory_limit());
    reader->path = memory_text(path);
    reader->archive = archive_read_new();
    if (!reader->path || !reader->archive) {
        archive_reader_close(reader);
        return status_out_of_memory("an archive");
    }
    int (*const support[])(struct archive *) = {
        archive_read_support_format_tar,  archive_read_support_format_zip,   archive_read_support_format_7zip,
        archive_read_support_filter_gzip, archive_read_support_filter_bzip2, archive_read_support_filter_xz,
        archive_read_support_filter_lzma, archive_read_support_filter_zstd};
    for (size_t i = 0; i < sizeof support / sizeof *support; i++)
        if (support[i](reader->archive) == ARCHIVE_FATAL) {
            archive_reader_close(reader);
            return status_out_of_memory("an archive");
        }
    if (archive_read_open_fd(reader->archive, reader->file, BLOCK_BYTES) != ARCHIVE_OK) {
        status = archive_failure(reader);
        archive_reader_close(reader);
        return status;
    }
    *out = reader;
    return status_ok();
}

void archive_reader_close(ArchiveReader *reader)
{
    if (!reader)
        return;
    archive_read_free(reader->archive);
    if (reader->file >= 0)
        close(reader->file);
    memory_free(reader->path);
    memory_free(reader);
}

Status archive_reader_next(ArchiveReader *reader, const char **name)
{
    *name = NULL;
    for (;;) {
        struct archive_entry *entry = NULL;
        reader->member = NULL;
        int answer = archive_read_next_header(reader->archive, &entry);
        if (answer == ARCHIVE_EOF)
            return status_ok();
        if (answer != ARCHIVE_OK && answer != ARCHIVE_WARN)
            return archive_failure(reader);
        reader->member = archive_entry_pathname_utf8(entry);
        if (!reader->member)
            reader->member = archive_entry_pathname(entry);
        reader->before_bytes += MEMBER_HEADER_BYTES + reader->member_bytes;
        reader->member_bytes =
            archive_entry_size_is_set(entry) ? fmax((double)archive_entry_size(entry), 0.0) : 0.0;
        Status status = unpacked_check(reader);
        if (status.code != STATUS_OK)
            return status;
        if (archive_entry_filetype(entry) != AE_IFREG)
            continue;
        if (!reader->member)
            return status_make(status_code_of(errno, STATUS_BAD_INPUT), "%s: a member's name cannot be read",
                               reader->path);
        *name = reader->member;
        return status_ok();
    }
}

Status archive_reader_text(ArchiveReader *reader, char **text, size_t *length)
{
    enum { FIRST_BYTES = 1 << 16 };
    /* One byte more than announced, so that the end is met without growing. */
    size_t used = 0, capacity = reader->member_bytes > 0.0 ? (size_t)reader->member_bytes + 1 : FIRST_BYTES;
    char *bytes = memory_array(capacity + 1, 1);
    Status status = bytes ? status_ok() : status_out_of_memory(reader->path);
    *text = NULL;
    *length = 0;
    STATUS_TRY(status);
    for (;;) {
        la_ssize_t got = archive_read_data(reader->archive, bytes + used, capacity - used);
        if (got < 0)
            STATUS_TRY(archive_failure(reader));
        if (got == 0)
            break;
        used += (size_t)got;
        reader->member_bytes = fmax(reader->member_bytes, (double)used);
        STATUS_TRY(unpacked_check(reader));
        if (used == capacity) {
            char *larger = memory_array(2 * capacity + 1, 1);
            if (!larger)
                STATUS_TRY(status_out_of_memory(reader->path));
            memcpy(larger, bytes, used);
            memory_free(bytes);
            bytes = larger;
            capacity *= 2;
        }
    }
    bytes[used] = '\0';
    *text = bytes;
    *length = used;
    bytes = NULL;
done:
    memory_free(bytes);
    return status;
}
