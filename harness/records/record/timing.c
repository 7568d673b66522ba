/* Names of stages and of derived numbers, and statistics of samples. */
#include "harness/records/record/timing.h"

#include "harness/measure/timing/disturbance.h"

const char *const stage_names[STAGE_COUNT + 1] = {[STAGE_BIND] = "bind",
                                                  [STAGE_FIRST_FRAME] = "first_frame",
                                                  [STAGE_POSE] = "pose",
                                                  [STAGE_SKIN] = "skin",
                                                  [STAGE_DELIVER] = "deliver",
                                                  [STAGE_FRAME] = "frame",
                                                  [STAGE_TOTAL] = "total",
                                                  [STAGE_REDUCTION] = "reduction",
                                                  [STAGE_CLUSTERING] = "clustering",
                                                  [STAGE_INITIALIZATION] = "initialization",
                                                  [STAGE_SWEEPS] = "sweeps",
                                                  [STAGE_STEP] = "step"};

bool stage_find(const char *name, Stage *out)
{
    for (int i = 0; i < STAGE_COUNT; i++)
        if (strcmp(stage_names[i], name) == 0) {
            *out = (Stage)i;
            return true;
        }
    return false;
}

const char *const derived_names[DERIVED_COUNT] = {[DERIVED_FRAME_NS_PER_VERTEX] = "frame_ns_per_vertex",
                                                  [DERIVED_FRAME_RATIO_TO_LBS] = "frame_ratio_to_lbs",
                                                  [DERIVED_FRAME_RATIO_TO_PLAIN] = "frame_ratio_to_plain",
                                                  [DERIVED_NS_PER_VERTEX] = "ns_per_vertex",
                                                  [DERIVED_RATIO_TO_LBS] = "ratio_to_lbs",
                                                  [DERIVED_RATIO_TO_SCALAR] = "ratio_to_scalar"};

Interval interval_of(const Statistics *statistics, double factor)
{
    return (Interval){factor * statistics->median, factor * statistics->interval_low,
                      factor * statistics->interval_high};
}

SampledNumber sampled_number(const Interval *interval, int samples)
{
    const bool enough = samples >= INTERVAL_SAMPLES_MIN;
    return (SampledNumber){.value = interval->median,
                           .low = enough ? interval->low : NAN,
                           .high = enough ? interval->high : NAN,
                           .samples = samples};
}

SampledNumber exact_number(double value)
{
    return (SampledNumber){.value = value, .low = value, .high = value};
}

SampledNumber sampled_ratio(const SampledNumber *number, const SampledNumber *by)
{
    if (number->samples == 0 && by->samples == 0) /* exact numbers, which may be negative */
        return exact_number(number->value / by->value);
    const bool fewer = by->samples > 0 && (number->samples == 0 || by->samples < number->samples);
    return (SampledNumber){.value = number->value / by->value,
                           .low = by->low > 0.0 ? number->low / by->high : NAN,
                           .high = by->low > 0.0 ? number->high / by->low : NAN,
                           .samples = fewer ? by->samples : number->samples,
                           .disturbed = number->disturbed || by->disturbed};
}

bool timing_is_disturbed(const Timing *timing)
{
    static const Stage stages[] = {STAGE_SKIN, STAGE_FRAME, STAGE_TOTAL};
    bool disturbed = false;
    for (size_t i = 0; i < sizeof stages / sizeof *stages && timing->timed; i++) {
        const StageTime *time = timing_stage(timing, stages[i]);
        disturbed = disturbed || samples_are_scattered(&time->statistics) ||
                    (time->sample_count > 0 && samples_are_disturbed(timing->disturbed, time->sample_count));
    }
    return disturbed;
}

double roof_skin_ns(const Roof *roof)
{
    return fmax(fmax(roof->arithmetic_tiled_ns, roof->loads_ns), roof->lanes_ns);
}

double roof_frame_ns(const Roof *roof)
{
    return fmax(fmax(roof->arithmetic_tiled_ns, roof->loads_ns), roof->packed_ns);
}

void roof_judge(Roof *roof, double skin_ns, double frame_ns)
{
    const double shorter_ns = fmin(skin_ns, frame_ns);
    const char *name = "";
    if (roof->arithmetic_tiled_ns > shorter_ns)
        name = "arithmetic";
    else if (roof->loads_ns > shorter_ns)
        name = "loads";
    else if (roof->lanes_ns > skin_ns || roof->packed_ns > frame_ns)
        name = "results";
    snprintf(roof->beaten, sizeof roof->beaten, "%s", name);
}

double roof_share(double roof_ns, double time_ns)
{
    const double share = roof_ns / time_ns;
    return share <= 1.0 ? share : NAN;
}

Timing timing_none(void)
{
    Timing timing = {.roof = {NAN, NAN, NAN, NAN, NAN, NAN, "", ""},
                     .device = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
                     .frame_straight = NAN,
                     .rounds = -1,
                     .disturbed = -1};
    for (int i = 0; i < DERIVED_COUNT; i++)
        timing.derived[i] = (Interval){NAN, NAN, NAN};
    return timing;
}

void timing_clear(Timing *timing)
{
    for (int i = 0; i < timing->stage_count; i++)
        memory_free(timing->stages[i].samples);
    memory_free(timing->stages);
    *timing = timing_none();
}

const StageTime *timing_stage(const Timing *timing, Stage stage)
{
    static const StageTime none = {.statistics = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
    for (int i = 0; i < timing->stage_count; i++)
        if (timing->stages[i].stage == stage)
            return &timing->stages[i];
    return &none;
}

StageTime *timing_stage_make(Timing *timing, Stage stage)
{
    for (int i = 0; i < timing->stage_count; i++)
        if (timing->stages[i].stage == stage)
            return &timing->stages[i];
    StageTime *grown = memory_grow(timing->stages, (size_t)timing->stage_count, sizeof *grown);
    if (!grown)
        return NULL;
    timing->stages = grown;
    grown[timing->stage_count] = *timing_stage(&(Timing){0}, stage);
    grown[timing->stage_count].stage = stage;
    return &grown[timing->stage_count++];
}

Status timing_set(Timing *timing, Stage stage, const double *samples, int count, int inner, double *scratch)
{
    StageTime *time = timing_stage_make(timing, stage);
    double *copy = time ? memory_array((size_t)count, sizeof *copy) : NULL;
    ALLOCATED(copy, "the samples of a result");
    memcpy(copy, samples, (size_t)count * sizeof *copy);
    memory_free(time->samples);
    *time = (StageTime){.stage = stage,
                        .statistics = statistics_of(samples, (size_t)count, 1, scratch),
                        .inner = inner,
                        .samples = copy,
                        .sample_count = count};
    timing->timed = true;
    return status_ok();
}
