/* Columns of direct methods. Rows are rigs. Each column is a way to skin them and shows one quantity. All
 * cells of a row are timed as one group in common rounds.
 *
 * The papers timed the deformation of a model, from joints to vertices ready for the renderer (SBS Table 2,
 * DQS Figure 18, CoR section 5). That is the stage `frame`, which their columns and claims use. The stage
 * `skin` appears in columns that we added and in those about the shader alone (DQS 4.2: dqs-scale).
 *
 * A record of kind "row" stores the digest of the data on which a row was run (table_row_digest). It
 * connects the row to all records of that data set, whichever table or bench run they were made for. */
#include "harness/records/papers/column_kind.h"

static SampledNumber derived(const Record *record, int which)
{
    static const Stage stages[DERIVED_COUNT] = {
        [DERIVED_NS_PER_VERTEX] = STAGE_SKIN, [DERIVED_FRAME_NS_PER_VERTEX] = STAGE_FRAME};
    const StageTime *time = timing_stage(&record->timing, stages[which]);
    SampledNumber value = sampled_number(record_derived(record, (Derived)which), record->timing.rounds);
    if (which == DERIVED_NS_PER_VERTEX || which == DERIVED_FRAME_NS_PER_VERTEX)
        value.series = time->sample_count == value.samples ? time->samples : NULL;
    return value;
}

static SampledNumber stage(const Record *record, int which)
{
    return cell_value_stage(record, (Stage)which, 1.0);
}

/* Returns the time of a stage per frame. The record holds the time for all its frames together. */
static SampledNumber frame_stage(const Record *record, int which)
{
    return cell_value_stage(record, (Stage)which, 1.0 / record->cell.frames);
}

/* Returns how close the skin stage or a frame comes to the limits of the machine: the highest lower bound
 * of its time (record/timing.h), divided by the measured time. */
static SampledNumber share_of_roof(const Record *record, int which)
{
    const Roof *roof = &record->timing.roof;
    const double limit = which == DERIVED_NS_PER_VERTEX ? roof_skin_ns(roof) : roof_frame_ns(roof);
    return exact_number(roof_share(limit, record_derived(record, (Derived)which)->median));
}

static SampledNumber size(const Record *record, int which)
{
    return exact_number(table_dataset_size(&record->cell.dataset, (TableSize)which));
}

static SampledNumber joint_sets(const Record *record, int which)
{
    (void)which;
    return exact_number(record->joint_sets < 0 ? NAN : (double)record->joint_sets);
}

static const char *const metrics[] = {"e_rms", "reference_distance_max"};

static SampledNumber metric(const Record *record, int which)
{
    return exact_number(record_metric(record, metrics[which]));
}

/* A number of a skinning record that a column can show. It is multiplied by a factor and, if it is a time
 * of the whole model, also by the number of vertices. */
typedef struct Quantity {
    const char *name;
    SampledNumber (*get)(const Record *record, int which);
    int which;
    double factor;
    bool of_model;
} Quantity;

static const Quantity quantities[] = {
    {"ns_per_vertex", derived, DERIVED_NS_PER_VERTEX, 1.0, false},
    {"frame_ns_per_vertex", derived, DERIVED_FRAME_NS_PER_VERTEX, 1.0, false},
    {"skin_ms", derived, DERIVED_NS_PER_VERTEX, 1e-6, true},
    {"frame_ms", derived, DERIVED_FRAME_NS_PER_VERTEX, 1e-6, true},
    {"pose_ms", frame_stage, STAGE_POSE, 1e3, false},
    {"bind_s", stage, STAGE_BIND, 1.0, false},
    {"ratio_to_lbs", derived, DERIVED_RATIO_TO_LBS, 1.0, false},
    {"frame_ratio_to_lbs", derived, DERIVED_FRAME_RATIO_TO_LBS, 1.0, false},
    {"frame_ratio_to_plain", derived, DERIVED_FRAME_RATIO_TO_PLAIN, 1.0, false},
    {"ratio_to_scalar", derived, DERIVED_RATIO_TO_SCALAR, 1.0, false},
    {"roof_share", share_of_roof, DERIVED_NS_PER_VERTEX, 1.0, false},
    {"frame_roof_share", share_of_roof, DERIVED_FRAME_NS_PER_VERTEX, 1.0, false},
    {"reference_distance_max", metric, 1, 1.0, false},
    {"e_rms", metric, 0, 1.0, false},
    {"vertices", size, SIZE_VERTICES, 1.0, false},
    {"triangles", size, SIZE_TRIANGLES, 1.0, false},
    {"joints", size, SIZE_JOINTS, 1.0, false},
    {"joint_sets", joint_sets, 0, 1.0, false},
};

/* Prefix of counters: "counts.svds" is the mean of the counter `svds` over the frames, "counts.svds.max"
 * its maximum. */
static const char COUNTS[] = "counts.";

static const char *counter_of(const char *quantity)
{
    return strncmp(quantity, COUNTS, sizeof COUNTS - 1) == 0 ? quantity + sizeof COUNTS - 1 : NULL;
}

static const Quantity *quantity_find(const char *name)
{
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (strcmp(quantities[i].name, name) == 0)
            return &quantities[i];
    return NULL;
}

static Status skinning_check(const char *where, const PublishedTable *table, const TableColumn *column)
{
    const Backend *backend = NULL;
    (void)table;
    if (column->method[0] == '\0')
        return bad_input("%s: column %s has no method", where, column->name);
    if (!counter_of(column->quantity) && !column_metric(column->quantity) && !quantity_find(column->quantity))
        return bad_input("%s: column %s: skinning has no quantity '%s'", where, column->name,
                         column->quantity);
    if (column->backend[0] != '\0' && backend_find(column->backend, &backend).code != STATUS_OK)
        return bad_input("%s: column %s: there is no backend '%s'", where, column->name, column->backend);
    return status_ok();
}

static bool skinning_built_in(const TableColumn *column)
{
    return skinning_entry_find(column->method) != NULL;
}

Status table_skinning_plan(const PublishedTable *table, const TableColumn *column, SkinningPlan *plan)
{
    const char *backend = column->backend[0] != '\0' ? column->backend : table->backend;
    STATUS_TRY(skinning_plan_make(column->method, column->settings.texts, column->settings.count, plan));
    plan->backend = &backend_simd;
    if (backend[0] != '\0')
        STATUS_TRY(backend_find(backend, &plan->backend));
    plan->threads = column->threads > 0 ? column->threads : table->threads;
    plan->normals = column->normals;
    plan->two_phase = column->two_phase;
    snprintf(plan->level, sizeof plan->level, "%s", column->level);
    return status_ok();
}

static const Record *skinning_record_find(const TableView *view, const TableRow *row,
                                          const TableColumn *column)
{
    const char *digest = table_row_digest(view, row);
    const Record *match = NULL;
    SkinningPlan plan;
    Cell asked;
    if (digest[0] == '\0' || !skinning_built_in(column) ||
        table_skinning_plan(view->table, column, &plan).code != STATUS_OK ||
        skinning_plan_cell(&plan, &asked).code != STATUS_OK)
        return NULL;
    for (const Record *record = NULL; (record = record_view_next_of(view->records, digest, record));)
        if (cell_same_setting(&asked, &record->cell))
            match = record;
    cell_clear(&asked);
    table_view_note(view, match);
    return match;
}

static SampledNumber skinning_value(const TableColumn *column, const Record *record)
{
    const char *name = counter_of(column->quantity), *end = name ? strchr(name, '.') : NULL;
    if (name) {
        char counter[TABLE_NAME_BYTES];
        snprintf(counter, sizeof counter, "%.*s", end ? (int)(end - name) : (int)strlen(name), name);
        const RecordCounter *count = record_counter(record, counter);
        return exact_number(!count ? NAN : end ? count->max : count->mean);
    }
    const Quantity *quantity = quantity_find(column->quantity);
    SampledNumber value = quantity->get(record, quantity->which);
    double factor = quantity->factor * (quantity->of_model ? record->cell.dataset.vertices : 1.0);
    value.value *= factor;
    value.low *= factor;
    value.high *= factor;
    return value;
}

const ColumnKind column_kind_skinning = {.name = "skinning",
                                         .check = skinning_check,
                                         .record_find = skinning_record_find,
                                         .value = skinning_value,
                                         .built_in = skinning_built_in};
