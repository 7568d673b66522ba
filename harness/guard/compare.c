/* Compares the metrics of two result files cell by cell. */
#include "harness/guard/compare.h"

#include "datasets/base/memory.h"
#include "harness/metrics/metrics.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static Status finding_add(Comparison *out, const Record *record, const char *kind, const char *of,
                          double base, double fresh)
{
    CellFinding *findings = memory_grow(out->findings, (size_t)out->finding_count, sizeof *findings);
    if (!findings)
        return status_out_of_memory("the comparison");
    out->findings = findings;
    CellFinding *finding = &out->findings[out->finding_count++];
    *finding = (CellFinding){.base = base, .fresh = fresh, .ratio = fresh / base, .low = NAN, .high = NAN};
    cell_format(&record->cell, finding->cell, sizeof finding->cell);
    snprintf(finding->kind, sizeof finding->kind, "%s", kind);
    snprintf(finding->of, sizeof finding->of, "%s", of);
    return status_ok();
}

/* A guarded metric may move the worse way by `tolerance`, a share, and its slack; what is not a number any
 * more is worse. */
static Status metrics_compare(const Record *base, const Record *fresh, double tolerance, Comparison *out)
{
    int count = 0;
    const Metric *rows = metric_rows(&count);
    Status status = status_ok();
    for (int i = 0; i < count && status.code == STATUS_OK; i++) {
        double before = record_metric(base, rows[i].name), after = record_metric(fresh, rows[i].name);
        if (!rows[i].guarded || isnan(before))
            continue;
        bool above = !(after <= before * (1.0 + tolerance) + rows[i].slack);
        bool below = !(after >= before * (1.0 - tolerance) - rows[i].slack);
        bool worse = rows[i].better == METRIC_LOWER ? above : below;
        bool better = !worse && (above || below);
        out->worse += worse;
        out->better += better;
        if (worse || better)
            status = finding_add(out, base, worse ? "worse" : "better", rows[i].name, before, after);
    }
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

static Status times_compare(const Record *base, const Record *fresh, Comparison *out)
{
    int before_samples = 0, after_samples = 0;
    const Interval before = record_time(base, &before_samples), after = record_time(fresh, &after_samples);
    if (strcmp(base->environment, fresh->environment) != 0 || isnan(before.median) || isnan(after.median))
        return status_ok();
    Status status = finding_add(
        out, base, "time", base->timing.rounds >= 0 ? "timing.ns_per_vertex.median" : "timing.total.median_s",
        before.median, after.median);
    if (status.code != STATUS_OK)
        return status;
    CellFinding *finding = &out->findings[out->finding_count - 1];
    finding->samples = before_samples < after_samples ? before_samples : after_samples;
    finding->disturbed = timing_is_disturbed(&base->timing) || timing_is_disturbed(&fresh->timing);
    if (finding->samples >= INTERVAL_SAMPLES_MIN) {
        finding->low = after.low / before.high;
        finding->high = after.high / before.low;
    }
    return status;
}

static Status cell_compare(const Record *base, const RecordStore *fresh, double tolerance, Comparison *out)
{
    const Record *after = record_store_find(fresh, &base->cell, base->machine);
    Status status;
    if (!after)
        after = record_store_find(fresh, &base->cell, NULL);
    out->cells++;
    if (!after || after->status != RECORD_OK) {
        out->vanished++;
        return finding_add(out, base, "vanished", after ? record_status_names[after->status] : "not there",
                           NAN, NAN);
    }
    STATUS_TRY(metrics_compare(base, after, tolerance, out));
    STATUS_TRY(times_compare(base, after, out));
done:
    return status;
}

Status records_compare(const RecordStore *base, const RecordStore *fresh, double tolerance, Comparison *out)
{
    Status status = status_ok();
    *out = (Comparison){0};
    for (const Record *record = NULL; (record = record_store_next(base, record)) != NULL;)
        if (record->status == RECORD_OK && record->cell.kind != CELL_ROW && record->cell.kind != CELL_NOISE &&
            status.code == STATUS_OK)
            status = cell_compare(record, fresh, tolerance, out);
    return status;
}

void comparison_clear(Comparison *comparison)
{
    memory_free(comparison->findings);
    *comparison = (Comparison){0};
}
