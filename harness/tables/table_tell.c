#include "harness/tables/table_tell.h"

#include "harness/records/results.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const lists[] = {"rows", "stand_ins"};

/* " (+8 %)", in two digits below ten percent. */
static void difference_write(const TableCell *cell, char *text, size_t size)
{
    double percent = 100.0 * (cell->measured / cell->published - 1.0);
    if (fabs(percent) >= 9.5)
        snprintf(text, size, " (%+.0f %%)", percent);
    else if (fabs(percent) >= 0.001)
        snprintf(text, size, " (%+.2g %%)", percent);
    else
        snprintf(text, size, " (0 %%)");
}

void table_cell_write(TextTable *table, const json_t *column, const TableCell *cell, bool expected)
{
    char before[64] = "", after[64] = "";
    double asked = json_number_at(column, "digits");
    int digits = asked >= 1.0 && asked <= 15.0 ? (int)asked : 3;
    if (!isnan(cell->published))
        snprintf(before, sizeof before, "%.10g → ", cell->published);
    else if (expected && cell->state != TABLE_CELL_EMPTY)
        snprintf(before, sizeof before, "- → ");
    if (cell->state == TABLE_CELL_MEASURED && !isnan(cell->published) && cell->published != 0.0)
        difference_write(cell, after, sizeof after);
    if (cell->state == TABLE_CELL_MEASURED)
        text_table_cell(table, "%s%.*g%s", before, digits, cell->measured, after);
    else
        text_table_cell(table, "%s%s", before, table_cell_state_name(cell->state));
}

/* ---- the plain form ---- */

/* Sizes that stand beside a row's name where any row has them. */
static const char *const sizes[][2] = {
    {"vertices", "N"}, {"triangles", "triangles"}, {"frames", "F"}, {"joints", "joints"}, {"bones", "P"}};
enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };

/* As the file says; else as the data set that the row was run on has it. */
static double row_size(const json_t *published, const json_t *row, const json_t *latest, const char *size)
{
    const json_t *columns = json_object_get(published, "columns");
    double value = json_number_at(row, size);
    char path[64];
    snprintf(path, sizeof path, "dataset.%s", size);
    for (size_t c = 0; c < json_array_size(columns) && isnan(value); c++)
        value = json_number_at(table_record_find(published, row, json_array_get(columns, c), latest), path);
    return value;
}

static bool any_row_has(const json_t *published, const char *member)
{
    for (size_t l = 0; l < 2; l++) {
        const json_t *rows = json_object_get(published, lists[l]);
        for (size_t r = 0; r < json_array_size(rows); r++)
            if (json_object_get(json_array_get(rows, r), member))
                return true;
    }
    return false;
}

static bool rows_have_kinds(const json_t *published)
{
    return json_array_size(json_object_get(published, "stand_ins")) > 0 || any_row_has(published, "group");
}

static void column_title(const json_t *column, char *title, size_t size)
{
    const char *unit = json_text_at(column, "unit");
    snprintf(title, size, "%s%s%s", json_text_at(column, "title"), unit[0] != '\0' ? ", " : "", unit);
}

enum { TITLE_BYTES = 160 };

static bool anything_is_published(const json_t *published)
{
    const json_t *rows = json_object_get(published, "rows");
    const char *column = NULL;
    json_t *value = NULL;
    for (size_t r = 0; r < json_array_size(rows); r++)
        json_object_foreach(json_object_get(json_array_get(rows, r), "published"), column,
                            value) if (json_is_number(value)) return true;
    return false;
}

static void head_title(const json_t *published, char *title, size_t size)
{
    const char *place = json_text_at(published, "source.place"), *name = json_text_at(published, "title");
    const char *machine = json_text_at(published, "source.machine");
    if (anything_is_published(published))
        snprintf(title, size, "%s: %s; published%s%s%s → measured here (difference)", place, name,
                 machine[0] != '\0' ? " (" : "", machine, machine[0] != '\0' ? ")" : "");
    else
        snprintf(title, size, "%s: %s; measured here", place, name);
}

static Status head_make(const json_t *published, TextTable **out)
{
    const char *columns[TABLE_COLUMNS_MAX + 1] = {"<row"};
    char titles[TABLE_COLUMNS_MAX][TITLE_BYTES], title[512];
    const json_t *all = json_object_get(published, "columns");
    size_t count = 1;
    if (rows_have_kinds(published))
        columns[count++] = "<kind";
    for (size_t i = 0; i < SIZE_COUNT; i++)
        if (any_row_has(published, sizes[i][0]))
            columns[count++] = sizes[i][1];
    for (size_t i = 0; i < json_array_size(all) && count < TABLE_COLUMNS_MAX; i++) {
        column_title(json_array_get(all, i), titles[count], TITLE_BYTES);
        columns[count] = titles[count];
        count++;
    }
    columns[count] = NULL;
    head_title(published, title, sizeof title);
    return text_table_create(title, columns, out);
}

static void size_write(TextTable *table, double size)
{
    if (isnan(size))
        text_table_cell(table, "-");
    else
        text_table_cell(table, "%.0f", size);
}

static void row_write(TextTable *table, const json_t *published, const json_t *row, bool stand_in,
                      const json_t *latest)
{
    const json_t *columns = json_object_get(published, "columns");
    const char *group = json_text_at(row, "group");
    text_table_row(table);
    text_table_cell(table, "%s", json_text_at(row, "name"));
    if (rows_have_kinds(published))
        text_table_cell(table, "%s%s%s", stand_in ? "stand-in" : "", stand_in && group[0] != '\0' ? ", " : "",
                        group);
    for (size_t i = 0; i < SIZE_COUNT; i++)
        if (any_row_has(published, sizes[i][0]))
            size_write(table, row_size(published, row, latest, sizes[i][0]));
    for (size_t c = 0; c < json_array_size(columns); c++) {
        const json_t *column = json_array_get(columns, c);
        TableCell cell = table_cell_find(published, row, column, latest);
        bool extra = json_is_true(json_object_get(column, "extra"));
        table_cell_write(table, column, &cell, !stand_in && !extra);
    }
}

static Status cells_tell(const json_t *published, const json_t *latest, TextTable **out)
{
    Status status = head_make(published, out);
    for (size_t l = 0; l < 2 && status.code == STATUS_OK; l++) {
        const json_t *rows = json_object_get(published, lists[l]);
        for (size_t r = 0; r < json_array_size(rows); r++)
            row_write(*out, published, json_array_get(rows, r), l == 1, latest);
    }
    return status.code == STATUS_OK ? text_table_status(*out) : status;
}

/* Whether an earlier column of the row is read from the same record. */
static bool record_is_told(const json_t *published, const json_t *row, size_t column, const json_t *record,
                           const json_t *latest)
{
    const json_t *columns = json_object_get(published, "columns");
    for (size_t c = 0; c < column; c++)
        if (table_record_find(published, row, json_array_get(columns, c), latest) == record)
            return true;
    return false;
}

static void reasons_write(TextTable *table, const json_t *published, const json_t *row, const json_t *latest)
{
    const json_t *columns = json_object_get(published, "columns");
    for (size_t c = 0; c < json_array_size(columns); c++) {
        const json_t *column = json_array_get(columns, c);
        const json_t *record = table_record_find(published, row, column, latest);
        if (!record || strcmp(json_text_at(record, "status"), "ok") == 0 ||
            record_is_told(published, row, c, record, latest))
            continue;
        text_table_row(table);
        text_table_cell(table, "%s", json_text_at(row, "name"));
        text_table_cell(table, "%s", json_text_at(column, "title"));
        text_table_cell(table, "%s", json_text_at(record, "status"));
        text_table_cell(table, "%s", json_text_at(record, "reason"));
    }
}

static Status reasons_tell(const json_t *published, const json_t *latest, TextTable **out)
{
    static const char *const columns[] = {"<row", "<from column", "<status", "<reason", NULL};
    Status status = text_table_create("Not measured, and why", columns, out);
    for (size_t l = 0; l < 2 && status.code == STATUS_OK; l++) {
        const json_t *rows = json_object_get(published, lists[l]);
        for (size_t r = 0; r < json_array_size(rows); r++)
            reasons_write(*out, published, json_array_get(rows, r), latest);
    }
    return status.code == STATUS_OK ? text_table_status(*out) : status;
}

static Status plain_tell(const json_t *published, const json_t *latest, TextTable **parts, int *count)
{
    Status status;
    STATUS_TRY(cells_tell(published, latest, &parts[*count]));
    ++*count;
    STATUS_TRY(reasons_tell(published, latest, &parts[*count]));
    if (text_table_row_count(parts[*count]) > 0) {
        ++*count;
    } else {
        text_table_free(parts[*count]);
        parts[*count] = NULL;
    }
done:
    return status;
}

Status table_tell(const json_t *published, const json_t *latest, TextTable **parts, int *count)
{
    const TableKind *kind = table_kind_of(published);
    *count = 0;
    for (int i = 0; i < TABLE_PARTS_MAX; i++)
        parts[i] = NULL;
    Status status = (kind->tell ? kind->tell : plain_tell)(published, latest, parts, count);
    for (int i = 0; i < TABLE_PARTS_MAX && status.code != STATUS_OK; i++) {
        text_table_free(parts[i]);
        parts[i] = NULL;
        *count = 0;
    }
    return status;
}

/* ---- the long form ---- */

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
