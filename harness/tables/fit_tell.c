#include "harness/tables/fit_tell.h"

#include "harness/records/results.h"
#include "harness/tables/published.h"
#include "harness/tables/table_kind.h"
#include "harness/tables/table_tell.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Errors below this are those of single precision and of digits in text files, not of a method. */
static const double RESOLUTION = 0.01;

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
                table_cell_write(*out, column, &cell, true);
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
                text_table_number(*out, fit_error_after(record, at[i]), 4);
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

static bool has_quantity(const json_t *published, const char *quantity)
{
    const json_t *columns = json_object_get(published, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++)
        if (column_wanted(json_array_get(columns, i), quantity))
            return true;
    return false;
}

/* A table has a part for each quantity of its columns. */
static const struct {
    const char *name, *title;
    bool of_machine; /* differs from machine to machine */
} quantities[] = {
    {"e_rms", "E_RMS", false},
    {"bones", "fewest bones", false},
    {"time_s", "seconds", true},
    {"size_mb", "size of the model, MB", false},
};

Status fit_tell(const json_t *published, const json_t *latest, TextTable **parts, int *count)
{
    char title[256];
    const char *place = json_text_at(published, "source.place"),
               *machine = json_text_at(published, "source.machine");
    Status status = status_ok();
    if (json_object_get(published, "axis")) {
        STATUS_TRY(curves_tell(published, latest, &parts[*count]));
        ++*count;
        goto done;
    }
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++) {
        if (!has_quantity(published, quantities[i].name))
            continue;
        snprintf(title, sizeof title, "%s: %s, published%s%s%s → measured%s", place, quantities[i].title,
                 quantities[i].of_machine ? " (" : "", quantities[i].of_machine ? machine : "",
                 quantities[i].of_machine ? ")" : "", quantities[i].of_machine ? " here" : " (difference)");
        STATUS_TRY(quantity_tell(published, latest, quantities[i].name, title, &parts[*count]));
        ++*count;
    }
    if (column_wanted(column_of(published, "svd"), "e_rms") &&
        column_wanted(column_of(published, "our"), "e_rms") && table_has_data(published, latest)) {
        STATUS_TRY(calibration_tell(published, latest, &parts[*count]));
        ++*count;
    }
done:
    return status;
}
