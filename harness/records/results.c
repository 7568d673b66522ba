/* flock is older than POSIX and in every libc, but not in POSIX; its locks belong to the open file, so that
 * reading the file elsewhere in the process does not drop them. */
#define _DEFAULT_SOURCE
#include "harness/records/results.h"

#include "datasets/base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

struct ResultsFile {
    int descriptor;
    char *path;
};

/* The whole file, closed by a NUL. */
static Status file_load(int descriptor, const char *path, char **text, size_t *size)
{
    struct stat facts;
    *text = NULL;
    if (fstat(descriptor, &facts) != 0)
        return status_make(STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return status_make(STATUS_BAD_INPUT, "%s: not a regular file", path);
    size_t whole = (size_t)facts.st_size, used = 0;
    char *content = memory_array(whole + 1, 1);
    if (!content)
        return status_out_of_memory(path);
    while (used < whole) {
        ssize_t got = pread(descriptor, content + used, whole - used, (off_t)used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    content[used] = '\0';
    *text = content;
    *size = used;
    return status_ok();
}

/* Parses whole lines; what stands after the last newline is torn. */
static Status lines_parse(const char *path, const char *text, size_t size, json_t *records, size_t *whole)
{
    int number = 0;
    *whole = 0;
    for (const char *end; *whole < size && (end = memchr(text + *whole, '\n', size - *whole)) != NULL;) {
        const char *line = text + *whole;
        size_t length = (size_t)(end - line);
        number++;
        json_error_t error;
        json_t *record = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
        if (!json_is_object(record)) {
            json_decref(record);
            return status_make(STATUS_BAD_INPUT, "%s:%d: %s", path, number,
                               record ? "not an object" : error.text);
        }
        if (json_array_append_new(records, record) != 0)
            return status_out_of_memory("results");
        *whole += length + 1;
    }
    return status_ok();
}

static Status records_load(int descriptor, const char *path, json_t **records, size_t *whole, bool *torn)
{
    char *text = NULL;
    size_t size = 0;
    Status status = file_load(descriptor, path, &text, &size);
    *records = NULL;
    if (status.code != STATUS_OK)
        return status;
    *records = json_array();
    status = *records ? lines_parse(path, text, size, *records, whole) : status_out_of_memory("results");
    *torn = status.code == STATUS_OK && *whole < size;
    memory_free(text);
    if (status.code != STATUS_OK) {
        json_decref(*records);
        *records = NULL;
    }
    return status;
}

Status results_read(const char *path, json_t **records, bool *torn)
{
    *records = NULL;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return status_make(STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    size_t whole = 0;
    Status status = records_load(descriptor, path, records, &whole, torn);
    close(descriptor);
    return status;
}

Status results_open(const char *path, ResultsFile **out, json_t **records, bool *torn)
{
    *out = NULL;
    *records = NULL;
    ResultsFile *file = memory_array(1, sizeof *file);
    Status status = status_ok();
    size_t whole = 0;
    if (!file)
        return status_out_of_memory("a result file");
    file->path = memory_text(path);
    file->descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (!file->path)
        status = status_out_of_memory("a result file");
    else if (file->descriptor < 0)
        status = status_make(STATUS_MACHINE, "%s: %s", path, strerror(errno));
    else if (flock(file->descriptor, LOCK_EX | LOCK_NB) != 0)
        status = status_make(STATUS_MACHINE, "%s: %s", path,
                             errno == EWOULDBLOCK ? "another run is writing to it" : strerror(errno));
    if (status.code == STATUS_OK)
        status = records_load(file->descriptor, path, records, &whole, torn);
    if (status.code == STATUS_OK && *torn && ftruncate(file->descriptor, (off_t)whole) != 0)
        status = status_make(STATUS_MACHINE, "%s: cannot cut its torn last line: %s", path, strerror(errno));
    if (status.code != STATUS_OK) {
        json_decref(*records);
        *records = NULL;
        results_close(file);
        return status;
    }
    *out = file;
    return status;
}

void results_close(ResultsFile *file)
{
    if (!file)
        return;
    if (file->descriptor >= 0)
        close(file->descriptor);
    memory_free(file->path);
    memory_free(file);
}

void results_remove(ResultsFile *file)
{
    if (file)
        unlink(file->path);
    results_close(file);
}

Status results_append(ResultsFile *file, const json_t *record, bool durable)
{
    char *text = json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
    if (!text)
        return status_out_of_memory("a result");
    size_t length = strlen(text);
    text[length] = '\n'; /* in place of the closing NUL: one line, one write */
    struct stat before;
    Status status = status_ok();
    if (fstat(file->descriptor, &before) != 0)
        status = status_make(STATUS_MACHINE, "%s: %s", file->path, strerror(errno));
    else {
        ssize_t written = write(file->descriptor, text, length + 1);
        if (written != (ssize_t)(length + 1)) {
            status = status_make(STATUS_MACHINE, "%s: cannot append a result: %s", file->path,
                                 written < 0 ? strerror(errno) : "the disk is full");
            if (ftruncate(file->descriptor, before.st_size) != 0)
                status.code = STATUS_MACHINE; /* the next run cuts the torn line */
        } else if (durable && fsync(file->descriptor) != 0 && errno != EINVAL)
            status = status_make(STATUS_MACHINE, "%s: %s", file->path, strerror(errno));
    }
    free(text);
    return status;
}
