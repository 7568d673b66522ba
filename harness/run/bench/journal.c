/* The journal in JSON Lines: the first line names the group, every other line is a sample. */
#include "harness/run/bench/journal.h"

#include "datasets/io/json_table.h"

enum { JOURNAL_PATH_BYTES = 4096 };

static const JsonTable sample_table =
    JSON_TABLE(JournalSample, JSON_FIELD(JournalSample, cell, NAME),
               JSON_WORD(JournalSample, stage, "work", stage_names), JSON_FIELD(JournalSample, round, COUNT),
               JSON_FIELD(JournalSample, inner, COUNT), JSON_FIELD(JournalSample, seconds, SECONDS),
               JSON_FIELD(JournalSample, disturbed, FLAG));

/* A journal that is being read. */
typedef struct JournalLines {
    const char *path, *group;
    Journal *journal;
    size_t count;
    bool is_ours; /* whether the first line names the group */
} JournalLines;

static Status samples_read(void *context, const ResultText *lines, size_t count)
{
    JournalLines *file = context;
    Journal *journal = file->journal;
    CLEANUP(json_lines_clear) JsonLines parsed = {NULL};
    for (size_t i = 0; i < count; i++) {
        json_t *json = NULL;
        char where[STATUS_TEXT_BYTES / 2];
        STATUS_TRY(result_text_read(&lines[i], file->path, &parsed, &json));
        const char *owner = file->count++ == 0 ? json_string_value(json_object_get(json, "group")) : NULL;
        if (owner)
            file->is_ours = strcmp(owner, file->group) == 0;
        if (!file->is_ours || owner)
            continue;
        snprintf(where, sizeof where, "%.200s:%zu", file->path, lines[i].number);
        GROW(journal->samples, journal->count, "the journal");
        STATUS_TRY(json_read(json, where, &sample_table, &journal->samples[journal->count++]));
    }
    return status_ok();
}

Status journal_open(const char *result_path, const char *group, Journal *out)
{
    char path[JOURNAL_PATH_BYTES];
    bool torn = false;
    JournalLines file = {.path = path, .group = group, .journal = out};
    *out = (Journal){0};
    if (snprintf(path, sizeof path, "%s.journal", result_path) >= (int)sizeof path)
        return bad_usage("%s: the path is too long", result_path);
    STATUS_TRY(results_open(path, samples_read, &file, &out->file, &torn));
    if (file.is_ours)
        return status_ok();
    /* The journal is empty or belongs to another group, so it is replaced. This process holds the lock of
     * the result file, so no other run can interfere between removing the old journal and creating the new
     * one. */
    if (file.count > 0) {
        results_remove(TAKE(out->file));
        STATUS_TRY(results_open(path, samples_read, &file, &out->file, &torn));
    }
    STATUS_TRY(
        results_append(out->file, json_pack("{s:i, s:o}", "journal", 1, "group", json_text(group)), false));
    return status_ok();
}

int journal_replay(const Journal *journal, const char *cell, Stage stage, int cap, double *samples,
                   int *inner, int *disturbed)
{
    int count = 0;
    for (int i = 0; i < journal->count && count < cap; i++) {
        const JournalSample *sample = &journal->samples[i];
        if (sample->stage != stage || sample->round != count || strcmp(sample->cell, cell) != 0)
            continue;
        samples[count++] = sample->seconds;
        *inner = sample->inner;
        *disturbed += sample->disturbed;
    }
    return count;
}

Status journal_append(Journal *journal, const JournalSample *sample)
{
    return results_append(journal->file, json_write(&sample_table, sample), false);
}

void journal_close(Journal *journal)
{
    memory_free(journal->samples);
    results_close(journal->file);
    *journal = (Journal){0};
}

void journal_finish(Journal *journal)
{
    results_remove(journal->file);
    journal->file = NULL;
    journal_close(journal);
}
