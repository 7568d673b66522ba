/* Archive members as texts, through libarchive. */
#include "datasets/io/archive_access.h"

#include "datasets/base/memory.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

struct ArchiveReader {
    struct archive *archive;
    char *path;
    const char *member;
};

/* No text of a frame is larger; what announces or unpacks to more is refused. */
static const size_t MEMBER_BYTES_MAX = (size_t)1 << 32;

static Status archive_failure(const ArchiveReader *reader)
{
    const char *reason = archive_error_string(reader->archive);
    if (archive_errno(reader->archive) == ENOMEM)
        return status_out_of_memory(reader->path);
    return status_make(STATUS_BAD_INPUT, "%s%s%s: cannot be read: %s", reader->path,
                       reader->member ? ":" : "", reader->member ? reader->member : "",
                       reason ? reason : "no reason given");
}

Status archive_reader_open(const char *path, ArchiveReader **out)
{
    enum { BLOCK_BYTES = 1 << 16 };
    *out = NULL;
    ArchiveReader *reader = memory_array(1, sizeof *reader);
    if (!reader)
        return status_out_of_memory("an archive");
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
    if (archive_read_open_filename(reader->archive, path, BLOCK_BYTES) != ARCHIVE_OK) {
        Status status = archive_failure(reader);
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
    memory_free(reader->path);
    memory_free(reader);
}

Status archive_reader_next(ArchiveReader *reader, const char **name)
{
    *name = reader->member = NULL;
    for (;;) {
        struct archive_entry *entry = NULL;
        int answer = archive_read_next_header(reader->archive, &entry);
        if (answer == ARCHIVE_EOF)
            return status_ok();
        if (answer != ARCHIVE_OK && answer != ARCHIVE_WARN)
            return archive_failure(reader);
        if (archive_entry_filetype(entry) != AE_IFREG)
            continue;
        reader->member = archive_entry_pathname_utf8(entry);
        if (!reader->member)
            reader->member = archive_entry_pathname(entry);
        if (!reader->member)
            return status_make(status_code_of(errno, STATUS_BAD_INPUT), "%s: a member's name cannot be read",
                               reader->path);
        *name = reader->member;
        return status_ok();
    }
}

Status archive_reader_text(ArchiveReader *reader, char **text, size_t *length)
{
    size_t used = 0, capacity = 1 << 16;
    char *bytes = memory_array(capacity + 1, 1);
    *text = NULL;
    *length = 0;
    while (bytes) {
        la_ssize_t got = archive_read_data(reader->archive, bytes + used, capacity - used);
        if (got < 0) {
            memory_free(bytes);
            return archive_failure(reader);
        }
        used += (size_t)got;
        if (got == 0) {
            bytes[used] = '\0';
            *text = bytes;
            *length = used;
            return status_ok();
        }
        if (used == MEMBER_BYTES_MAX) {
            memory_free(bytes);
            return status_make(STATUS_BAD_INPUT, "%s:%s: is larger than %zu bytes", reader->path,
                               reader->member, MEMBER_BYTES_MAX);
        }
        if (used == capacity) {
            char *larger = memory_array(2 * capacity + 1, 1);
            if (larger)
                memcpy(larger, bytes, used);
            memory_free(bytes);
            bytes = larger;
            capacity *= 2;
        }
    }
    return status_out_of_memory("a member of an archive");
}
