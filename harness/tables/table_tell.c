#include "harness/tables/table_tell.h"

#include "harness/results/results.h"
#include "harness/tables/published.h"
#include "methods/decomposition.h"
#include <math.h>
#include <string.h>

/* Errors below this are those of single precision and of digits in text files, not of a method. */
static const double RESOLUTION = 0.01;

const char *table_cell_state_name(TableCellState state)
{
    static const char *const names[] = {[TABLE_CELL_MEASURED] = "measured",
                                        [TABLE_CELL_MISSING] = "missing",
                                        [TABLE_CELL_NO_METHOD] = "no method",
                                        [TABLE_CELL_FAILED] = "failed",
                                        [TABLE_CELL_EMPTY] = ""};
    return names[state];
}

/* Whether every name=value of the column's `set` is what the record was run with. */
static bool settings_agree(const json_t *column, const json_t *record)
{
    const json_t *set = json_object_get(column, "set"), *parameters = json_object_get(record, "parameters");
    for (size_t i = 0; i < json_array_size(set); i++) {
        const char *setting = json_string_value(json_array_get(set, i));
        const char *equals = setting ? strchr(setting, '=') : NULL;
        char name[64];
        if (!equals || (size_t)(equals - setting) >= sizeof name)
            return false;
        snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
        const json_t *value = json_object_get(parameters, name);
        if (json_is_string(value) && strcmp(json_string_value(value), equals + 1) != 0)
            return false;
        if (!value)
            return false;
    }
    return true;
}

static bool row_agrees(const json_t *published, const json_t *row, const json_t *record)
{
    const char *dataset = json_text_at(row, "dataset"), *name = json_text_at(row, "name");
    const char *told = json_text_at(record, "dataset.name");
    bool same_data = strcmp(told, name) == 0 || (dataset[0] && strcmp(told, dataset) == 0) ||
                     strcmp(json_text_at(record, "row"), name) == 0;
    double bones = json_number_at(row, "bones"),
           iterations = json_number_at(published, "settings.iterations");
    return same_data && json_number_at(record, "parameters.bones") == bones &&
           json_number_at(record, "parameters.iterations") == iterations;
}

const json_t *table_record_find(const json_t *published, const json_t *row, const json_t *column,
                                const json_t *latest)
{
    const char *method = json_text_at(column, "method");
    for (size_t i = 0; i < json_array_size(latest); i++) {
        const json_t *record = json_array_get(latest, i);
        if (strcmp(json_text_at(record, "kind"), "decomposition") == 0 &&
            strcmp(json_text_at(record, "method"), method) == 0 && row_agrees(published, row, record) &&
            settings_agree(column, record))
            return record;
    }
    return NULL;
}

/* The error after so many iterations, from the method's own account; NAN where it made fewer. */
static double error_after(const json_t *record, double iteration)
{
    const json_t *curve = json_object_get(record, "iterations");
    for (size_t i = 0; i < json_array_size(curve); i++)
        if (json_number_at(json_array_get(curve, i), "iteration") == iteration)
            return json_number_at(json_array_get(curve, i), "e_rms");
    return NAN;
}

static double measured_value(const json_t *column, const json_t *record)
{
    char path[64];
    if (strcmp(json_text_at(column, "quantity"), "time_s") == 0) {
        snprintf(path, sizeof path, "timing.%s.median_s",
                 json_text_at(column, "stage")[0] ? json_text_at(column, "stage") : "total");
        return json_number_at(record, path);
    }
    double iteration = json_number_at(column, "iteration");
    return isnan(iteration) ? json_number_at(record, "metrics.e_rms") : error_after(record, iteration);
}

TableCell table_cell_find(const json_t *published, const json_t *row, const json_t *column,
                          const json_t *latest)
{
    const json_t *values = json_object_get(row, "published");
    const json_t *value = json_object_get(values, json_text_at(column, "name"));
    const json_t *record = table_record_find(published, row, column, latest);
    TableCell cell = {TABLE_CELL_EMPTY, json_is_number(value) ? json_number_value(value) : NAN, NAN};
    bool built_in = decomposition_method_find(json_text_at(column, "method")) != NULL;
    if (record && strcmp(json_text_at(record, "status"), "ok") == 0) {
        cell.measured = measured_value(column, record);
        cell.state = isnan(cell.measured) ? TABLE_CELL_FAILED : TABLE_CELL_MEASURED;
    } else if (record) {
        cell.state = TABLE_CELL_FAILED;
    } else if (!built_in) {
        cell.state = TABLE_CELL_NO_METHOD;
    } else {
        cell.state = TABLE_CELL_MISSING;
    }
    return cell;
}

static void cell_write(TextTable *table, const TableCell *cell)
{
    char published[32] = "-";
    if (!isnan(cell->published))
        snprintf(published, sizeof published, "%g", cell->published);
    if (cell->state != TABLE_CELL_MEASURED)
        text_table_cell(table, "%s → %s", published, table_cell_state_name(cell->state));
    else if (isnan(cell->published))
        text_table_cell(table, "- → %.3g", cell->measured);
    else
        text_table_cell(table, "%s → %.3g (%+.0f %%)", published, cell->measured,
                        100.0 * (cell->measured / cell->published - 1.0));
}

static bool column_wanted(const json_t *column, const char *quantity)
{
    return strcmp(json_text_at(column, "quantity"), quantity) == 0;
}

/* One table of all columns of a quantity. */
static Status quantity_tell(const json_t *published, const json_t *latest, const char *quantity,
                            const char *title, TextTable **out)
{
    const char *columns[TABLE_COLUMNS_MAX + 1] = {"<row", "<kind", "N", "F", "P"};
    const json_t *all = json_object_get(published, "columns");
    size_t count = 5;
    for (size_t i = 0; i < json_array_size(all) && count < TABLE_COLUMNS_MAX; i++)
        if (column_wanted(json_array_get(all, i), quantity))
            columns[count++] = json_text_at(json_array_get(all, i), "title");
    columns[count] = NULL;
    Status status = text_table_create(title, columns, out);
    if (status.code != STATUS_OK)
        return status;
    static const char *const lists[] = {"rows", "stand_ins"};
    for (size_t l = 0; l < 2; l++) {
        const json_t *rows = json_object_get(published, lists[l]);
        for (size_t r = 0; r < json_array_size(rows); r++) {
            const json_t *row = json_array_get(rows, r);
            text_table_row(*out);
            text_table_cell(*out, "%s", json_text_at(row, "name"));
            text_table_cell(*out, "%s", json_text_at(row, "group"));
            text_table_number(*out, json_number_at(row, "vertices"), 1);
            text_table_number(*out, json_number_at(row, "frames"), 1);
            text_table_number(*out, json_number_at(row, "bones"), 1);
            for (size_t i = 0; i < json_array_size(all); i++) {
                const json_t *column = json_array_get(all, i);
                if (!column_wanted(column, quantity))
                    continue;
                TableCell cell = table_cell_find(published, row, column, latest);
                cell_write(*out, &cell);
            }
        }
    }
    return text_table_status(*out);
}

static const json_t *column_of(const json_t *published, const char *name)
{
    return named_at(json_object_get(published, "columns"), name);
}

/* Half a unit of the last digit printed: 1.3 stands for 1.25 to 1.35, 1 for 0.5 to 1.5. */
static double printed_half_unit(double published)
{
    char text[32];
    snprintf(text, sizeof text, "%g", published);
    const char *point = strchr(text, '.');
    return 0.5 * pow(10.0, point ? -(double)strlen(point + 1) : 0.0);
}

static void calibration_row(TextTable *table, const json_t *row, const TableCell *svd, const TableCell *our)
{
    double ratio = svd->published / svd->measured, half = printed_half_unit(svd->published) / svd->measured;
    text_table_row(table);
    text_table_cell(table, "%s", json_text_at(row, "name"));
    text_table_number(table, svd->published, 2);
    text_table_number(table, svd->measured, 4);
    if (svd->published < RESOLUTION) {
        for (int i = 0; i < 2; i++)
            text_table_cell(table, "-");
    } else {
        text_table_number(table, ratio, 3);
        text_table_cell(table, "%.2f to %.2f", ratio - half, ratio + half);
    }
    text_table_number(table, our->published, 2);
    text_table_number(table, our->measured, 4);
    text_table_number(table, svd->published < RESOLUTION ? NAN : our->measured * ratio, 4);
}

/* Truncated SVD is an optimum with no freedom, so the ratio of its published to its measured error tells how
 * the paper scaled the row; a row's other errors, times that ratio, are on the paper's scale. */
static Status calibration_tell(const json_t *published, const json_t *latest, TextTable **out)
{
    static const char *const columns[] = {
        "<row",        "SVD published", "SVD measured", "ratio",
        "by rounding", "Our published", "Our measured", "Our measured times ratio",
        NULL};
    const json_t *rows = json_object_get(published, "rows");
    const json_t *svd = column_of(published, "svd"), *our = column_of(published, "our");
    Status status =
        text_table_create("Calibration by truncated SVD, whose error has no freedom: published over "
                          "measured, and what rounding in print makes of it",
                          columns, out);
    for (size_t r = 0; r < json_array_size(rows) && status.code == STATUS_OK; r++) {
        const json_t *row = json_array_get(rows, r);
        TableCell a = table_cell_find(published, row, svd, latest);
        TableCell b = table_cell_find(published, row, our, latest);
        if (a.state == TABLE_CELL_MEASURED)
            calibration_row(*out, row, &a, &b);
    }
    return status.code == STATUS_OK ? text_table_status(*out) : status;
}

/* The curves of a figure, read at a few iterations. */
static Status curves_tell(const json_t *published, const json_t *latest, TextTable **out)
{
    static const int at[] = {0, 1, 2, 3, 5, 10, 15, 20, 25, 30};
    static const char *const columns[] = {"<row", "P",  "0",  "1",  "2",         "3",     "5", "10",
                                          "15",   "20", "25", "30", "published", "<note", NULL};
    static const char *const lists[] = {"rows", "stand_ins"};
    const json_t *column = json_array_get(json_object_get(published, "columns"), 0);
    Status status = text_table_create("E_RMS after so many iterations", columns, out);
    for (size_t l = 0; l < 2 && status.code == STATUS_OK; l++) {
        const json_t *rows = json_object_get(published, lists[l]);
        for (size_t r = 0; r < json_array_size(rows); r++) {
            const json_t *row = json_array_get(rows, r);
            const json_t *record = table_record_find(published, row, column, latest);
            TableCell cell = table_cell_find(published, row, column, latest);
            text_table_row(*out);
            text_table_cell(*out, "%s", json_text_at(row, "name"));
            text_table_number(*out, json_number_at(row, "bones"), 1);
            for (size_t i = 0; i < sizeof at / sizeof *at; i++)
                text_table_number(*out, error_after(record, at[i]), 4);
            text_table_number(*out, cell.published, 2);
            text_table_cell(*out, "%s",
                            cell.state == TABLE_CELL_MEASURED ? "" : table_cell_state_name(cell.state));
        }
    }
    return status.code == STATUS_OK ? text_table_status(*out) : status;
}

/* Whether any row of the paper itself could be run. */
static bool table_has_data(const json_t *published, const json_t *latest)
{
    const json_t *rows = json_object_get(published, "rows"), *columns = json_object_get(published, "columns");
    for (size_t r = 0; r < json_array_size(rows); r++)
        for (size_t c = 0; c < json_array_size(columns); c++)
            if (table_record_find(published, json_array_get(rows, r), json_array_get(columns, c), latest))
                return true;
    return false;
}

Status table_tell(const json_t *published, const json_t *latest, TextTable **parts, int *count)
{
    char title[256];
    const char *place = json_text_at(published, "source.place");
    Status status;
    *count = 0;
    for (int i = 0; i < TABLE_PARTS_MAX; i++)
        parts[i] = NULL;
    if (json_object_get(published, "axis")) {
        STATUS_TRY(curves_tell(published, latest, &parts[*count]));
        ++*count;
        goto done;
    }
    snprintf(title, sizeof title, "%s: E_RMS, published → measured (difference)", place);
    STATUS_TRY(quantity_tell(published, latest, "e_rms", title, &parts[*count]));
    ++*count;
    snprintf(title, sizeof title, "%s: seconds, published (%s) → measured here", place,
             json_text_at(published, "source.machine"));
    STATUS_TRY(quantity_tell(published, latest, "time_s", title, &parts[*count]));
    ++*count;
    if (column_of(published, "svd") && column_of(published, "our") && table_has_data(published, latest)) {
        STATUS_TRY(calibration_tell(published, latest, &parts[*count]));
        ++*count;
    }
done:
    if (status.code != STATUS_OK) {
        for (int i = 0; i < TABLE_PARTS_MAX; i++) {
            text_table_free(parts[i]);
            parts[i] = NULL;
        }
        *count = 0;
    }
    return status;
}

static void long_row(TextTable *table, const json_t *published, const json_t *row, const json_t *column,
                     const json_t *latest)
{
    TableCell cell = table_cell_find(published, row, column, latest);
    text_table_row(table);
    text_table_cell(table, "%s", json_text_at(published, "name"));
    text_table_cell(table, "%s", json_text_at(row, "name"));
    text_table_cell(table, "%s", json_text_at(row, "dataset"));
    text_table_cell(table, "%s", json_text_at(column, "name"));
    text_table_cell(table, "%s", json_text_at(column, "quantity"));
    if (isnan(cell.published))
        text_table_cell(table, "%s", "");
    else
        text_table_cell(table, "%.15g", cell.published);
    if (isnan(cell.measured))
        text_table_cell(table, "%s", "");
    else
        text_table_exact(table, cell.measured);
    bool both = !isnan(cell.published) && !isnan(cell.measured);
    char difference[32], ratio[32];
    snprintf(difference, sizeof difference, "%.6g", cell.measured - cell.published);
    snprintf(ratio, sizeof ratio, "%.6g", cell.published / cell.measured);
    text_table_cell(table, "%s", both ? difference : "");
    text_table_cell(table, "%s", both ? ratio : "");
    text_table_cell(table, "%s", table_cell_state_name(cell.state));
}

Status table_long(const json_t *published, const json_t *latest, TextTable **out)
{
    static const char *const names[] = {"<table",    "<row",      "<dataset", "<column",
                                        "<quantity", "published", "measured", "difference",
                                        "ratio",     "<state",    NULL};
    static const char *const lists[] = {"rows", "stand_ins"};
    const json_t *columns = json_object_get(published, "columns");
    Status status = text_table_create(json_text_at(published, "title"), names, out);
    for (size_t l = 0; l < 2 && status.code == STATUS_OK; l++) {
        const json_t *rows = json_object_get(published, lists[l]);
        for (size_t r = 0; r < json_array_size(rows); r++)
            for (size_t c = 0; c < json_array_size(columns); c++)
                long_row(*out, published, json_array_get(rows, r), json_array_get(columns, c), latest);
    }
    return status.code == STATUS_OK ? text_table_status(*out) : status;
}

bool table_has_records(const json_t *published, const json_t *latest)
{
    for (size_t i = 0; i < json_array_size(latest); i++)
        if (strcmp(json_text_at(json_array_get(latest, i), "table"), json_text_at(published, "name")) == 0)
            return true;
    return false;
}
