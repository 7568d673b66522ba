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

static Status skinning_check(const char *where, const PublishedTable *table, const TableColumn *column)
{
    const Backend *backend = NULL;
    bool timed = false;
    (void)table;
    if (column->method[0] == '\0')
        return bad_input("%s: column %s has no method", where, column->name);
    if (!record_number_title(CELL_SKINNING, column->quantity, &timed))
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
    RecordNumber number;
    return record_number_find(record, column->quantity, &number) ? number.number : exact_number(NAN);
}

const ColumnKind column_kind_skinning = {.name = "skinning",
                                         .check = skinning_check,
                                         .record_find = skinning_record_find,
                                         .value = skinning_value,
                                         .built_in = skinning_built_in};
