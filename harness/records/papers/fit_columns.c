/* Columns of fits. Rows are animations. Each column is a decomposition method and shows an error, a time or
 * a size of its fits. */
#include "harness/records/papers/column_kind.h"

enum { SPREAD_MAX = 64 };

/* Returns the E_RMS that a fit must reach with the fewest bones. The column sets it or, if the column does
 * not, the row. 0 means that the fit uses the row's number of bones instead. */
static double error_to_reach(const TableRow *row, const TableColumn *column)
{
    double error = isnan(column->error) ? row->error : column->error;
    return error > 0.0 ? error : 0.0;
}

int table_fit_count(const TableColumn *column)
{
    return column->over.count > 0 ? column->over.count : 1;
}

FitPlan table_fit_cell(const PublishedTable *table, const TableRow *row, const TableColumn *column, int index)
{
    const DecompositionMethod *method = decomposition_method_find(column->method);
    double bones = row->sizes[SIZE_BONES];
    FitPlan cell = {.bones = bones >= 1.0 && bones <= 1e6 ? (int)bones : 20,
                    .error = error_to_reach(row, column),
                    .influences = table->influences,
                    .iterations = column->iterations > 0 ? column->iterations : table->iterations,
                    .repeats = 1};
    if (column->influences > 0)
        cell.influences = int_min(column->influences, cell.bones);
    if (cell.error > 0.0) /* the search tries at most this number of bones */
        cell.bones = table->bones_max;
    cell.external = column->external[0] != '\0';
    snprintf(cell.method, sizeof cell.method, "%s", cell.external ? column->external : column->method);
    if (table->rest[0] != '\0' && method && method->rest_pose_row > 0)
        snprintf(cell.settings[cell.setting_count++], SETTING_BYTES, "%s=%.40s",
                 method->parameters[method->rest_pose_row].name, table->rest);
    for (int i = 0; i < column->settings.count; i++)
        snprintf(cell.settings[cell.setting_count++], SETTING_BYTES, "%s", column->settings.texts[i]);
    if (index > 0) /* Repeat only the first of several fits. Its time may be shown by another column, and a
                      time needs repeated runs. */
        cell.repeats = 0;
    if (column->over.count > 0)
        snprintf(cell.settings[cell.setting_count++], SETTING_BYTES, "%.40s=%d", column->over.parameter,
                 index);
    return cell;
}

static const char *quantity_title(const char *quantity, bool *of_machine)
{
    return record_number_title(CELL_DECOMPOSITION, quantity, of_machine);
}

static SampledNumber fit_value(const TableColumn *column, const Record *record)
{
    const bool is_time = strcmp(column->quantity, "time_s") == 0;
    const double elapsed_s = record_elapsed_after_s(record, column->iteration);
    char stage[TABLE_NAME_BYTES + 2];
    RecordNumber number;
    if (column->iteration >= 0 && is_time)
        return cell_value_samples(&elapsed_s, 1);
    if (column->iteration >= 0 && strcmp(column->quantity, "e_rms") == 0)
        return exact_number(record_e_rms_after(record, column->iteration));
    snprintf(stage, sizeof stage, "%s_s", column->stage);
    return record_number_find(record, is_time && column->stage[0] ? stage : column->quantity, &number)
               ? number.number
               : exact_number(NAN);
}

static Status fit_check(const char *where, const PublishedTable *table, const TableColumn *column)
{
    bool of_machine = false;
    Stage stage;
    if (table->rest[0] != '\0' && strcmp(table->rest, "first") != 0 && strcmp(table->rest, "file") != 0)
        return bad_input("%s: settings.rest is '%s', expected first or file", where, table->rest);
    if (column->external[0] && (column->method[0] || column->settings.count > 0 || column->over.count > 0))
        return bad_input("%s: column %s: an external program takes no method, no settings and no spread",
                         where, column->name);
    if (!quantity_title(column->quantity, &of_machine))
        return bad_input("%s: column %s: fits have no quantity '%s'", where, column->name, column->quantity);
    if (column->stage[0] != '\0' && !stage_find(column->stage, &stage))
        return bad_input("%s: column %s: fits have no stage '%s'", where, column->name, column->stage);
    for (int r = 0; r < table->paper_row_count; r++)
        if (strcmp(column->quantity, "bones") == 0 && !(error_to_reach(&table->rows[r], column) > 0.0))
            return bad_input("%s: neither column %s nor row %s sets an error to reach", where, column->name,
                             table->rows[r].name);
    /* A column may combine several fits that differ in one parameter (`over`). The column's method must
     * have this parameter, and the column may name two settings fewer than usual, because the runs add
     * settings of their own. */
    const TableSpread *over = &column->over;
    const DecompositionMethod *method = decomposition_method_find(column->method);
    if (over->count == 0 && over->parameter[0] == '\0')
        return status_ok();
    if (over->count < 2 || over->count > SPREAD_MAX || column->settings.count > SETTINGS_MAX - 2)
        return bad_input("%s: column %s: over.count must be 2 to %d, and there can be at most %d settings",
                         where, column->name, SPREAD_MAX, SETTINGS_MAX - 2);
    const Parameter *row = method ? parameter_find(method->parameters, over->parameter) : NULL;
    if (!method ||
        (row && row->type == PARAMETER_INTEGER && row->minimum <= 0.0 && row->maximum >= over->count - 1))
        return status_ok();
    return bad_input("%s: column %s: %s has no integer parameter '%s' with a range of 0 to %d", where,
                     column->name, column->method, over->parameter, over->count - 1);
}

/* Whether a cell was run with these parameter values. If `method` is NULL, the method is not part of this
 * build, and the values are not compared. */
static bool settings_agree(const DecompositionMethod *method, const ParameterValues *values, const Cell *cell)
{
    for (int i = 0; method && i < parameters_count(method->parameters); i++) {
        const Parameter *row = &method->parameters[i];
        const Argument *given = argument_find(cell->parameters, row->name);
        char wanted[SETTING_BYTES], value[SETTING_BYTES];
        parameter_format(row, values->values[i], wanted, sizeof wanted);
        parameter_format(row, row->default_value, value, sizeof value);
        if (given)
            argument_format(given, value, sizeof value);
        if (row->type == PARAMETER_REAL || row->type == PARAMETER_INTEGER
                ? argument_number(given, row->default_value) != values->values[i]
                : strcmp(wanted, value) != 0)
            return false;
    }
    return true;
}

/* Whether a cell is a fit of the row's data with the column's method and task. */
static bool fit_agrees(const FitPlan *asked, const TableRow *row, const char *digest, const Cell *cell)
{
    const bool named = strcmp(cell->dataset.name, row->name) == 0 ||
                       (row->dataset[0] && strcmp(cell->dataset.name, row->dataset) == 0) ||
                       strcmp(cell->row, row->name) == 0;
    const bool same_data = digest[0] != '\0' ? strcmp(cell->dataset.sha256, digest) == 0 : named;
    const bool external = strcmp(cell->backend, CELL_BACKEND_EXTERNAL) == 0;
    return same_data && strcmp(cell->method, asked->method) == 0 && external == asked->external &&
           argument_number_of(cell->parameters, "bones", NAN) == asked->bones &&
           argument_number_of(cell->parameters, "influences", asked->influences) == asked->influences &&
           argument_number_of(cell->parameters, "iterations", NAN) == asked->iterations &&
           argument_number_of(cell->parameters, "error", 0.0) == asked->error &&
           isnan(argument_number_of(cell->parameters, "holdout", NAN));
}

static const Record *record_of_fit(const TableView *view, const TableRow *row, const FitPlan *asked)
{
    const char *digest = table_row_digest(view, row);
    const DecompositionMethod *method = NULL;
    ParameterValues values;
    if (asked->external || fit_plan_resolve(asked, &method, &values).code != STATUS_OK)
        method = NULL;
    for (const Record *record = NULL;
         (record = record_view_next_kind(view->records, CELL_DECOMPOSITION, record));)
        if (fit_agrees(asked, row, digest, &record->cell) && settings_agree(method, &values, &record->cell)) {
            table_view_note(view, record);
            return record;
        }
    return NULL;
}

/* Returns the fit that represents a cell. If the cell combines several fits that differ in one parameter,
 * the column's statistic (such as the median) selects the fit. If one of the fits is not ok, returns that
 * fit. If one is missing, returns NULL. */
static const Record *fit_record_find(const TableView *view, const TableRow *row, const TableColumn *column)
{
    const Record *order[SPREAD_MAX];
    int count = table_fit_count(column);
    for (int i = 0; i < count; i++) {
        FitPlan asked = table_fit_cell(view->table, row, column, i);
        const Record *record = record_of_fit(view, row, &asked);
        int slot = i;
        if (!record || record->status != RECORD_OK)
            return record;
        for (; slot > 0 && fit_value(column, record).value < fit_value(column, order[slot - 1]).value; slot--)
            order[slot] = order[slot - 1];
        order[slot] = record;
    }
    return order[column->over.statistic == SPREAD_MINIMUM  ? 0
                 : column->over.statistic == SPREAD_MEDIAN ? (count - 1) / 2
                                                           : count - 1];
}

static bool fit_built_in(const TableColumn *column)
{
    return column->external[0] || decomposition_method_find(column->method);
}

const ColumnKind column_kind_fit = {.name = "fit",
                                    .check = fit_check,
                                    .record_find = fit_record_find,
                                    .value = fit_value,
                                    .built_in = fit_built_in,
                                    .quantity_title = quantity_title};
