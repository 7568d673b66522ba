/* Compares two result files cell by cell and number by number. */
#include "harness/records/guard/compare.h"

#include "datasets/base/memory.h"
#include "harness/records/guard/guarded_numbers.h"
#include "methods/runtime/simd_levels.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

bool environments_compute_alike(const Environment *a, const Environment *b)
{
    const struct {
        const char *a, *b;
    } texts[] = {{a->compiler, b->compiler}, {a->flags, b->flags},         {a->build_type, b->build_type},
                 {a->openblas, b->openblas}, {a->cpu_model, b->cpu_model}, {a->architecture, b->architecture},
                 {a->libc, b->libc}};
    bool alike = a->level_count == b->level_count;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        alike = alike && strcmp(texts[i].a, texts[i].b) == 0;
    for (int i = 0; i < a->level_count && alike; i++)
        alike = strcmp(a->levels[i], b->levels[i]) == 0;
    for (int i = 0; i < BACKEND_COUNT; i++)
        alike = alike && strcmp(a->devices[i], b->devices[i]) == 0;
    return alike;
}

const Environment *record_environment(const RecordStore *store, const Record *record)
{
    int count = 0;
    const EnvironmentRecord *environments = record_store_environments(store, &count);
    for (int i = count; i-- > 0;)
        if (strcmp(environments[i].environment.hash, record->environment) == 0)
            return &environments[i].environment;
    return NULL;
}

void environment_line(const RecordStore *store, char text[ENVIRONMENT_LINE_BYTES])
{
    int count = 0;
    const EnvironmentRecord *environments = record_store_environments(store, &count);
    text[0] = '\0';
    if (count == 0)
        return;
    const Environment *last = &environments[count - 1].environment;
    snprintf(text, ENVIRONMENT_LINE_BYTES, "%.400s; %.100s, %.40s; %.200s; commit %.12s%s", last->machine,
             last->compiler, last->build_type, last->openblas, last->commit,
             last->dirty ? ", with changes not committed" : "");
}

/* What two records of a cell are compared by. */
typedef struct Judge {
    const Record *base;
    const char *cell;
    const CompareOptions *options;
    bool alike;
    Findings *out;
} Judge;

static Status number_judge(const Judge *judge, const GuardedNumber *base, double after)
{
    const double before = base->value, stated = judge->options->tolerance;
    const double bound = measures_value(&judge->base->bounds, base->name);
    const double tolerance = isnan(stated) ? COMPARE_TOLERANCE : stated;
    double allowed = fmax(tolerance * fabs(before), COMPARE_ROUNDING * base->scale);
    const bool open = isnan(stated) && !judge->alike;
    if (open && bound > allowed)
        allowed = bound;
    if ((isnan(before) && isnan(after)) || fabs(after - before) <= allowed)
        return status_ok();
    const bool above = after > before || isnan(after), lower = base->better == METRIC_LOWER;
    const FindingKind kind = open && isnan(bound)             ? FINDING_UNSURE
                             : base->better == METRIC_NEITHER ? FINDING_CHANGED
                             : above == lower                 ? FINDING_WORSE
                                                              : FINDING_BETTER;
    GuardFinding finding = finding_of(kind, judge->cell, base->name);
    finding.base = before;
    finding.fresh = after;
    finding.ratio = after / before;
    finding.bound = allowed;
    if (kind == FINDING_UNSURE)
        snprintf(finding.note, sizeof finding.note,
                 "computed in another environment, for which the base states no bound");
    return findings_add(judge->out, &finding);
}

/* A number that the base has and the new run lacks has vanished; the other way it is new. */
static Status numbers_judge(const Judge *judge, const Record *fresh)
{
    GuardedNumbers before = {0}, after = {0};
    Status status;
    STATUS_TRY(guarded_numbers_of(judge->base, &before));
    STATUS_TRY(guarded_numbers_of(fresh, &after));
    for (int i = 0; i < before.count; i++) {
        const GuardedNumber *now = guarded_number_find(&after, before.items[i].name);
        const GuardFinding gone = finding_of(FINDING_VANISHED, judge->cell, before.items[i].name);
        STATUS_TRY(now ? number_judge(judge, &before.items[i], now->value) : findings_add(judge->out, &gone));
    }
    for (int i = 0; i < after.count; i++) {
        GuardFinding added = finding_of(FINDING_NEW, judge->cell, after.items[i].name);
        added.fresh = after.items[i].value;
        if (!guarded_number_find(&before, after.items[i].name))
            STATUS_TRY(findings_add(judge->out, &added));
    }
done:
    guarded_numbers_clear(&before);
    guarded_numbers_clear(&after);
    return status;
}

/* What was timed in rounds, else the whole of a fit. */
static Interval record_time(const Record *record, int *samples)
{
    const StageTime *total = &record->timing.stages[STAGE_TOTAL];
    const bool rounds = record->timing.rounds >= 0;
    *samples = rounds ? record->timing.rounds : total->sample_count;
    return rounds ? *record_derived(record, DERIVED_NS_PER_VERTEX)
                  : (Interval){total->statistics.median, total->statistics.interval_low,
                               total->statistics.interval_high};
}

static Status times_show(const Judge *judge, const Record *fresh)
{
    const Record *base = judge->base;
    int before_samples = 0, after_samples = 0;
    const Interval before = record_time(base, &before_samples), after = record_time(fresh, &after_samples);
    if ((strcmp(base->environment, fresh->environment) != 0 && !judge->options->times) ||
        isnan(before.median) || isnan(after.median))
        return status_ok();
    GuardFinding finding =
        finding_of(FINDING_TIME, judge->cell,
                   base->timing.rounds >= 0 ? "timing.ns_per_vertex.median" : "timing.total.median_s");
    finding.base = before.median;
    finding.fresh = after.median;
    finding.ratio = after.median / before.median;
    finding.samples = before_samples < after_samples ? before_samples : after_samples;
    finding.disturbed = timing_is_disturbed(&base->timing) || timing_is_disturbed(&fresh->timing);
    if (finding.samples >= INTERVAL_SAMPLES_MIN) {
        finding.low = after.low / before.high;
        finding.high = after.high / before.low;
    }
    return findings_add(judge->out, &finding);
}

/* A whole cell, and why. */
static Status cell_finding_add(Findings *out, FindingKind kind, const char *cell, const char *why,
                               const char *reason)
{
    GuardFinding finding = finding_of(kind, cell, "");
    snprintf(finding.note, sizeof finding.note, "%.32s%s%.200s", why, reason[0] ? ": " : "", reason);
    return findings_add(out, &finding);
}

/* What a base of a lesser processor holds of a cell: the same at the greatest level below that has numbers, whose bounds
 * cover what levels differ by (baseline.h); NULL: nothing. */
static const Record *record_of_lower_level(const RecordStore *store, const Cell *cell)
{
    const Record *found = NULL;
    if (cell->level[0] == '\0')
        return NULL;
    for (const char *const *level = simd_levels_built; *level && strcmp(*level, cell->level) != 0; level++) {
        Cell lower = *cell;
        snprintf(lower.level, sizeof lower.level, "%s", *level);
        const Record *record = record_store_find(store, &lower, NULL);
        if (record && record->status == RECORD_OK)
            found = record;
    }
    return found;
}

static Status cell_compare(const RecordStore *base_store, const Record *base, const RecordStore *fresh_store,
                           const CompareOptions *options, Findings *out)
{
    char cell[FINDING_CELL_BYTES];
    const Record *fresh = record_store_find(fresh_store, &base->cell, NULL);
    const int before = out->count;
    Status status = status_ok();
    cell_format(&base->cell, cell, sizeof cell);
    const bool runs = fresh && fresh->status == RECORD_OK;
    const Record *lower =
        runs && base->status != RECORD_OK ? record_of_lower_level(base_store, &base->cell) : NULL;
    if (base->status != RECORD_OK && !lower)
        return cell_finding_add(out, runs ? FINDING_NEW : FINDING_SKIPPED, cell, "skipped in the base",
                                base->reason);
    if (!fresh)
        return cell_finding_add(out, FINDING_VANISHED, cell, "not there", "");
    if (fresh->status != RECORD_OK) {
        const bool elsewhere = fresh->status == RECORD_SKIPPED && strcmp(base->machine, fresh->machine) != 0;
        return cell_finding_add(out, elsewhere ? FINDING_SKIPPED : FINDING_VANISHED, cell,
                                record_status_names[fresh->status], fresh->reason);
    }
    const Environment *a = record_environment(base_store, base), *b = record_environment(fresh_store, fresh);
    const bool alike =
        a && b ? environments_compute_alike(a, b) : strcmp(base->environment, fresh->environment) == 0;
    const Judge judge = {
        .base = lower ? lower : base, .cell = cell, .options = options, .alike = alike && !lower, .out = out};
    STATUS_TRY(numbers_judge(&judge, fresh));
    if (out->count == before)
        STATUS_TRY(cell_finding_add(out, FINDING_SAME, cell, "", ""));
    if (!lower)
        STATUS_TRY(times_show(&judge, fresh));
done:
    return status;
}

Status store_is_of_one_machine(const RecordStore *store, const char *path)
{
    RecordView *views = NULL;
    int view_count = 0, run_count = 0, cells = 0;
    const EnvironmentRecord *runs = record_store_environments(store, &run_count);
    Status status;
    STATUS_TRY(record_views(store, &views, &view_count));
    if (view_count > 1)
        STATUS_TRY(
            status_make(STATUS_BAD_INPUT,
                        "%s: holds the results of %d machines (%.200s; %.200s), and one is compared with "
                        "one",
                        path, view_count, views[0].machine, views[1].machine));
    for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;)
        cells++;
    for (int i = 0; i < run_count; i++)
        if (runs[i].accepted.reason[0] && runs[i].accepted.cells != cells)
            STATUS_TRY(status_make(STATUS_BAD_INPUT, "%s: is a baseline of %d cells and holds %d: not whole",
                                   path, runs[i].accepted.cells, cells));
done:
    memory_free(views);
    return status;
}

Status records_compare(const RecordStore *base, const char *base_path, const RecordStore *fresh,
                       const char *fresh_path, const CompareOptions *options, Findings *out)
{
    Status status;
    *out = (Findings){0};
    STATUS_TRY(store_is_of_one_machine(base, base_path));
    STATUS_TRY(store_is_of_one_machine(fresh, fresh_path));
    for (const Record *record = NULL; (record = record_store_next(base, record)) != NULL;)
        if (record_is_guarded(record))
            STATUS_TRY(cell_compare(base, record, fresh, options, out));
    for (const Record *record = NULL; (record = record_store_next(fresh, record)) != NULL;) {
        char cell[FINDING_CELL_BYTES];
        if (!record_is_guarded(record) || record_store_find(base, &record->cell, NULL))
            continue;
        cell_format(&record->cell, cell, sizeof cell);
        const bool runs = record->status == RECORD_OK;
        STATUS_TRY(cell_finding_add(out, runs ? FINDING_NEW : FINDING_SKIPPED, cell,
                                    runs ? "not in the base" : record_status_names[record->status],
                                    record->reason));
    }
done:
    return status;
}
