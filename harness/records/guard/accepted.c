/* Computes, stores and compares the machine-independent part of an acceptance: E_RMS of every method. */
#include "harness/records/guard/accepted.h"

#include "datasets/io/atomic_path.h"
#include "datasets/io/json_table.h"

static const JsonTable method_table = JSON_TABLE_STRICT(
    AcceptedMethod, NULL, JSON_FIELD(AcceptedMethod, method, NAME), JSON_FIELD(AcceptedMethod, cells, COUNT),
    JSON_FIELD_AS(AcceptedMethod, e_rms.count, COUNT, "seeds", WRITTEN),
    JSON_FIELD_AS(AcceptedMethod, e_rms.median, AMOUNT, "e_rms", WRITTEN),
    JSON_FIELD_AS(AcceptedMethod, e_rms.low, AMOUNT, "low", WRITTEN),
    JSON_FIELD_AS(AcceptedMethod, e_rms.high, AMOUNT, "high", WRITTEN));

static const JsonTable accepted_table =
    JSON_TABLE_STRICT(Accepted, NULL, JSON_FIELD(Accepted, date, STAMP), JSON_FIELD(Accepted, after, STAMP),
                      JSON_FIELD(Accepted, reason, TEXT), JSON_FIELD(Accepted, found, TEXT),
                      JSON_LIST(Accepted, methods, method_count, "methods", &method_table, WRITTEN));

Status accepted_read(const char *path, Accepted *out)
{
    json_auto_t *object = NULL;
    *out = (Accepted){.methods = NULL};
    STATUS_TRY(json_file_read(path, &object));
    STATUS_TRY(json_read(object, path, &accepted_table, out));
    if (out->method_count == 0)
        return bad_input("%s: the list of methods is empty", path);
    return status_ok();
}

void accepted_clear(Accepted *accepted)
{
    memory_free(accepted->methods);
    *accepted = (Accepted){.methods = NULL};
}

/* ---- writing ---- */

/* Writes `before`, then the object without line breaks, then `after`. Takes ownership of the object. */
static Status json_line_write(const char *before, json_t *object, const char *after, FILE *file)
{
    char *text = object ? json_dumps(object, JSON_ENCODE_ANY | JSON_REAL_PRECISION(10)) : NULL;
    const Status status = text ? status_ok() : status_out_of_memory("the accepted results");
    if (text)
        fprintf(file, "%s%s%s", before, text, after);
    free(text);
    json_decref(object);
    return status;
}

Status accepted_write(const Accepted *accepted, const char *path)
{
    CLEANUP(atomic_path_discard) AtomicPath output = {0};
    OWNED_BY(fclose) FILE *file = NULL;
    STATUS_TRY(atomic_path_start(path, OUTPUT_UPDATE, &output));
    file = fopen(output.temporary, "w");
    if (!file)
        return status_make(STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    STATUS_TRY(json_line_write("{\n  \"date\": ", json_text(accepted->date), ",\n", file));
    STATUS_TRY(json_line_write("  \"after\": ", json_text(accepted->after), ",\n", file));
    STATUS_TRY(json_line_write("  \"reason\": ", json_text(accepted->reason), ",\n", file));
    STATUS_TRY(json_line_write("  \"found\": ", json_text(accepted->found), ",\n  \"methods\": [\n", file));
    for (int i = 0; i < accepted->method_count; i++)
        STATUS_TRY(json_line_write("    ", json_write(&method_table, &accepted->methods[i]),
                                   i + 1 < accepted->method_count ? ",\n" : "\n  ]\n}\n", file));
    if (ferror(file) || fflush(file) != 0)
        return status_make(STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    fclose(file);
    file = NULL;
    return atomic_path_commit(&output);
}

/* ---- making the accepted numbers from the records of a run ---- */

/* Whether a cell counts towards its method's E_RMS. */
static bool is_portable(const Record *record)
{
    return record->status == RECORD_OK && isfinite(record_metric(record, "e_rms")) &&
           (record->cell.kind == CELL_DECOMPOSITION ||
            (record->cell.kind == CELL_SKINNING &&
             strcmp(record->cell.backend, backend_reference.name) == 0));
}

/* Computes the E_RMS of a method. For each seed that all cells of the method have, takes the mean over the
 * cells. The result is the spread of these means over the seeds. */
static AcceptedMethod method_of_run(const RecordStore *run, const char *method)
{
    double sums[SEEDS_MAX + 1] = {0.0}, means[SEEDS_MAX];
    int cells[SEEDS_MAX + 1] = {0}, count = 0;
    AcceptedMethod out = {.cells = 0};
    for (const Record *record = NULL; (record = record_store_next(run, record)) != NULL;) {
        const int seed = record->cell.kind == CELL_DECOMPOSITION ? cell_seed(&record->cell) : 1;
        if (!is_portable(record) || strcmp(record->cell.method, method) != 0 || seed < 1 || seed > SEEDS_MAX)
            continue;
        sums[seed] += record_metric(record, "e_rms");
        cells[seed]++;
    }
    for (int seed = 1; seed <= SEEDS_MAX; seed++)
        if (cells[seed] > 0 && cells[seed] == cells[1])
            means[count++] = sums[seed] / cells[seed];
    snprintf(out.method, sizeof out.method, "%s", method);
    out.cells = cells[1];
    out.e_rms = seed_spread_of(means, count);
    return out;
}

static const AcceptedMethod *method_find(const Accepted *accepted, const char *method)
{
    for (int i = 0; i < accepted->method_count; i++)
        if (strcmp(accepted->methods[i].method, method) == 0)
            return &accepted->methods[i];
    return NULL;
}

Status accepted_of_run(const RecordStore *run, const char *path, Accepted *out)
{
    int environments = 0, cells = 0, bad = 0;
    char first[FINDING_CELL_BYTES] = "";
    *out = (Accepted){.methods = NULL};
    const EnvironmentRecord *environment = record_store_environments(run, &environments);
    time_stamp(out->date);
    out->date[strlen("2026-01-31")] = '\0';
    if (environments > 0)
        snprintf(out->after, sizeof out->after, "%.12s", environment[environments - 1].environment.commit);
    for (const Record *record = NULL; (record = record_store_next(run, record)) != NULL;) {
        cells += record_is_guarded(record);
        if (record->status == RECORD_WRONG || record->status == RECORD_FAILED)
            if (bad++ == 0)
                cell_format(&record->cell, first, sizeof first);
        if (!is_portable(record) || method_find(out, record->cell.method))
            continue;
        GROW(out->methods, out->method_count, "the accepted results");
        out->methods[out->method_count++] = method_of_run(run, record->cell.method);
    }
    if (bad > 0)
        return status_make(STATUS_CHECK_FAILED,
                           "%s: the run cannot be accepted, because %d cells are wrong or failed: %s", path,
                           bad, first);
    return cells > 0 ? status_ok() : bad_input("%s: the file has no cells", path);
}

/* ---- comparing ---- */

static bool same_cells(const AcceptedMethod *a, const AcceptedMethod *b)
{
    return a->cells == b->cells && a->e_rms.count == b->e_rms.count;
}

Status accepted_compare(const Accepted *accepted, const Accepted *run, Findings *out)
{
    for (int i = 0; i < accepted->method_count + run->method_count; i++) {
        const bool is_new = i >= accepted->method_count;
        const AcceptedMethod *line =
            is_new ? &run->methods[i - accepted->method_count] : &accepted->methods[i];
        const AcceptedMethod *now = method_find(run, line->method);
        char cell[FINDING_CELL_BYTES], note[FINDING_NOTE_BYTES] = "";
        snprintf(cell, sizeof cell, "any machine: %s", line->method);
        GuardFinding finding = finding_of(FINDING_SAME, cell, "e_rms of all cells");
        if (is_new && method_find(accepted, line->method))
            continue;
        finding.note = note;
        finding.base = is_new ? NAN : line->e_rms.median;
        finding.fresh = now ? now->e_rms.median : NAN;
        finding.ratio = finding.fresh / finding.base;
        if (is_new || !now) {
            finding.kind = is_new ? FINDING_APPEARED : FINDING_VANISHED;
        } else if (!same_cells(line, now)) {
            finding.kind = FINDING_CHANGED;
            snprintf(note, sizeof note, "%d cells, %d seeds; accepted: %d cells, %d seeds", now->cells,
                     now->e_rms.count, line->cells, line->e_rms.count);
        } else {
            finding.kind = seed_spread_judge(&line->e_rms, now->e_rms.median);
            if (line->e_rms.count > 1)
                snprintf(note, sizeof note, "median of %d seeds; accepted: %.6g to %.6g", line->e_rms.count,
                         line->e_rms.low, line->e_rms.high);
        }
        STATUS_TRY(findings_add(out, &finding));
    }
    return status_ok();
}

void accepted_keep(const Accepted *accepted, Accepted *run)
{
    for (int i = 0; i < run->method_count; i++) {
        const AcceptedMethod *before = method_find(accepted, run->methods[i].method);
        if (before && same_cells(before, &run->methods[i]) &&
            seed_spread_judge(&before->e_rms, run->methods[i].e_rms.median) == FINDING_SAME)
            run->methods[i] = *before;
    }
}
