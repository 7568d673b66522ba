/* What a run of cells shares: the result file, its environment, the bandwidth, and the counts of how
 * cells ended. */
#include "harness/bench/bench.h"

#include "datasets/base/memory.h"
#include "harness/records/record_json.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void bench_note(const Bench *bench, const char *format, ...)
{
    char text[1024];
    if (!bench->note)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bench->note(bench->note_context, text);
}

Status bench_open(Bench *bench)
{
    bool torn = false;
    char stamp[32];
    Status status;
    STATUS_TRY(results_open(bench->path, &bench->file, &bench->records, &torn));
    if (torn)
        bench_note(bench, "%s: cut a torn last line, left by a run that was killed", bench->path);
    if (json_array_size(bench->records) > 0)
        bench_note(bench, "%s: goes on after %zu records", bench->path, json_array_size(bench->records));
    time_stamp(stamp);
    snprintf(bench->run, sizeof bench->run, "%s-%ld", stamp, (long)getpid());
    Environment environment;
    environment_describe(bench->threads, &environment);
    bench->environment = environment_to_json(&environment);
    if (!bench->environment)
        status = status_out_of_memory("the description of this machine");
done:
    return status;
}

Status bench_measure_bandwidth(Bench *bench)
{
    return bench->bandwidth.threads > 0 ? status_ok() : bandwidth_measure(bench->threads, &bench->bandwidth);
}

void bench_close(Bench *bench)
{
    results_close(bench->file);
    json_decref(bench->records);
    json_decref(bench->environment);
    bench->file = NULL;
    bench->records = bench->environment = NULL;
}

const json_t *bench_find(const Bench *bench, const char *key)
{
    for (size_t i = json_array_size(bench->records); i-- > 0;) {
        const json_t *record = json_array_get(bench->records, i);
        if (strcmp(json_text_at(record, "kind"), "environment") == 0)
            continue;
        char *other = record_key(record);
        bool same = other && strcmp(other, key) == 0;
        memory_free(other);
        if (same)
            return record;
    }
    return NULL;
}

bool record_json_is_settled(const json_t *record)
{
    const char *status = json_text_at(record, "status");
    return strcmp(status, "ok") == 0 || strcmp(status, "wrong") == 0;
}

/* The environment stands before the first cell of a run, so a run that finds nothing to do leaves no trace.
 */
static Status environment_append(Bench *bench)
{
    size_t last = json_array_size(bench->records);
    if (last > 0 && strcmp(json_text_at(json_array_get(bench->records, last - 1), "run"), bench->run) == 0)
        return status_ok();
    Status status = bench_measure_bandwidth(bench);
    if (status.code != STATUS_OK)
        return status;
    char stamp[32];
    time_stamp(stamp);
    json_t *record =
        json_pack("{s:i, s:s, s:s, s:s, s:O, s:{s:o, s:o, s:i, s:o}}", "schema", 1, "run", bench->run, "time",
                  stamp, "kind", "environment", "environment", bench->environment, "bandwidth",
                  "one_thread_bytes_per_s", json_number_or_null(bench->bandwidth.one_thread),
                  "all_threads_bytes_per_s", json_number_or_null(bench->bandwidth.all_threads), "threads",
                  bench->bandwidth.threads, "array_bytes", json_number_or_null(bench->bandwidth.array_bytes));
    if (!record)
        return status_out_of_memory("a result");
    status = results_append(bench->file, record, true);
    json_array_append_new(bench->records, record);
    return status;
}

static void count_status(BenchCounts *counts, const char *status)
{
    if (strcmp(status, "ok") == 0)
        counts->ok++;
    else if (strcmp(status, "skipped") == 0)
        counts->skipped++;
    else if (strcmp(status, "wrong") == 0)
        counts->wrong++;
    else
        counts->failed++;
}

static bool record_is_known(const Bench *bench, const json_t *record)
{
    char *key = record_key(record);
    const json_t *before = key ? bench_find(bench, key) : NULL;
    memory_free(key);
    return before && !record_json_is_settled(record) &&
           strcmp(json_text_at(before, "status"), json_text_at(record, "status")) == 0 &&
           strcmp(json_text_at(before, "reason"), json_text_at(record, "reason")) == 0;
}

Status bench_append(Bench *bench, json_t *record)
{
    count_status(&bench->counts, json_text_at(record, "status"));
    if (record_is_known(bench, record)) {
        json_decref(record);
        return status_ok();
    }
    Status status = environment_append(bench);
    char stamp[32];
    time_stamp(stamp);
    json_object_set_new(record, "run", json_string(bench->run));
    json_object_set_new(record, "time", json_string(stamp));
    json_object_set_new(record, "environment", json_string(json_text_at(bench->environment, "hash")));
    if (status.code == STATUS_OK)
        status = results_append(bench->file, record, true);
    if (json_array_append_new(bench->records, record) != 0 && status.code == STATUS_OK)
        status = status_out_of_memory("results");
    return status;
}
