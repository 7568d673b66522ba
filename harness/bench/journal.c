/* The journal file: a head that names the group of cells, then a line per sample. */
#include "harness/bench/journal.h"

#include <stdio.h>
#include <string.h>

enum { JOURNAL_PATH_BYTES = 4096 };

static Status journal_head(Journal *journal, const char *group)
{
    json_t *head = json_pack("{s:i, s:s}", "journal", 1, "group", group);
    Status status = head ? results_append(journal->file, head, false) : status_out_of_memory("the journal");
    json_decref(head);
    return status;
}

Status journal_open(const char *result_path, const char *group, Journal *out)
{
    char path[JOURNAL_PATH_BYTES];
    bool torn = false;
    *out = (Journal){0};
    if (snprintf(path, sizeof path, "%s.journal", result_path) >= (int)sizeof path)
        return status_make(STATUS_USAGE, "%s: the path is too long", result_path);
    Status status = results_open(path, &out->file, &out->lines, &torn);
    if (status.code == STATUS_OK &&
        strcmp(json_text_at(json_array_get(out->lines, 0), "group"), group) != 0) {
        /* Another group's, or none yet. Whoever reads a journal holds the lock of the result file, so nobody
         * else is between removing and making it. */
        if (json_array_size(out->lines) > 0) {
            json_decref(out->lines);
            results_remove(out->file);
            *out = (Journal){0};
            status = results_open(path, &out->file, &out->lines, &torn);
        }
        if (status.code == STATUS_OK)
            status = journal_head(out, group);
    }
    if (status.code != STATUS_OK)
        journal_close(out);
    return status;
}

void journal_replay(const Journal *journal, const char *cell, int work, int cap, TimedWork *into)
{
    size_t count = json_array_size(journal->lines);
    for (size_t i = 1; i < count && into->sample_count < cap; i++) {
        const json_t *line = json_array_get(journal->lines, i);
        if (strcmp(json_text_at(line, "cell"), cell) != 0 ||
            strcmp(json_text_at(line, "work"), work_name(work)) != 0 ||
            json_number_at(line, "round") != into->sample_count)
            continue;
        into->samples[into->sample_count++] = json_number_at(line, "seconds");
        into->inner = (int)json_number_at(line, "inner");
    }
}

Status journal_append(Journal *journal, const char *cell, int work, int round, int inner, double seconds)
{
    json_t *line = json_pack("{s:s, s:s, s:i, s:i, s:f}", "cell", cell, "work", work_name(work), "round",
                             round, "inner", inner, "seconds", seconds);
    Status status = line ? results_append(journal->file, line, false) : status_out_of_memory("the journal");
    json_decref(line);
    return status;
}

void journal_finish(Journal *journal)
{
    json_decref(journal->lines);
    results_remove(journal->file);
    *journal = (Journal){0};
}

void journal_close(Journal *journal)
{
    json_decref(journal->lines);
    results_close(journal->file);
    *journal = (Journal){0};
}
