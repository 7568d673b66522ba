/* The journal in JSON Lines: the first line names the group, every other line is a sample. */
#include "harness/run/bench/journal.h"

#include "datasets/io/json_table.h"

enum { JOURNAL_PATH_BYTES = 4096 };

static const JsonTable sample_table =
    JSON_TABLE(JournalSample, JSON_FIELD(JournalSample, cell, NAME),
               JSON_WORD(JournalSample, stage, "work", stage_names), JSON_FIELD(JournalSample, round, COUNT),
               JSON_FIELD(JournalSample, inner, COUNT), JSON_FIELD(JournalSample, seconds, SECONDS),
               JSON_FIELD(JournalSample, disturbed, FLAG));

Status journal_open(const char *result_path, const char *group, Journal *out)
{
    char path[JOURNAL_PATH_BYTES];
    bool torn = false;
    json_auto_t *lines = NULL;
    const char *owner = NULL;
    *out = (Journal){0};
    if (snprintf(path, sizeof path, "%s.journal", result_path) >= (int)sizeof path)
        return bad_usage("%s: the path is too long", result_path);
    STATUS_TRY(results_open(path, &out->file, &lines, &torn));
    owner = json_string_value(json_object_get(json_array_get(lines, 0), "group"));
    if (owner && strcmp(owner, group) == 0) {
        size_t count = json_array_size(lines);
        ALLOCATE(out->samples, count, "the journal");
        for (size_t i = 1; i < count; i++) {
            char where[STATUS_TEXT_BYTES / 2];
            snprintf(where, sizeof where, "%.200s:%zu", path, i + 1);
            STATUS_TRY(
                json_read(json_array_get(lines, i), where, &sample_table, &out->samples[out->count++]));
        }
        return status_ok();
    }
    /* The journal is empty or belongs to another group, so it is replaced. This process holds the lock of
     * the result file, so no other run can interfere between removing the old journal and creating the new
     * one. */
    if (json_array_size(lines) > 0) {
        json_decref(TAKE(lines));
        results_remove(out->file);
        out->file = NULL;
        STATUS_TRY(results_open(path, &out->file, &lines, &torn));
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
