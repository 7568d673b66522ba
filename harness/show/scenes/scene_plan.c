/* Chooses the records that the scenes of the 3D view show. */
#include "harness/show/scenes/scene_plan.h"

const char *scene_record_preset(const Record *record)
{
    return argument_text(argument_find(record->cell.parameters, "preset"), "");
}

double scene_record_time_s(const Record *record)
{
    const Stage stage = record->cell.kind == CELL_SKINNING ? STAGE_BIND : STAGE_TOTAL;
    double time_s = record_stage_median_s(record, stage);
    for (int i = 0; i < record->fit.trial_count; i++) /* for a search, use only the time of the trial that is
                                                         repeated, because a search consists of many trials */
        if (record->fit.trials[i].bones == record->fit.bones_requested)
            time_s = record->fit.trials[i].total_s;
    return isnan(time_s) ? 0.0 : time_s;
}

static bool can_be_shown(const Record *record, CellKind kind)
{
    return record->cell.kind == kind && record->status == RECORD_OK &&
           (kind == CELL_SKINNING ||
            (record->fit.known && !argument_find(record->cell.parameters, "holdout")));
}

/* Returns the next record that can be shown, after `record` (NULL: from the beginning), among the records
 * of the same data set as `first`. Returns NULL if there are no more. */
static const Record *next_shown(const RecordStore *store, const Record *first, const Record *record)
{
    const RecordView all = {store, NULL, 0};
    do
        record = record_view_next_of(&all, first->cell.dataset.sha256, record);
    while (record && !can_be_shown(record, first->cell.kind));
    return record;
}

/* Returns how unsuitable a record is for a scene; smaller is better. Records that take too long are the
 * least suitable. Next, records with fewer non-default parameters are preferred. Of direct methods, records
 * on simd are preferred, because this is the backend for practical use. */
static int specialty(const Record *record, double shape_time_s)
{
    char parameters[1024];
    int words = 0;
    cell_parameters_format(&record->cell, parameters, sizeof parameters);
    for (const char *cursor = parameters; (cursor = strchr(cursor, '=')) != NULL; cursor++)
        words++;
    return (scene_record_time_s(record) > shape_time_s ? 1000 : 0) + 2 * words +
           (record->cell.kind == CELL_SKINNING && strcmp(record->cell.backend, "simd") != 0);
}

static int method_place(const Record *record)
{
    static const char *const first[] = {"lbs", "dqs", "cor", "coordinate-descent", "sad", "sma", "svd"};
    int place = 0;
    while (place < (int)(sizeof first / sizeof *first) && strcmp(first[place], record->cell.method) != 0)
        place++;
    return place;
}

/* Adds a record. If the plan already has a record of the same method, keeps the more suitable one. */
static void plan_add_candidate(ScenePlan *plan, const Record *record, double shape_time_s)
{
    int slot = 0;
    while (slot < plan->chosen_count && strcmp(plan->chosen[slot]->cell.method, record->cell.method) != 0)
        slot++;
    if (slot < plan->chosen_count) {
        if (specialty(record, shape_time_s) < specialty(plan->chosen[slot], shape_time_s))
            plan->chosen[slot] = record;
        return;
    }
    for (slot = 0; slot < plan->chosen_count && method_place(plan->chosen[slot]) <= method_place(record);)
        slot++;
    if (slot == SCENE_METHODS_MAX)
        return;
    const int kept = plan->chosen_count < SCENE_METHODS_MAX ? plan->chosen_count : SCENE_METHODS_MAX - 1;
    memmove(plan->chosen + slot + 1, plan->chosen + slot, (size_t)(kept - slot) * sizeof(const Record *));
    plan->chosen[slot] = record;
    plan->chosen_count = kept + 1;
}

/* Makes the plan of one data set. bones: number of bones of the fits that may be chosen; 0: any. */
static ScenePlan plan_make(const RecordStore *store, const Record *first, int bones, double shape_time_s)
{
    ScenePlan plan = {.first = first, .bones = bones};
    for (const Record *record = NULL; (record = next_shown(store, first, record)) != NULL;)
        if (bones == 0 || record->fit.bones_requested == bones)
            plan_add_candidate(&plan, record, shape_time_s);
    return plan;
}

/* Makes the plan for the number of bones with which most methods were run. On a tie, the largest number is
 * taken. */
static ScenePlan plan_choose(const RecordStore *store, const Record *first, double shape_time_s)
{
    enum { NUMBERS_MAX = 32 };
    ScenePlan best = {.first = first};
    int tried[NUMBERS_MAX], tried_count = 0;
    if (first->cell.kind == CELL_SKINNING)
        return plan_make(store, first, 0, shape_time_s);
    for (const Record *record = NULL;
         tried_count < NUMBERS_MAX && (record = next_shown(store, first, record)) != NULL;) {
        const int bones = record->fit.bones_requested;
        bool passed = bones < 1;
        for (int i = 0; i < tried_count && !passed; i++)
            passed = tried[i] == bones;
        if (passed)
            continue;
        tried[tried_count++] = bones;
        const ScenePlan plan = plan_make(store, first, bones, shape_time_s);
        if (plan.chosen_count > best.chosen_count ||
            (plan.chosen_count == best.chosen_count && bones > best.bones))
            best = plan;
    }
    return best;
}

/* Whether a plan comes before another. Bent bars come first, because a reader understands them most easily.
 * Then come the data sets with the most methods. */
static bool is_before(const ScenePlan *plan, const ScenePlan *other)
{
    const bool bar = strncmp(plan->first->cell.dataset.name, "bar", 3) == 0 && plan->chosen_count > 1,
               bar_before = strncmp(other->first->cell.dataset.name, "bar", 3) == 0;
    return bar != bar_before ? bar : plan->chosen_count > other->chosen_count;
}

Status scene_plans_make(const RecordStore *store, CellKind kind, double shape_time_s, ScenePlan **plans,
                        int *count)
{
    *plans = NULL;
    *count = 0;
    for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;) {
        if (!can_be_shown(record, kind) || next_shown(store, record, NULL) != record)
            continue;
        GROW(*plans, *count, "the scenes");
        const ScenePlan plan = plan_choose(store, record, shape_time_s);
        int slot = (*count)++;
        for (; slot > 0 && is_before(&plan, &(*plans)[slot - 1]); slot--)
            (*plans)[slot] = (*plans)[slot - 1];
        (*plans)[slot] = plan;
    }
    int kept = 0;
    for (int i = 0; i < *count; i++)
        if ((*plans)[i].chosen_count > 1)
            (*plans)[kept++] = (*plans)[i];
    *count = kept;
    return status_ok();
}
