/* flock is not in POSIX, but every libc has it. Its lock belongs to the open file description, so it
 * survives when another part of the process opens and closes the file. */
#define _DEFAULT_SOURCE
#include "harness/records/files/results.h"

#include "datasets/io/atomic_path.h"
#include "datasets/io/input_file.h"
#include <sys/file.h>
#include <sys/stat.h>

struct ResultsFile {
    FILE *stream; /* stream for reading; lines are appended by write() on its descriptor */
    char *path;
    bool torn; /* torn: whether the file has an incomplete last line. It begins at byte `whole` and must still
                  be removed. */
    size_t whole; /* length in bytes of the complete lines */
};

/* Whether a torn line begins like the first line of a result file. Used if a file has only one line and
 * that line is torn: it is cut only if it begins so, because otherwise the file may belong to another
 * program. */
static bool begins_as_ours(const char *line, size_t length)
{
    static const char *const heads[] = {"{\"schema\":", "{\"journal\":"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        const size_t head = strlen(heads[i]);
        if (memcmp(line, heads[i], size_min(length, head)) == 0)
            return true;
    }
    return false;
}

/* Passes the complete lines to `read` in batches. *whole receives their total length in bytes. *torn is set
 * if there is text after the last newline. */
static Status lines_give(FILE *stream, const char *path, ResultsReader *read, void *context, size_t *whole,
                         bool *torn)
{
    enum { BUFFER_BYTES = 1 << 20, BATCH = 256 };
    LOCAL_ARRAY(ResultText, batch, BATCH, "results");
    OWNED char *buffer = NULL;
    size_t capacity = 0, used = 0, got = 1, number = 1;
    *torn = false;
    *whole = 0;
    while (got > 0) {
        if (used == capacity) { /* a single line fills the buffer */
            char *larger = memory_array(capacity > 0 ? 2 * capacity : BUFFER_BYTES, 1);
            ALLOCATED(larger, "results");
            if (used > 0)
                memcpy(larger, buffer, used);
            memory_free(buffer);
            buffer = larger;
            capacity = capacity > 0 ? 2 * capacity : BUFFER_BYTES;
        }
        got = fread(buffer + used, 1, capacity - used, stream);
        if (ferror(stream))
            return status_make(STATUS_SYSTEM, "%s: %s", path, strerror(errno));
        used += got;
        size_t from = 0, count = 0;
        for (const char *end = buffer; end;) {
            end = memchr(buffer + from, '\n', used - from);
            const size_t length = end ? (size_t)(end - buffer) - from : used - from;
            if (length >= JSON_TEXT_BYTES_MAX)
                return bad_input("%s:%zu: the line is longer than %d bytes", path, number,
                                 JSON_TEXT_BYTES_MAX);
            if (end) {
                batch[count++] = (ResultText){buffer + from, length, number++};
                from += length + 1;
            }
            if (count == BATCH || (!end && count > 0)) {
                STATUS_TRY(read(context, batch, count));
                count = 0;
            }
        }
        memmove(buffer, buffer + from, used - from);
        used -= from;
        *whole += from;
    }
    *torn = used > 0;
    if (*torn && number == 1 && !begins_as_ours(buffer, used))
        return bad_input("%s:1: is not a line of a result file, and does not end with a newline", path);
    return status_ok();
}

Status result_text_read(const ResultText *line, const char *path, JsonLines *lines, json_t **out)
{
    char where[STATUS_TEXT_BYTES / 2];
    snprintf(where, sizeof where, "%s:%zu", path, line->number);
    const Status status = json_line_read(lines, line->text, line->length, where, out);
    if (status.code == STATUS_BAD_INPUT && line->number == 1)
        return bad_input("%s; expected a result file, as `skinbench bench` and `table` write it",
                         status.text);
    STATUS_TRY(status);
    return json_is_object(*out) ? status_ok() : bad_input("%s: the line is not a JSON object", where);
}

Status results_each(const char *path, ResultsReader *read, void *context, bool *torn)
{
    size_t whole = 0;
    OWNED_BY(fclose) FILE *stream = NULL;
    STATUS_TRY(input_stream_open(path, &stream, NULL));
    return lines_give(stream, path, read, context, &whole, torn);
}

/* Opens and locks the file at `final`. *moved is set if another file has taken that name before the lock
 * was obtained. Lines must then not be appended to the locked file, because they would be lost. */
static Status file_lock(const char *path, const char *final, ResultsFile **out, bool *moved)
{
    struct stat opened_file, named;
    OWNED_BY(results_close) ResultsFile *file = NULL;
    ALLOCATE(file, 1, "a result file");
    COPY_TEXT(file->path, path, "a result file");
    /* Open only regular files, and create the file if there is none. Merely opening a device may trigger
     * it, and opening a FIFO may block. */
    enum { READ_WRITE_ALL = 0666 };
    const int opened =
        open(final, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, READ_WRITE_ALL);
    file->stream = opened >= 0 ? fdopen(opened, "a+") : NULL;
    if (!file->stream) {
        const int error = errno;
        if (opened >= 0)
            close(opened);
        return status_make(status_code_of(error, STATUS_BAD_INPUT), "%s: cannot be written: %s", path,
                           strerror(error));
    }
    if (flock(fileno(file->stream), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return status_make(STATUS_SYSTEM, "%s: another run is writing to it", path);
        return status_make(STATUS_SYSTEM,
                           "%s: cannot be locked: %s; choose a file system that has locks (Lustre: mounted "
                           "with 'flock')",
                           path, strerror(errno));
    }
    *moved = fstat(fileno(file->stream), &opened_file) != 0 || stat(final, &named) != 0 ||
             named.st_ino != opened_file.st_ino || named.st_dev != opened_file.st_dev;
    if (!*moved)
        *out = TAKE(file);
    return status_ok();
}

Status results_lock(const char *path, ResultsFile **out)
{
    enum { TRIES = 100 };
    OWNED char *final = NULL, *folder = NULL;
    bool moved = true;
    *out = NULL;
    STATUS_TRY(output_path_resolve(path, OUTPUT_FILE, &final));
    folder = output_path_folder(final);
    ALLOCATED(folder, "a result file");
    temporary_folders_sweep(folder);
    for (int i = 0; i < TRIES && moved; i++)
        STATUS_TRY(file_lock(path, final, out, &moved));
    return moved ? status_make(STATUS_SYSTEM,
                               "%s: the file cannot be opened, because other runs keep replacing it", path)
                 : status_ok();
}

Status results_open(const char *path, ResultsReader *read, void *context, ResultsFile **out, bool *torn)
{
    OWNED_BY(results_close) ResultsFile *file = NULL;
    *out = NULL;
    STATUS_TRY(results_lock(path, &file));
    rewind(file->stream);
    STATUS_TRY(lines_give(file->stream, path, read, context, &file->whole, torn));
    file->torn = *torn;
    *out = TAKE(file);
    return status_ok();
}

void results_close(ResultsFile *file)
{
    if (!file)
        return;
    if (file->stream)
        fclose(file->stream);
    FREE_ALL(file->path, file);
}

void results_remove(ResultsFile *file)
{
    if (file)
        unlink(file->path);
    results_close(file);
}

char *results_line(const json_t *record, size_t *length)
{
    char *text = json_dumps(record, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
    *length = text ? strlen(text) + 1 : 0;
    if (text)
        text[*length - 1] = '\n'; /* the newline takes the place of the NUL that ended the text */
    return text;
}

Status results_append(ResultsFile *file, json_t *record, bool durable)
{
    size_t length = 0;
    OWNED_BY(free) char *text = results_line(record, &length);
    json_decref(record);
    ALLOCATED(text, "a result");
    struct stat before;
    const int descriptor = fileno(file->stream);
    if (file->torn && ftruncate(fileno(file->stream), (off_t)file->whole) != 0)
        return status_make(STATUS_SYSTEM, "%s: cannot cut its torn last line: %s", file->path,
                           strerror(errno));
    file->torn = false;
    if (fstat(descriptor, &before) != 0)
        return status_make(STATUS_SYSTEM, "%s: %s", file->path, strerror(errno));
    ssize_t written = write(descriptor, text, length);
    if (written >= 0 &&
        written <
            (ssize_t)length) /* if only a part was written, writing the remaining bytes shows the error */
        written = write(descriptor, text + written, length - (size_t)written) < 0 ? -1 : 0;
    if (written != (ssize_t)length) {
        const int error = written < 0 ? errno : ENOSPC;
        (void)!ftruncate(descriptor, before.st_size); /* if this fails, the next run cuts the torn line */
        return status_make(STATUS_SYSTEM, "%s: cannot append a result: %s", file->path, strerror(error));
    }
    if (durable && fsync(descriptor) != 0 && errno != EINVAL)
        return status_make(STATUS_SYSTEM, "%s: %s", file->path, strerror(errno));
    return status_ok();
}
