/* Creates, releases and queries records. */
#include "harness/records/record/record.h"

const char *const record_status_names[RECORD_STATUS_COUNT + 1] = {
    [RECORD_OK] = "ok", [RECORD_SKIPPED] = "skipped", [RECORD_WRONG] = "wrong", [RECORD_FAILED] = "failed"};

Record record_of(Cell *cell)
{
    Record record = {.cell = *cell,
                     .machine = "",
                     .status = RECORD_FAILED,
                     .reason = "",
                     .device = "",
                     .timing = timing_none(),
                     .joint_sets = -1,
                     .fit = {.size_bytes = NAN}};
    *cell = (Cell){0};
    return record;
}

void record_set_text(const char **text, const char *value)
{
    if (*text && **text)
        memory_free((char *)*text);
    char line[REASON_BYTES];
    const char *copy = text_escape(line, sizeof line, value) > 0 ? memory_text(line) : NULL;
    *text = copy ? copy : "";
}

void record_clear(Record *record)
{
    record_fail(record, RECORD_FAILED, ""); /* releases the reason and the measurements */
    record_set_text(&record->device, "");
    cell_clear(&record->cell);
    FREE_ALL(record->counters, record->fit.descent, record->fit.stages, record->fit.trials, record->external);
    *record = record_of(&record->cell);
}

Status record_set_counters(Record *record, const RecordCounter *counters, int count)
{
    ALLOCATE(record->counters, count, "the counters of a result");
    if (count > 0)
        memcpy(record->counters, counters, (size_t)count * sizeof *counters);
    record->counter_count = count;
    return status_ok();
}

void record_fail(Record *record, RecordStatus status, const char *reason)
{
    record->status = status;
    record_set_text(&record->reason, reason);
    measures_clear(&record->metrics);
    measures_clear(&record->held);
    measures_clear(&record->measures);
    timing_clear(&record->timing);
}

RecordStatus record_status_of(StatusCode code)
{
    if (code == STATUS_OK)
        return RECORD_OK;
    if (code == STATUS_CHECK_FAILED)
        return RECORD_WRONG;
    return code == STATUS_UNAVAILABLE || code == STATUS_BAD_INPUT ? RECORD_SKIPPED : RECORD_FAILED;
}

bool record_is_final(const Record *record)
{
    return record->status == RECORD_OK || record->status == RECORD_WRONG;
}

double record_metric(const Record *record, const char *name)
{
    return record ? measures_value(&record->metrics, name) : NAN;
}

double record_stage_median_s(const Record *record, Stage stage)
{
    return record ? timing_stage(&record->timing, stage)->statistics.median : NAN;
}

const Interval *record_derived(const Record *record, Derived derived)
{
    static const Interval none = {NAN, NAN, NAN};
    return record ? &record->timing.derived[derived] : &none;
}

static const DescentPoint *descent_after(const Record *record, int iteration)
{
    for (int i = 0; record && i < record->fit.descent_count; i++)
        if (record->fit.descent[i].iteration == iteration)
            return &record->fit.descent[i];
    return NULL;
}

double record_e_rms_after(const Record *record, int iteration)
{
    const DescentPoint *point = descent_after(record, iteration);
    return point ? point->e_rms : NAN;
}

double record_elapsed_after_s(const Record *record, int iteration)
{
    const DescentPoint *point = descent_after(record, iteration);
    return point ? point->elapsed_s : NAN;
}

double record_measure(const Record *record, const char *name)
{
    return record ? measures_value(&record->measures, name) : NAN;
}

const Measure *record_curve(const Record *record, const char *name)
{
    const Measure *measure = record ? measures_find(&record->measures, name) : NULL;
    return measure && measure->curve ? measure : NULL;
}

void time_stamp(char text[TIME_STAMP_BYTES])
{
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(text, TIME_STAMP_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts);
}
