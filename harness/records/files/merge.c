/* Merges the lines of several result files. Repeated lines are recognized by their digest. */
#include "harness/records/files/merge.h"

#include "datasets/base/hash_table.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/sha256.h"
#include "harness/records/files/result_lines.h"
#include "harness/records/files/results.h"

typedef struct WrittenLine {
    char digest[SHA256_TEXT_BYTES];
    bool refused; /* uthash had no memory to add the entry */
    UT_hash_handle hh;
} WrittenLine;

typedef struct WrittenLines {
    WrittenLine *table;
} WrittenLines;

static void written_lines_clear(WrittenLines *lines){HASH_FREE_ENTRIES(WrittenLine, lines->table)}

Status results_merge(const char *const *paths, int count, const char *output, bool *torn, MergeCounts *out)
{
    CLEANUP(result_lines_clear) ResultLines lines = {.texts = true};
    OWNED_BY(results_close) ResultsFile *locked = NULL;
    CLEANUP(atomic_path_discard) AtomicPath path = {0};
    *out = (MergeCounts){0};
    STATUS_TRY(atomic_path_start(output, OUTPUT_UPDATE, &path));
    if (access(path.final, F_OK) ==
        0) /* lock the file: a run that is still appending to it would lose its results */
        STATUS_TRY(results_lock(output, &locked));
    STATUS_TRY(result_lines_read(&lines, paths, count, torn));
    CLEANUP(written_lines_clear) WrittenLines written = {NULL};
    OWNED_BY(fclose) FILE *file = NULL;
    STATUS_TRY(stream_create(path.temporary, "we", output, &file));
    for (size_t i = 0; i < lines.count; i++) {
        const ResultLine *line = &lines.items[i];
        WrittenLine *before = NULL;
        LOCAL_ARRAY(WrittenLine, entry, 1, "a result");
        sha256_of(line->text, line->length, entry->digest);
        HASH_FIND_STR(written.table, entry->digest, before);
        if (before) {
            out->repeats++;
            continue;
        }
        (void)fwrite(line->text, 1, line->length, file); /* write errors are found when the file is closed */
        *(line->is_environment ? &out->environments : &out->cells) += 1;
        HASH_ADD_STR(written.table, digest, entry);
        if (entry->refused)
            return status_out_of_memory("a result");
        entry = NULL; /* the hash table now owns the entry */
    }
    STATUS_TRY(stream_finish(TAKE(file), output));
    if (!locked && access(path.final, F_OK) == 0)
        return status_make(STATUS_SYSTEM, "%s: another run has just created this file; merge it as well",
                           output);
    return atomic_path_commit(&path);
}
