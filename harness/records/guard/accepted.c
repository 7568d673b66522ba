/* Computes, stores and compares the machine-independent part of an acceptance: E_RMS of every method. */
#include "harness/records/guard/accepted.h"

#include "datasets/io/atomic_path.h"
#include "datasets/io/json_table.h"

static const JsonTable method_table = JSON_TABLE_STRICT(
    AcceptedMethod, NULL, JSON_FIELD(AcceptedMethod, method, NAME), JSON_FIELD(AcceptedMethod, cells, COUNT),
    JSON_FIELD_AS(AcceptedMethod, e_rms.samples, COUNT, "seeds", WRITTEN),
    JSON_FIELD_AS(AcceptedMethod, e_rms.value, AMOUNT, "e_rms", WRITTEN),
    JSON_FIELD_AS(AcceptedMethod, e_rms.low, AMOUNT, "low", WRITTEN),
    JSON_FIELD_AS(AcceptedMethod, e_rms.high, AMOUNT, "high", WRITTEN));

static const JsonTable change_table = JSON_TABLE_STRICT(
    AcceptedChange, NULL, JSON_FIELD(AcceptedChange, name, LABEL),
    JSON_FIELD_AS(AcceptedChange, open, FLAG, "open", OMITTED), JSON_FIELD(AcceptedChange, date, STAMP),
    JSON_FIELD_AS(AcceptedChange, since, STAMP, "since", OMITTED),
    JSON_FIELD_AS(AcceptedChange, reason, TEXT, "reason", OMITTED), JSON_FIELD(AcceptedChange, worse, COUNT),
    JSON_FIELD(AcceptedChange, found, TEXT), JSON_FIELD(AcceptedChange, greatest, TEXT));

static const JsonTable accepted_table =
    JSON_TABLE_STRICT(Accepted, NULL, JSON_FIELD(Accepted, date, STAMP), JSON_FIELD(Accepted, after, STAMP),
                      JSON_FIELD(Accepted, reason, TEXT), JSON_FIELD(Accepted, found, TEXT),
                      JSON_LIST(Accepted, changes, change_count, "changes", &change_table, WRITTEN),
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
    memory_free(accepted->changes);
    *accepted = (Accepted){.methods = NULL};
}

/* ---- writing ---- */

/* Writes `before` and then the object in one line. Takes ownership of the object. */
static Status json_line_write(const char *before, json_t *object, FILE *file)
{
    json_auto_t *owned = object;
    OWNED_BY(free) char *text = owned ? json_dumps(owned, JSON_ENCODE_ANY | JSON_REAL_PRECISION(10)) : NULL;
    ALLOCATED(text, "the accepted results");
    fprintf(file, "%s%s", before, text);
    return status_ok();
}

Status accepted_write(const Accepted *accepted, const char *path)
{
    CLEANUP(atomic_path_discard) AtomicPath output = {0};
    OWNED_BY(fclose) FILE *file = NULL;
    STATUS_TRY(atomic_path_start(path, OUTPUT_UPDATE, &output));
    STATUS_TRY(stream_create(output.temporary, "w", path, &file));
    STATUS_TRY(json_line_write("{\n  \"date\": ", json_text(accepted->date), file));
    STATUS_TRY(json_line_write(",\n  \"after\": ", json_text(accepted->after), file));
    STATUS_TRY(json_line_write(",\n  \"reason\": ", json_text(accepted->reason), file));
    STATUS_TRY(json_line_write(",\n  \"found\": ", json_text(accepted->found), file));
    fprintf(file, ",\n  \"changes\": [");
    for (int i = 0; i < accepted->change_count; i++)
        STATUS_TRY(json_line_write(i > 0 ? ",\n    " : "\n    ",
                                   json_write(&change_table, &accepted->changes[i]), file));
    fprintf(file, "%s],\n  \"methods\": [", accepted->change_count > 0 ? "\n  " : "");
    for (int i = 0; i < accepted->method_count; i++)
        STATUS_TRY(json_line_write(i > 0 ? ",\n    " : "\n    ",
                                   json_write(&method_table, &accepted->methods[i]), file));
    fprintf(file, "\n  ]\n}\n");
    STATUS_TRY(stream_finish(TAKE(file), path));
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
    return a->cells == b->cells && a->e_rms.samples == b->e_rms.samples;
}

Status accepted_compare(const Accepted *accepted, const Accepted *run, Findings *out)
{
    for (int i = 0; i < accepted->method_count + run->method_count; i++) {
        const bool is_new = i >= accepted->method_count;
        const AcceptedMethod *line =
            is_new ? &run->methods[i - accepted->method_count] : &accepted->methods[i];
        const AcceptedMethod *now = method_find(run, line->method);
        char cell[FINDING_CELL_BYTES], note[FINDING_NOTE_BYTES] = "";
        snprintf(cell, sizeof cell, ANY_MACHINE "%s", line->method);
        GuardFinding finding = finding_of(FINDING_SAME, cell, "e_rms of all cells");
        if (is_new && method_find(accepted, line->method))
            continue;
        finding.method = line->method;
        finding.note = note;
        finding.base = is_new ? NAN : line->e_rms.value;
        finding.fresh = now ? now->e_rms.value : NAN;
        finding.ratio = finding.fresh / finding.base;
        if (is_new || !now) {
            finding.kind = is_new ? FINDING_NEW : FINDING_VANISHED;
        } else if (!same_cells(line, now)) {
            finding.kind = now->cells > line->cells ? FINDING_NEW : FINDING_CHANGED;
            snprintf(note, sizeof note, "%d cells, %d seeds; accepted: %d cells, %d seeds", now->cells,
                     now->e_rms.samples, line->cells, line->e_rms.samples);
        } else {
            finding.kind = seed_spread_judge(&line->e_rms, now->e_rms.value);
            if (line->e_rms.samples > 1)
                snprintf(note, sizeof note, "median of %d seeds; accepted: %.6g to %.6g", line->e_rms.samples,
                         line->e_rms.low, line->e_rms.high);
        }
        STATUS_TRY(findings_add(out, &finding));
    }
    for (int i = 0; i < accepted->change_count; i++) {
        const AcceptedChange *change = &accepted->changes[i];
        char cell[FINDING_CELL_BYTES], note[FINDING_NOTE_BYTES];
        GuardFinding finding = finding_of(FINDING_OPEN, cell, "");
        snprintf(cell, sizeof cell, "not accepted on %s: %s", change->date, change->name);
        snprintf(note, sizeof note, "on %.10s, against %.12s: %.180s", change->date, change->since,
                 change->found);
        finding.method = change->name;
        finding.note = note;
        if (change->open)
            STATUS_TRY(findings_add(out, &finding));
    }
    return status_ok();
}

/* ---- accepting what is named ---- */

static bool is_named(const GuardFinding *finding, const char *name)
{
    return strcmp(name, "all") == 0 || strcmp(name, finding->method) == 0 || strcmp(name, finding->cell) == 0;
}

static bool is_named_by_any(const GuardFinding *finding, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (is_named(finding, names[i]))
            return true;
    return false;
}

static Status names_check(const Findings *findings, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        bool known = strcmp(names[i], "all") == 0, changed = known;
        for (int k = 0; k < findings->count; k++) {
            const GuardFinding *finding = &findings->items[k];
            const bool named = is_named(finding, names[i]);
            known |= named;
            changed |= named && (finding_fails(finding->kind) || finding->kind == FINDING_NEW);
        }
        if (!known)
            return bad_usage("%s is not the name of a method or a cell of this run, nor \"all\"", names[i]);
        if (!changed)
            return bad_usage("%s has nothing to accept, because nothing of it changed", names[i]);
    }
    return status_ok();
}

/* Adds a change for every method that has failing findings that are named. If `open`, adds one for every
 * method that has failing findings that are not named, but not for changes that were open before. */
static Status changes_add(const Findings *findings, const char *const *names, int count, bool open,
                          Accepted *run)
{
    LOCAL_ARRAY(GuardFinding, items, findings->count + 1, "the acceptance");
    Findings chosen = {.items = items};
    OWNED MethodSummary *methods = NULL;
    int method_count = 0;
    for (int i = 0; i < findings->count; i++) {
        const GuardFinding *finding = &findings->items[i];
        const bool other = finding_fails(finding->kind) && is_named_by_any(finding, names, count) == open;
        if (!other && (!open || finding->kind != FINDING_OPEN))
            items[chosen.count++] = *finding;
    }
    STATUS_TRY(methods_summarize(&chosen, &methods, &method_count));
    for (int i = 0; i < method_count; i++) {
        const MethodSummary *method = &methods[i];
        if (method->rank == 1) /* faster or new, which does not fail */
            continue;
        GROW(run->changes, run->change_count, "the acceptance");
        AcceptedChange *change = &run->changes[run->change_count++];
        *change = (AcceptedChange){.open = open, .worse = method->worse};
        snprintf(change->name, sizeof change->name, "%.90s", method->method);
        snprintf(change->date, sizeof change->date, "%s", run->date);
        if (open && findings->source_count > 0)
            snprintf(change->since, sizeof change->since, "%s", findings->sources[0].base_commit);
        if (!open)
            snprintf(change->reason, sizeof change->reason, "%s", run->reason);
        snprintf(change->found, sizeof change->found, "%s", method->text);
        if (!method->text[0])
            snprintf(change->found, sizeof change->found, "%d numbers differ by rounding, by at most %.2g",
                     method->rounding, method->rounding_most);
        const GuardFinding *most = &method->greatest;
        if (most->of)
            snprintf(change->greatest, sizeof change->greatest, "%.500s", most->cell);
        if (most->of && most->of[0])
            text_append(change->greatest, sizeof change->greatest, ": %.60s %.6g to %.6g", most->of,
                        most->base, most->fresh);
    }
    return status_ok();
}

Status accepted_follow(const Accepted *before, const Findings *findings, const char *const *names, int count,
                       Accepted *run)
{
    OWNED AcceptedMethod *methods = NULL;
    int kept = 0;
    STATUS_TRY(names_check(findings, names, count));
    STATUS_TRY(changes_add(findings, names, count, false, run));
    STATUS_TRY(changes_add(findings, names, count, true, run));
    /* Keep an accepted change of the past unless its method is accepted again now, and an open change until
     * it is named. */
    const int added = run->change_count;
    for (int i = 0; i < before->change_count; i++) {
        const AcceptedChange *change = &before->changes[i];
        AcceptedChange *now = NULL; /* the change of the same name that is accepted now */
        for (int k = added - 1; k >= 0; k--)
            if (!run->changes[k].open && strcmp(run->changes[k].name, change->name) == 0)
                now = &run->changes[k];
        GuardFinding finding = finding_of(FINDING_OPEN, "", "");
        finding.method = change->name;
        const bool named = is_named_by_any(&finding, names, count);
        if (now && named && change->open) {
            now->worse += change->worse;
            if (!now->greatest[0])
                memcpy(now->greatest, change->greatest, sizeof now->greatest);
        }
        if (change->open ? named : now != NULL)
            continue;
        GROW(run->changes, run->change_count, "the acceptance");
        run->changes[run->change_count++] = *change;
    }
    /* copy the lines of the methods of the run, then those of methods that the run lacks */
    for (int i = 0; i < run->method_count + before->method_count; i++) {
        const bool ran = i < run->method_count;
        const AcceptedMethod *line = ran ? &run->methods[i] : &before->methods[i - run->method_count],
                             *old = method_find(before, line->method);
        char cell[FINDING_CELL_BYTES];
        snprintf(cell, sizeof cell, ANY_MACHINE "%s", line->method);
        GuardFinding finding = finding_of(FINDING_SAME, cell, "");
        finding.method = line->method;
        const bool named = is_named_by_any(&finding, names, count);
        if (ran && old &&
            (!named ||
             (same_cells(old, line) && seed_spread_judge(&old->e_rms, line->e_rms.value) == FINDING_SAME)))
            line = old;
        const bool is_new = ran && !old, vanished = !ran && !method_find(run, line->method);
        if (is_new ? !named : !ran && (named || !vanished))
            continue;
        GROW(methods, kept, "the acceptance");
        methods[kept++] = *line;
    }
    memory_free(run->methods);
    run->methods = TAKE(methods);
    run->method_count = kept;
    return status_ok();
}
