/* State shared by a whole run: its result file, its environment, and the number of cells by their final
 * status. */
#include "harness/run/bench/bench.h"

#include <ctype.h>
#include <unistd.h>

/* Reads digits at `text` and sets *end to the character after them. Returns the number, or the maximum plus
 * one if it is too large. */
static int number_read(const char *text, const char **end)
{
    int number = 0;
    for (; isdigit((unsigned char)*text); text++)
        number = number > SHARDS_MAX ? number : 10 * number + (*text - '0');
    *end = text;
    return number;
}

Status shard_parse(const char *text, Shard *out)
{
    const char *end = NULL;
    out->index = number_read(text, &end);
    out->count = *end == '/' ? number_read(end + 1, &end) : 0;
    return *end == '\0' && out->index >= 1 && out->index <= out->count && out->count <= SHARDS_MAX
               ? status_ok()
               : bad_usage("--shard is '%.64s', expected I/N with I from 1 to N, and N at most %d", text,
                           SHARDS_MAX);
}

Status shard_holds(const Shard *shard, const Cell *cell, bool *out)
{
    char digest[CELL_DIGEST_BYTES];
    Cell any_threads = *cell;
    any_threads.threads = 0;
    *out = shard->count == 0;
    if (*out)
        return status_ok();
    STATUS_TRY(cell_digest(&any_threads, digest));
    *out =
        strtoull(digest, NULL, 16) % (unsigned long long)shard->count + 1 == (unsigned long long)shard->index;
    return status_ok();
}

/* Returns the total time of all samples of a fit; NAN if it was not timed. */
static double record_took_s(const Record *record)
{
    const StageTime *total = timing_stage(&record->timing, STAGE_TOTAL);
    double sum = 0.0;
    for (int i = 0; i < total->sample_count; i++)
        sum += total->samples[i];
    return record->timing.timed && total->sample_count > 0 ? sum : NAN;
}

static double cell_size(const Cell *cell)
{
    return (double)cell->dataset.vertices * cell->dataset.frames *
           argument_number_of(cell->parameters, "bones", 1.0);
}

/* Estimates the time of a fit from the record of the same cell on any machine. If there is none, uses the
 * last record of the same method. */
static double fit_expected_s(const RecordStore *store, const Cell *cell)
{
    const Record *same = record_store_find(store, cell, NULL);
    double expected_s = same ? record_took_s(same) : NAN;
    if (!isnan(expected_s))
        return expected_s;
    for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;)
        if (record->cell.kind == cell->kind && strcmp(record->cell.method, cell->method) == 0 &&
            !isnan(record_took_s(record)) && cell_size(&record->cell) > 0.0)
            expected_s = record_took_s(record) * cell_size(cell) / cell_size(&record->cell);
    return expected_s;
}

Status forecast_add(Forecast *forecast, const RecordStore *store, const Cell *cell, bool already_done,
                    double seconds)
{
    if (cell->kind == CELL_ROW) /* this record only names the data of a table row, so it takes no time */
        return status_ok();
    if (already_done)
        seconds = 0.0;
    else if (isnan(seconds) && cell->kind == CELL_DECOMPOSITION)
        seconds = fit_expected_s(store, cell);
    *(already_done ? &forecast->already : &forecast->to_run) += 1;
    if (isnan(seconds))
        forecast->unknown++;
    else
        forecast->expected_s += seconds;
    return forecast->cell(forecast->context, cell, already_done, seconds);
}

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
    char stamp[TIME_STAMP_BYTES];
    if (!bench->forecast)
        STATUS_TRY(record_store_open(bench->path, &bench->store, &torn));
    else if (access(bench->path, F_OK) == 0)
        STATUS_TRY(record_store_read(&bench->path, 1, &bench->store));
    else
        STATUS_TRY(record_store_from_lines(&(ResultLines){.items = NULL}, &bench->store));
    if (torn)
        bench_note(bench, "%s: removed the incomplete last line that a killed run had left", bench->path);
    if (record_store_line_count(bench->store) > 0)
        bench_note(bench, "%s: continues after the %zu records that it already has", bench->path,
                   record_store_line_count(bench->store));
    time_stamp(stamp);
    snprintf(bench->run, sizeof bench->run, "%s-%ld", stamp, (long)getpid());
    STATUS_TRY(environment_describe(bench->threads, &bench->environment));
    if (bench->anonymous)
        environment_anonymize(&bench->environment);
    return status_ok();
}

void bench_close(Bench *bench)
{
    record_store_close(bench->store);
    bench->store = NULL;
    for (int i = 0; i < bench->externals.count; i++)
        memory_free(bench->externals.items[i]);
    bench->externals.count = 0;
    for (int i = 0; i < bench->generated_count; i++)
        subject_clear(&bench->generated[i]);
    memory_free(bench->generated);
    bench->generated = NULL;
    bench->generated_count = 0;
}

Status bench_external_load(Bench *bench, const char *name)
{
    Externals *all = &bench->externals;
    if (externals_find(all, name) || all->count == PEERS_MAX)
        return status_ok();
    const Status status = external_read(name, &all->items[all->count]);
    all->count += status.code == STATUS_OK;
    if (status.code != STATUS_UNAVAILABLE)
        return status;
    bench_note(bench, "%s", status.text);
    return status_ok();
}

External *externals_find(const Externals *externals, const char *name)
{
    for (int i = 0; i < externals->count; i++)
        if (strcmp(externals->items[i]->name, name) == 0)
            return externals->items[i];
    return NULL;
}

Status bench_measure_bandwidth(Bench *bench)
{
    enum { HOUR_BYTES = sizeof "2026-01-31T12" - 1 };
    char stamp[TIME_STAMP_BYTES];
    int count;
    const EnvironmentRecord *earlier = record_store_environments(bench->store, &count);
    if (bench->bandwidth.threads > 0)
        return status_ok();
    bench->environment_appended = false; /* an environment without the bandwidth is appended again with it */
    time_stamp(stamp);
    for (int i = count; i-- > 0;)
        if (earlier[i].bandwidth.threads == bench->threads &&
            strcmp(earlier[i].environment.hash, bench->environment.hash) == 0 &&
            strncmp(earlier[i].time, stamp, HOUR_BYTES) == 0) {
            bench->bandwidth = earlier[i].bandwidth;
            return status_ok();
        }
    return bandwidth_measure(bench->threads, &bench->bandwidth);
}

/* Appends the environment just before the first cell, so that a run with nothing to do leaves no trace. */
static Status environment_append(Bench *bench)
{
    EnvironmentRecord record;
    if (bench->environment_appended)
        return status_ok();
    record = (EnvironmentRecord){.environment = bench->environment, .bandwidth = bench->bandwidth};
    snprintf(record.run, sizeof record.run, "%s", bench->run);
    time_stamp(record.time);
    STATUS_TRY(record_store_append_environment(bench->store, &record));
    bench->environment_appended = true;
    return status_ok();
}

Status bench_shard_end(Bench *bench)
{
    int cells = bench->counts.already;
    if (bench->shard.count == 0 || bench->forecast)
        return status_ok();
    for (int i = 0; i < RECORD_STATUS_COUNT; i++)
        cells += bench->counts.ended[i];
    if (cells == 0)
        bench_note(bench, "shard %d/%d has no cells", bench->shard.index, bench->shard.count);
    else
        bench_note(bench, "shard %d/%d has %d cells", bench->shard.index, bench->shard.count, cells);
    return record_store_line_count(bench->store) == 0 ? environment_append(bench) : status_ok();
}

bool bench_already_done(const Bench *bench, const Cell *cell)
{
    const Record *record = record_store_find(bench->store, cell, bench->environment.machine);
    const bool lacks_times =
        record && record->status == RECORD_OK && !record->timing.timed &&
        (cell->kind == CELL_SKINNING || cell->kind == CELL_DECOMPOSITION || cell->kind == CELL_PEER);
    /* another description of a program makes another program of the same name */
    const External *program =
        record && record->external ? externals_find(&bench->externals, cell->method) : NULL;
    if (program && strcmp(program->facts.sha256, record->external->sha256) != 0)
        return false;
    return record && record_is_final(record) && (bench->no_times || !lacks_times);
}

Status bench_append(Bench *bench, Record *record)
{
    OWNED_BY(record_clear) Record *taken = record;
    const Record *before = record_store_find(bench->store, &record->cell, bench->environment.machine);
    const CellKind kind = record->cell.kind;
    const bool no_data = kind == CELL_ROW && record->status == RECORD_SKIPPED;
    if (kind != CELL_NOISE && kind != CELL_PEER &&
        !no_data) /* count only requested cells, without peers and the noise measurement */
        bench->counts.ended[record->status]++;
    if (before && !record_is_final(record) && before->status == record->status &&
        strcmp(before->reason, record->reason) == 0)
        return status_ok();
    STATUS_TRY(environment_append(bench));
    if (bench->anonymous && record->reason[0]) {
        OWNED char *reason = memory_text(record->reason);
        ALLOCATED(reason, "a record");
        text_drop_folders(reason);
        record_set_text(&record->reason, reason);
    }
    if (bench->anonymous && record->external) {
        text_drop_folders(record->external->command);
        text_drop_folders(record->external->version);
    }
    snprintf(record->run, sizeof record->run, "%s", bench->run);
    snprintf(record->environment, sizeof record->environment, "%s", bench->environment.hash);
    time_stamp(record->time);
    return record_store_append(bench->store, taken);
}
