/* Writes the lines of several result files as one; repeats are known by the digest of the line. */
#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) memory_array(1, (size))
#define uthash_free(pointer, size) memory_free(pointer)
#define uthash_nonfatal_oom(entry) ((entry)->refused = true)
#include "harness/records/files/merge.h"

#include "datasets/base/memory.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/sha256.h"
#include "datasets/io/stream.h"
#include "harness/records/files/record_store.h"
#include "harness/records/files/result_lines.h"
#include "harness/records/files/results.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uthash.h>

typedef struct WrittenLine {
    char digest[SHA256_TEXT_BYTES];
    bool refused; /* memory was out for the table */
    UT_hash_handle hh;
} WrittenLine;

/* Writes a line unless it is in the table, which then has it. */
static Status merged_line_write(const ResultLine *line, FILE *file, WrittenLine **table, MergeCounts *counts)
{
    size_t length = 0;
    char *text = results_line(line->json, &length);
    WrittenLine *entry = text ? memory_array(1, sizeof *entry) : NULL, *before = NULL;
    Status status = entry ? status_ok() : status_out_of_memory("a result");
    Sha256 sum;
    STATUS_TRY(status);
    sha256_begin(&sum);
    sha256_add(&sum, text, length);
    sha256_end(&sum, entry->digest);
    HASH_FIND_STR(*table, entry->digest, before);
    if (before) {
        counts->repeats++;
        goto done;
    }
    (void)fwrite(text, 1, length, file); /* looked at when the file is closed */
    *(line->is_environment ? &counts->environments : &counts->cells) += 1;
    HASH_ADD_STR(*table, digest, entry);
    if (entry->refused)
        STATUS_TRY(status_out_of_memory("a result"));
    entry = NULL;
done:
    memory_free(entry);
    free(text);
    return status;
}

static Status merged_write(const ResultLines *lines, const char *path, const char *given, MergeCounts *counts)
{
    FILE *file = fopen(path, "we");
    WrittenLine *table = NULL, *entry = NULL, *next = NULL;
    Status status = file ? status_ok() : status_make(STATUS_SYSTEM, "%s: %s", given, strerror(errno));
    for (size_t i = 0; i < lines->count && status.code == STATUS_OK; i++)
        status = merged_line_write(&lines->items[i], file, &table, counts);
    HASH_ITER(hh, table, entry, next)
    {
        HASH_DEL(table, entry);
        memory_free(entry);
    }
    const int error = stream_close(file);
    return error != 0 && status.code == STATUS_OK
               ? status_make(STATUS_SYSTEM, "%s: cannot be written: %s", given, strerror(error))
               : status;
}

Status results_merge(const char *const *paths, int count, const char *output, bool *torn, MergeCounts *out)
{
    ResultLines lines = {.items = NULL};
    ResultsFile *locked = NULL;
    RecordStore *store = NULL;
    AtomicPath path = {0};
    Status status;
    *out = (MergeCounts){0};
    STATUS_TRY(atomic_path_start(output, OUTPUT_FILE, &path));
    if (access(path.final, F_OK) == 0) /* a run that is writing to it would lose what it appends */
        STATUS_TRY(results_lock(output, &locked));
    STATUS_TRY(result_lines_read(paths, count, &lines, torn));
    STATUS_TRY(record_store_of(&lines, &store)); /* each line is one that can be read */
    STATUS_TRY(merged_write(&lines, path.temporary, output, out));
    status = atomic_path_commit_file(&path);
done:
    atomic_path_discard(&path);
    record_store_close(store);
    results_close(locked);
    result_lines_clear(&lines);
    return status;
}
