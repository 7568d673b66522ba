/* Lists the numbers of a record. They are metrics, counters, the rows below, and the measures of studies. */
#include "harness/records/record/record_numbers.h"

/* ---- numbers of all records of a kind ---- */

static SampledNumber stage_times(const Record *record, int stage, double factor)
{
    const StageTime *time = timing_stage(&record->timing, (Stage)stage);
    const Interval interval = interval_of(&time->statistics, factor);
    SampledNumber number = sampled_number(&interval, time->sample_count);
    number.series = time->samples;
    return number;
}

static SampledNumber stage_time(const Record *record, int stage)
{
    return stage_times(record, stage, 1.0);
}

/* Returns the time of a stage per frame. The record holds the time for all its frames together. */
static SampledNumber frame_stage_time(const Record *record, int stage)
{
    return stage_times(record, stage, 1.0 / record->cell.frames);
}

static SampledNumber derived(const Record *record, int which)
{
    static const Stage stages[DERIVED_COUNT] = {
        [DERIVED_NS_PER_VERTEX] = STAGE_SKIN, [DERIVED_FRAME_NS_PER_VERTEX] = STAGE_FRAME};
    const StageTime *time = timing_stage(&record->timing, stages[which]);
    SampledNumber number = sampled_number(record_derived(record, (Derived)which), record->timing.rounds);
    if ((which == DERIVED_NS_PER_VERTEX || which == DERIVED_FRAME_NS_PER_VERTEX) &&
        time->sample_count == number.samples)
        number.series = time->samples;
    return number;
}

/* Returns the highest lower bound of the time of the skin stage or of a frame (timing.h), divided by the
 * measured time. */
static SampledNumber share_of_roof(const Record *record, int which)
{
    const Roof *roof = &record->timing.roof;
    const double limit = which == DERIVED_NS_PER_VERTEX ? roof_skin_ns(roof) : roof_frame_ns(roof);
    return exact_number(roof_share(limit, record_derived(record, (Derived)which)->median));
}

/* Returns the int at an offset in the record; NAN if it is negative, or part of a fit that is not known. */
static SampledNumber count(const Record *record, int offset)
{
    const int value = *(const int *)(const void *)((const char *)record + offset);
    const bool known = offset < (int)offsetof(Record, fit) || record->fit.known;
    return exact_number(known && value >= 0 ? (double)value : NAN);
}

static SampledNumber size_bytes(const Record *record, int which)
{
    (void)which;
    return exact_number(record->fit.known ? record->fit.size_bytes : NAN);
}

#define FIT CELL_DECOMPOSITION
#define SKINNING CELL_SKINNING
#define COUNT(member) count, (int)offsetof(Record, member)
#define TIME .timed = true, .better = METRIC_LOWER
#define GUARDED .guarded = true
#define REPEATS .repeats = true

/* The numbers in the order in which they are listed. Titles are those of published tables and of the
 * comparison of machines. A value is multiplied by `factor` unless it is 0, and if `of_model` is set also by
 * the number of vertices. */
static const struct NumberRow {
    const char *name, *title;
    CellKind kind; /* derived times of peers are read by the rows of skinning */
    SampledNumber (*get)(const Record *record, int which);
    int which;
    const char *alias; /* NULL: none */
    bool timed, guarded, repeats, of_model;
    MetricBetter better;
    double factor;
} number_rows[] = {
    {"joint_sets", "", SKINNING, COUNT(joint_sets), GUARDED},
    {"vertices", "", SKINNING, COUNT(cell.dataset.vertices), REPEATS},
    {"triangles", "", SKINNING, COUNT(cell.dataset.triangles), REPEATS},
    {"joints", "", SKINNING, COUNT(cell.dataset.joints), REPEATS},
    {"size_bytes", "", FIT, size_bytes, 0, GUARDED, .better = METRIC_LOWER},
    {"size_mb", "size of the model, MB", FIT, size_bytes, 0, REPEATS, .factor = 1e-6},
    {"bones", "fewest bones", FIT, COUNT(fit.bones_delivered), GUARDED, .alias = "bones_delivered"},
    {"reduced_dimension", "", FIT, COUNT(fit.reduced_dimension), GUARDED},
    {"singular_systems", "", FIT, COUNT(fit.singular_systems), GUARDED},
    {"frame_ns_per_vertex", "frame ns/vertex", SKINNING, derived, DERIVED_FRAME_NS_PER_VERTEX, TIME},
    {"frame_ratio_to_lbs", "frame over LBS", SKINNING, derived, DERIVED_FRAME_RATIO_TO_LBS, TIME},
    {"frame_ratio_to_plain", "frame over plain loop", SKINNING, derived, DERIVED_FRAME_RATIO_TO_PLAIN, TIME},
    {"ns_per_vertex", "skin ns/vertex", SKINNING, derived, DERIVED_NS_PER_VERTEX, TIME},
    {"ratio_to_lbs", "skin over LBS", SKINNING, derived, DERIVED_RATIO_TO_LBS, TIME},
    {"ratio_to_scalar", "skin over scalar", SKINNING, derived, DERIVED_RATIO_TO_SCALAR, TIME},
    {"frame_ms", "", SKINNING, derived, DERIVED_FRAME_NS_PER_VERTEX, TIME, REPEATS, .of_model = true,
     .factor = 1e-6},
    {"skin_ms", "", SKINNING, derived, DERIVED_NS_PER_VERTEX, TIME, REPEATS, .of_model = true,
     .factor = 1e-6},
    {"pose_ms", "", SKINNING, frame_stage_time, STAGE_POSE, TIME, REPEATS, .factor = 1e3},
    {"bind_s", "", SKINNING, stage_time, STAGE_BIND, TIME, REPEATS},
    {"roof_share", "", SKINNING, share_of_roof, DERIVED_NS_PER_VERTEX, TIME, REPEATS},
    {"frame_roof_share", "", SKINNING, share_of_roof, DERIVED_FRAME_NS_PER_VERTEX, TIME, REPEATS},
    {"total_s", "seconds", FIT, stage_time, STAGE_TOTAL, TIME, .alias = "time_s"},
    {"reduction_s", "", FIT, stage_time, STAGE_REDUCTION, TIME},
    {"clustering_s", "", FIT, stage_time, STAGE_CLUSTERING, TIME},
    {"initialization_s", "", FIT, stage_time, STAGE_INITIALIZATION, TIME},
    {"sweeps_s", "", FIT, stage_time, STAGE_SWEEPS, TIME},
    {"step_s", "", FIT, stage_time, STAGE_STEP, TIME},
};
enum { ROW_COUNT = sizeof number_rows / sizeof *number_rows };

static bool row_is_of(const struct NumberRow *row, CellKind kind)
{
    return row->kind == kind || (kind == CELL_PEER && row->get == derived);
}

/* Returns the row of that name among those of a kind, or NULL. */
static const struct NumberRow *row_find(CellKind kind, const char *name)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (row_is_of(&number_rows[i], kind) &&
            (strcmp(number_rows[i].name, name) == 0 ||
             (number_rows[i].alias && strcmp(number_rows[i].alias, name) == 0)))
            return &number_rows[i];
    return NULL;
}

/* Writes a name of three parts. snprintf would take half of the time of a comparison. */
static void name_join(char out[NUMBER_NAME_BYTES], const char *before, const char *name, const char *after)
{
    const char *const parts[] = {before, name, after};
    size_t used = 0;
    for (int i = 0; i < 3; i++)
        for (const char *letter = parts[i]; *letter && used + 1 < NUMBER_NAME_BYTES; letter++)
            out[used++] = *letter;
    out[used] = '\0';
}

static RecordNumber row_read(const struct NumberRow *row, const Record *record)
{
    RecordNumber out = {.number = row->get(record, row->which),
                        .better = row->better,
                        .timed = row->timed,
                        .guarded = row->guarded};
    const double factor =
        (row->factor > 0.0 ? row->factor : 1.0) * (row->of_model ? record->cell.dataset.vertices : 1.0);
    out.number.value *= factor;
    out.number.low *= factor;
    out.number.high *= factor;
    out.number.disturbed = row->timed && timing_is_disturbed(&record->timing);
    name_join(out.name, "", row->name, "");
    name_join(out.alias, "", row->alias ? row->alias : row->name, "");
    return out;
}

/* ---- numbers that a record names itself ---- */

/* Returns the root mean square of a curve; NAN if a value of the curve is not finite. */
static double curve_root_mean_square(const Measure *curve)
{
    double sum = 0.0;
    for (int i = 0; i < curve->count; i++)
        sum += curve->curve[i] * curve->curve[i];
    return curve->count > 0 && isfinite(sum) ? sqrt(sum / curve->count) : NAN;
}

/* Gets the measure that comes `*index` places further, or reduces *index by the number of measures. Curves of
 * studies count, but not those of metrics, nor the samples of a time. */
static bool measure_find(const Measures *measures, const char *prefix, bool of_study, int *index,
                         RecordNumber *out)
{
    const Measure *measure = NULL;
    for (int i = 0; i < measures->count && !measure; i++)
        if ((!measures->items[i].curve || (of_study && !measures->items[i].timed)) && (*index)-- == 0)
            measure = &measures->items[i];
    if (!measure)
        return false;
    const Metric *metric = metric_find(measure->name);
    const bool is_distance = strncmp(measure->name, "reference_", strlen("reference_")) == 0;
    const char *suffix = measure->curve ? ".rms" : "";
    name_join(out->name, prefix, measure->name, suffix);
    name_join(out->alias, of_study ? "measures." : prefix, measure->name, suffix);
    out->number = exact_number(measure->curve ? curve_root_mean_square(measure) : measure->value);
    out->timed = measure->timed;
    out->guarded = of_study ? !measure->timed : (metric && metric->guarded) || is_distance;
    if (is_distance || (of_study && measures_samples(measures, measure->name)))
        out->better = METRIC_LOWER;
    if (strcmp(measure->name, "reference_distance_max") ==
        0) /* this measure is itself a rounding error; within the tolerance it counts as rounding */
        out->rounding = measures_value(measures, "tolerance");
    if (metric) {
        out->better = metric->better;
        out->rounding = metric->slack;
    }
    return true;
}

bool record_number_at(const Record *record, int index, RecordNumber *out)
{
    *out = (RecordNumber){.better = METRIC_NEITHER};
    if (measure_find(&record->metrics, "", false, &index, out) ||
        measure_find(&record->held, "holdout.", false, &index, out) ||
        measure_find(&record->measures, "", true, &index, out))
        return true;
    if (index < 2 * record->counter_count) {
        const RecordCounter *counter = &record->counters[index / 2];
        const bool is_max = index % 2 == 1;
        name_join(out->name, "counts.", counter->name, is_max ? ".max" : "");
        name_join(out->alias, "counts.", counter->name, is_max ? ".max" : ".mean");
        out->number = exact_number(is_max ? counter->max : counter->mean);
        out->guarded = true;
        return true;
    }
    index -= 2 * record->counter_count;
    for (int i = 0; i < ROW_COUNT; i++)
        if (row_is_of(&number_rows[i], record->cell.kind) && !number_rows[i].repeats) {
            *out = row_read(&number_rows[i], record);
            if (!isnan(out->number.value) && index-- == 0)
                return true;
        }
    return false;
}

/* Returns a name without the prefix by which tables may call metrics. */
static const char *name_of_quantity(const char *quantity)
{
    static const char prefix[] = "metrics.";
    return quantity + (strncmp(quantity, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0);
}

bool record_number_find(const Record *record, const char *quantity, RecordNumber *out)
{
    const char *name = name_of_quantity(quantity);
    const struct NumberRow *row = row_find(record->cell.kind, name);
    if (row) {
        *out = row_read(row, record);
        return !isnan(out->number.value);
    }
    for (int i = 0; record_number_at(record, i, out); i++)
        if (strcmp(out->name, name) == 0 || strcmp(out->alias, name) == 0)
            return true;
    return false;
}

const char *record_number_title(CellKind kind, const char *quantity, bool *timed)
{
    const char *name = name_of_quantity(quantity);
    const struct NumberRow *row = row_find(kind, name);
    const Metric *metric = metric_find(name);
    *timed = row && row->timed;
    if (row)
        return row->title;
    if (metric)
        return metric->title;
    return kind == SKINNING &&
                   (strncmp(name, "counts.", 7) == 0 || strcmp(name, "reference_distance_max") == 0)
               ? ""
               : NULL;
}

double number_difference(double value, double other, double rounding)
{
    const double greater = fmax(fabs(value), fabs(other));
    return greater <= rounding ? 0.0 : fabs(value - other) / greater;
}

double number_change(double before, double after)
{
    const double ratio = after / before;
    return ratio > 0.0 && isfinite(ratio) ? fabs(log(ratio)) : INFINITY;
}
