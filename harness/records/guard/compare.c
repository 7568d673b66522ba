/* Compares two result files cell by cell and number by number. */
#include "harness/records/guard/compare.h"

#include "datasets/io/atomic_path.h"
#include "harness/records/guard/guarded_numbers.h"
#include "harness/records/record/record_numbers.h"

/* Describes the last run of a store. */
static void side_format(const RecordStore *store, const char *path, char text[SIDE_BYTES],
                        char commit[COMMIT_BYTES])
{
    int count = 0;
    const EnvironmentRecord *environments = record_store_environments(store, &count);
    snprintf(text, SIDE_BYTES, "%.200s", path + output_path_folder_length(path));
    if (count == 0)
        return;
    const Environment *last = &environments[count - 1].environment;
    snprintf(commit, COMMIT_BYTES, "%.40s%s", last->commit, last->dirty ? "+changes" : "");
    text_append(text, SIDE_BYTES, ", %.400s; %.100s, %.40s; %.200s; commit %.12s%s", last->machine,
                last->compiler, last->build_type, last->openblas, last->commit,
                last->dirty ? ", with uncommitted changes" : "");
}

FindingSource source_of_runs(const RecordStore *base, const char *base_path, const RecordStore *fresh,
                             const char *fresh_path)
{
    FindingSource out = {.part = "accuracy"};
    if (base)
        side_format(base, base_path, out.base, out.base_commit);
    side_format(fresh, fresh_path, out.fresh, out.commit);
    return out;
}

/* ---- pairs of cells ---- */

/* Whether a parameter is part of a fit's task. Fits with different values of such a parameter are different
 * cells. */
static bool is_of_task(const char *name)
{
    static const char *const names[] = {"bones", "influences", "iterations", "time_limit_s",
                                        "error", "holdout",    "seed"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Whether `a` and `b` have equal values of all parameters of `a` that the method of `b` has as well. */
static bool parameters_agree(const Argument *a, const Argument *b)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)a, name, value)
    {
        const Argument *other = argument_find(b, name);
        if (other ? !argument_equal(value, other) : is_of_task(name))
            return false;
    }
    return true;
}

/* Returns the record of a store whose cell may correspond to a given record of another store; NULL if there
 * is none or more than one. */
static const Record *record_alike(const RecordStore *store, const RecordStore *other, const Record *original)
{
    const Cell *cell = &original->cell;
    const Record *match = record_store_find_same(other, original);
    const RecordView all = {other, NULL, 0};
    int count = 0;
    if (match)
        return match;
    for (const Record *record = NULL; (record = record_view_next_of(&all, cell->dataset.sha256, record));) {
        Cell alike = record->cell;
        alike.parameters = cell->parameters;
        if (alike.frames == cell->frames && strcmp(alike.study, cell->study) == 0 &&
            strcmp(alike.table, cell->table) == 0 && strcmp(alike.row, cell->row) == 0 &&
            cell_same_setting(&alike, cell) && parameters_agree(cell->parameters, record->cell.parameters) &&
            parameters_agree(record->cell.parameters, cell->parameters) &&
            !record_store_find_same(store, record)) {
            match = record;
            count++;
        }
    }
    return count == 1 ? match : NULL;
}

/* Finds the record of the same cell in another store; NULL if there is none. If a method has gained or lost
 * a parameter between the two runs, the keys of its cells differ. Two cells are then paired if they agree
 * in all common parameters and no third cell does. */
static const Record *record_of_pair(const RecordStore *store, const RecordStore *other, const Record *record)
{
    const Record *pair = record_alike(store, other, record);
    return pair && record_alike(other, store, pair) == record ? pair : NULL;
}

/* ---- numbers ---- */

typedef struct Comparison {
    const RecordStore *base, *fresh;
    const CompareOptions *options;
    Findings *out;
} Comparison;

/* Finds a number by its name, first at the index at which another record of the cell has it. */
static bool is_at(const Record *record, int index, const char *name, RecordNumber *out)
{
    return (record_number_at(record, index, out) && strcmp(out->name, name) == 0) ||
           record_number_find(record, name, out);
}

static Status number_compare(const Comparison *comparison, const RecordNumber *base, double after,
                             const char *cell)
{
    const double before = base->number.value;
    if (before == after || (isnan(before) && isnan(after)) ||
        fabs(after - before) <= comparison->options->tolerance * fabs(before))
        return status_ok();
    const bool above = after > before || isnan(after), lower = base->better == METRIC_LOWER;
    const FindingKind kind = base->better == METRIC_NEITHER ? FINDING_CHANGED
                             : above == lower               ? FINDING_WORSE
                                                            : FINDING_BETTER;
    GuardFinding finding = finding_of(kind, cell, base->alias);
    finding.base = before;
    finding.fresh = after;
    finding.ratio = after / before;
    return findings_add(comparison->out, &finding);
}

/* ---- cells ---- */

/* Adds a finding for a whole cell, with the reason. */
static Status cell_finding_add(Findings *out, FindingKind kind, const char *cell, const char *why,
                               const char *reason)
{
    GuardFinding finding = finding_of(kind, cell, "");
    char note[FINDING_NOTE_BYTES];
    snprintf(note, sizeof note, "%.32s%s%.200s", why, reason[0] ? ": " : "", reason);
    finding.note = note;
    return findings_add(out, &finding);
}

/* Gives the findings of a cell, which begin at index `first`, its method and its backend. */
static Status method_set(Findings *out, int first, const Cell *cell)
{
    char study[CELL_METHOD_BYTES + sizeof "study "];
    if (cell->kind != CELL_STUDY)
        return findings_set_method(out, first, cell->method, cell->backend);
    snprintf(study, sizeof study, "study %s", cell->study);
    return findings_set_method(out, first, study, "");
}

/* Compares one cell of the base with its new record. If the cell is a further seed of a fit, its findings
 * are listed under the name of the first seed. */
static Status cell_compare(const Comparison *comparison, const Record *base, const char *cell)
{
    const Record *fresh = record_of_pair(comparison->base, comparison->fresh, base);
    Findings *out = comparison->out;
    const int before = out->count, seed = cell_seed(&base->cell);
    const bool ran = base->status == RECORD_OK, runs = fresh && fresh->status == RECORD_OK;
    if (!ran && !runs)
        return cell_finding_add(out, FINDING_SKIPPED, cell, record_status_names[base->status], base->reason);
    if (!ran)
        return cell_finding_add(out, FINDING_APPEARED, cell, "the base run skipped it", base->reason);
    if (!runs)
        return cell_finding_add(out, FINDING_VANISHED, cell,
                                fresh ? record_status_names[fresh->status] : "not there",
                                fresh ? fresh->reason : "");
    /* a number that exists on only one side counts as vanished or appeared */
    RecordNumber was, is;
    for (int i = 0; record_number_at(base, i, &was); i++) {
        GuardFinding gone = finding_of(FINDING_VANISHED, cell, was.alias);
        gone.base = was.number.value;
        if (was.guarded)
            STATUS_TRY(is_at(fresh, i, was.name, &is)
                           ? number_compare(comparison, &was, is.number.value, cell)
                           : findings_add(out, &gone));
    }
    for (int i = 0; record_number_at(fresh, i, &is); i++) {
        GuardFinding added = finding_of(FINDING_APPEARED, cell, is.alias);
        added.fresh = is.number.value;
        if (is.guarded && !is_at(base, i, is.name, &was))
            STATUS_TRY(findings_add(out, &added));
    }
    for (int i = before; i < out->count && base->cell.kind == CELL_DECOMPOSITION && seed != 1; i++)
        STATUS_TRY(text_pool_keep(&out->texts, status_text("seed %d", seed).text, &out->items[i].note));
    /* the time, if it was measured in one environment */
    const bool in_rounds = base->cell.kind == CELL_SKINNING;
    const char *time = in_rounds ? "ns_per_vertex" : "total_s";
    if ((strcmp(base->environment, fresh->environment) != 0 && !comparison->options->times) ||
        base->cell.kind == CELL_STUDY || !record_number_find(base, time, &was) ||
        !record_number_find(fresh, time, &is))
        return status_ok();
    const SampledNumber ratio = sampled_ratio(&is.number, &was.number);
    GuardFinding finding =
        finding_of(FINDING_TIME, cell, in_rounds ? "timing.ns_per_vertex.median" : "timing.total.median_s");
    finding.base = was.number.value;
    finding.fresh = is.number.value;
    finding.ratio = ratio.value;
    finding.low = ratio.low;
    finding.high = ratio.high;
    finding.samples = ratio.samples;
    finding.disturbed = ratio.disturbed;
    return findings_add(comparison->out, &finding);
}

/* Judges a fit whose numbers differ by its E_RMS over all seeds. The base has the records of the fit from
 * `first` up to, but not including, `end`. The findings of the fit start at index `before`. */
static Status seeds_judge(const Comparison *comparison, const Record *first, const Record *end, int before,
                          const char *cell)
{
    double old_errors[SEEDS_MAX], new_errors[SEEDS_MAX];
    Findings *out = comparison->out;
    int count = 0, numbers = 0;
    for (int i = before; i < out->count; i++)
        numbers += finding_is_of_number(&out->items[i]);
    for (const Record *base = first; base != end && count < SEEDS_MAX && numbers > 0;
         base = record_store_next(comparison->base, base)) {
        const Record *fresh = record_of_pair(comparison->base, comparison->fresh, base);
        old_errors[count] = record_metric(base, "e_rms");
        new_errors[count] = record_metric(fresh, "e_rms");
        count += isfinite(old_errors[count]) && isfinite(new_errors[count]);
    }
    if (count < SEEDS_MIN)
        return status_ok();
    const SampledNumber old_spread = seed_spread_of(old_errors, count),
                        new_spread = seed_spread_of(new_errors, count);
    FindingKind kind = seed_spread_judge(&old_spread, new_spread.value);
    kind = kind == FINDING_SAME ? FINDING_MOVED : kind;
    for (int i = before; i < out->count; i++)
        if (finding_is_of_number(&out->items[i]))
            out->items[i].kind = kind;
    GuardFinding finding = finding_of(kind, cell, "median e_rms");
    finding.base = old_spread.value;
    finding.fresh = new_spread.value;
    finding.ratio = new_spread.value / old_spread.value;
    char note[FINDING_NOTE_BYTES];
    finding.note = note;
    snprintf(note, sizeof note, "%d seeds: %.6g to %.6g, now %.6g to %.6g", count, old_spread.low,
             old_spread.high, new_spread.low, new_spread.high);
    return findings_insert(out, before, &finding);
}

Status store_is_of_one_machine(const RecordStore *store, const char *path)
{
    OWNED RecordView *views = NULL;
    int count = 0;
    STATUS_TRY(record_views(store, &views, &count));
    if (count > 1)
        return bad_input(
            "%s: holds the results of %d machines (%.200s; %.200s), but only those of one can be compared",
            path, count, views[0].machine, views[1].machine);
    return status_ok();
}

Status records_compare(const RecordStore *base, const char *base_path, const RecordStore *fresh,
                       const char *fresh_path, const CompareOptions *options, Findings *out)
{
    const Comparison comparison = {base, fresh, options, out};
    char cell[FINDING_CELL_BYTES];
    STATUS_TRY(store_is_of_one_machine(base, base_path));
    STATUS_TRY(store_is_of_one_machine(fresh, fresh_path));
    // Every cell of the base; a fit with several seeds is one cell.
    for (const Record *record = record_store_next(base, NULL); record;) {
        const Record *const first = record;
        const int before = out->count;
        cell_format(&first->cell, cell, sizeof cell);
        do {
            if (record_is_guarded(record))
                STATUS_TRY(cell_compare(&comparison, record, cell));
            record = record_store_next(base, record);
        } while (record && cells_differ_in_seed(&first->cell, &record->cell));
        STATUS_TRY(seeds_judge(&comparison, first, record, before, cell));
        if (out->count == before && record_is_guarded(first))
            STATUS_TRY(cell_finding_add(out, FINDING_SAME, cell, "", ""));
        STATUS_TRY(method_set(out, before, &first->cell));
    }
    // What only the new run has; of a fit with several seeds the first.
    const Record *listed = NULL;
    for (const Record *record = NULL; (record = record_store_next(fresh, record)) != NULL;) {
        if (!record_is_guarded(record) || record_of_pair(fresh, base, record) ||
            (listed && cells_differ_in_seed(&listed->cell, &record->cell)))
            continue;
        listed = record;
        cell_format(&record->cell, cell, sizeof cell);
        const bool runs = record->status == RECORD_OK;
        STATUS_TRY(cell_finding_add(
            out, runs ? FINDING_NEW : FINDING_SKIPPED, cell,
            runs ? "the base run does not have it" : record_status_names[record->status], record->reason));
        STATUS_TRY(method_set(out, out->count - 1, &record->cell));
    }
    return status_ok();
}
