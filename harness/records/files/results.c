/* flock is older than POSIX and in every libc, but not in POSIX; its locks belong to the open file, so that
 * reading the file elsewhere in the process does not drop them. */
#define _DEFAULT_SOURCE
#include "harness/records/files/results.h"

#include "datasets/io/input_file.h"
#include "datasets/io/json_file.h"
#include "datasets/io/output_path.h"
#include "datasets/io/temporary_folder.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

struct ResultsFile {
    FILE *stream; /* read once; appending is a write() of its descriptor */
    char *path;
    bool torn;    /* its last line, which begins at `whole` and is still to be cut */
    size_t whole; /* bytes of whole lines */
};

/* Whether a torn line, where there is no other, begins as the first one of a file that is written here: a
 * foreign file is not to be cut. */
static bool begins_as_ours(const char *line, size_t length)
{
    static const char *const heads[] = {"{\"schema\":", "{\"journal\":"};
    bool begins = false;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        const size_t head = strlen(heads[i]);
        begins = begins || memcmp(line, heads[i], size_min(length, head)) == 0;
    }
    return begins;
}

/* As getline, but stops at a line that no record is as long as: *length is then beyond
 * JSON_TEXT_BYTES_MAX. */
static bool line_read(FILE *stream, char **line, size_t *capacity, size_t *length)
{
    *length = 0;
    for (int byte = 0;
         byte != '\n' && *length <= JSON_TEXT_BYTES_MAX && (byte = getc_unlocked(stream)) != EOF;) {
        if (*length == *capacity) {
            const size_t grown = *capacity > 0 ? 2 * *capacity : 1 << 12;
            char *larger = memory_array(grown, 1);
            if (!larger)
                return false;
            if (*length > 0)
                memcpy(larger, *line, *length);
            memory_free(*line);
            *line = larger;
            *capacity = grown;
        }
        (*line)[(*length)++] = (char)byte;
    }
    return true;
}

/* Parses whole lines, `whole` bytes of them; what stands after the last newline is torn. */
static Status lines_parse(FILE *stream, const char *path, ResultsReader *read, void *context, size_t *whole,
                          bool *torn)
{
    OWNED char *line = NULL;
    size_t capacity = 0, length = 0;
    *torn = false;
    *whole = 0;
    for (int number = 1;; number++) {
        char where[STATUS_TEXT_BYTES / 2];
        json_auto_t *record = NULL;
        snprintf(where, sizeof where, "%s:%d", path, number);
        if (!line_read(stream, &line, &capacity, &length))
            return status_out_of_memory("results");
        if (ferror(stream))
            return status_make(STATUS_SYSTEM, "%s: %s", path, strerror(errno));
        if (length > JSON_TEXT_BYTES_MAX)
            return status_make(STATUS_BAD_INPUT, "%s: is longer than %d bytes", where, JSON_TEXT_BYTES_MAX);
        *torn = length > 0 && line[length - 1] != '\n';
        if (*torn && number == 1 && !begins_as_ours(line, length))
            return status_make(STATUS_BAD_INPUT, "%s: is not a line of a result file, and has no end", where);
        if (*torn || length == 0)
            return status_ok();
        STATUS_TRY(json_text_read(line, length - 1, where, &record));
        *whole += length;
        if (!json_is_object(record))
            return status_make(STATUS_BAD_INPUT, "%s: not an object", where);
        STATUS_TRY(read(context, record));
    }
}

static Status object_append(void *records, const json_t *object)
{
    return json_array_append(records, (json_t *)object) == 0 ? status_ok() : status_out_of_memory("results");
}

static Status records_load(FILE *stream, const char *path, json_t **records, size_t *whole, bool *torn)
{
    *records = json_array();
    Status status = *records ? lines_parse(stream, path, object_append, *records, whole, torn)
                             : status_out_of_memory("results");
    if (status.code != STATUS_OK) {
        json_decref(*records);
        *records = NULL;
    }
    return status;
}

Status results_read(const char *path, json_t **records, bool *torn)
{
    size_t whole = 0;
    OWNED_BY(fclose) FILE *stream = NULL;
    *records = NULL;
    STATUS_TRY(input_stream_open(path, &stream, NULL));
    return records_load(stream, path, records, &whole, torn);
}

Status results_each(const char *path, ResultsReader *read, void *context, bool *torn)
{
    size_t whole = 0;
    OWNED_BY(fclose) FILE *stream = NULL;
    STATUS_TRY(input_stream_open(path, &stream, NULL));
    return lines_parse(stream, path, read, context, &whole, torn);
}

/* The stream of a file that is a plain one, made if there is none. Nothing else is opened, as opening alone
 * may act on a device or wait at a FIFO. */
static Status stream_open(const char *path, FILE **stream)
{
    enum { READ_WRITE_ALL = 0666 };
    OWNED char *final = NULL;
    STATUS_TRY(output_path_resolve(path, OUTPUT_FILE, &final));
    int file = open(final, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, READ_WRITE_ALL);
    *stream = file >= 0 ? fdopen(file, "a+") : NULL;
    if (!*stream) {
        const int error = errno;
        if (file >= 0)
            close(file);
        return status_make(STATUS_SYSTEM, "%s: cannot be written: %s", path, strerror(error));
    }
    final[output_path_folder_length(final)] = '\0';
    temporary_folders_sweep(final);
    return status_ok();
}

Status results_lock(const char *path, ResultsFile **out)
{
    *out = NULL;
    OWNED_BY(results_close) ResultsFile *file = NULL;
    ALLOCATE(file, 1, "a result file");
    file->path = memory_text(path);
    if (!file->path)
        return status_out_of_memory("a result file");
    STATUS_TRY(stream_open(path, &file->stream));
    if (flock(fileno(file->stream), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return status_make(STATUS_SYSTEM, "%s: another run is writing to it", path);
        return status_make(STATUS_SYSTEM,
                           "%s: cannot be locked: %s; choose a file system that has locks (Lustre: mounted "
                           "with 'flock')",
                           path, strerror(errno));
    }
    *out = TAKE(file);
    return status_ok();
}

Status results_open(const char *path, ResultsFile **out, json_t **records, bool *torn)
{
    OWNED_BY(results_close) ResultsFile *file = NULL;
    *out = NULL;
    *records = NULL;
    STATUS_TRY(results_lock(path, &file));
    rewind(file->stream);
    STATUS_TRY(records_load(file->stream, path, records, &file->whole, torn));
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
    memory_free(file->path);
    memory_free(file);
}

void results_remove(ResultsFile *file)
{
    if (file)
        unlink(file->path);
    results_close(file);
}

char *results_line(const json_t *record, size_t *length)
{
    char *text = json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
    *length = text ? strlen(text) + 1 : 0;
    if (text)
        text[*length - 1] = '\n'; /* in place of the closing NUL */
    return text;
}

Status results_append(ResultsFile *file, json_t *record, bool durable)
{
    size_t length = 0;
    OWNED_BY(free) char *text = results_line(record, &length);
    json_decref(record);
    if (!text)
        return status_out_of_memory("a result");
    struct stat before;
    const int descriptor = fileno(file->stream);
    if (file->torn && ftruncate(fileno(file->stream), (off_t)file->whole) != 0)
        return status_make(STATUS_SYSTEM, "%s: cannot cut its torn last line: %s", file->path,
                           strerror(errno));
    file->torn = false;
    if (fstat(descriptor, &before) != 0)
        return status_make(STATUS_SYSTEM, "%s: %s", file->path, strerror(errno));
    ssize_t written = write(descriptor, text, length);
    if (written >= 0 && written < (ssize_t)length) /* the rest meets the reason */
        written = write(descriptor, text + written, length - (size_t)written) < 0 ? -1 : 0;
    if (written != (ssize_t)length) {
        const int error = written < 0 ? errno : ENOSPC;
        (void)!ftruncate(descriptor, before.st_size); /* the next run cuts the torn line */
        return status_make(STATUS_SYSTEM, "%s: cannot append a result: %s", file->path, strerror(error));
    }
    if (durable && fsync(descriptor) != 0 && errno != EINVAL)
        return status_make(STATUS_SYSTEM, "%s: %s", file->path, strerror(errno));
    return status_ok();
}
