/* Reads the papers' tables from JSON, strictly: what is misspelt or of the wrong type is refused by name. */
#include "harness/tables/published.h"

#include "datasets/base/memory.h"
#include "harness/environment/environment.h"
#include "harness/records/json_fields.h"
#include "harness/tables/column_kind.h"
#include "harness/text/text_table.h" /* TABLE_COLUMNS_MAX */
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A printed table has the row, its kind and sizes beside the columns. */
enum { WHERE_BYTES = 512, COLUMNS_MAX = TABLE_COLUMNS_MAX - 2 - SIZE_COUNT };

/* A member of the same name in C and in JSON. */
#define TEXT(type, member) JSON_FIELD(type, member, JSON_FIELD_TEXT)
#define INTEGER(type, member) JSON_FIELD(type, member, JSON_FIELD_INTEGER)
#define NUMBER(type, member) JSON_FIELD(type, member, JSON_FIELD_REAL)
#define FLAG(type, member) JSON_FIELD(type, member, JSON_FIELD_FLAG)
#define TEXT_AS(type, member, name) JSON_FIELD_AS(type, member, JSON_FIELD_TEXT, name, JSON_EMPTY_OMITTED)

static const JsonField table_fields[] = {TEXT(PublishedTable, name), TEXT(PublishedTable, title),
                                         TEXT(PublishedTable, study),
                                         TEXT_AS(PublishedTable, kind_name, "kind")};
static const JsonField source_fields[] = {TEXT(PublishedTable, paper), TEXT(PublishedTable, place),
                                          TEXT(PublishedTable, machine)};
static const JsonField settings_fields[] = {
    INTEGER(PublishedTable, influences), INTEGER(PublishedTable, iterations),
    INTEGER(PublishedTable, bones_max), INTEGER(PublishedTable, threads), TEXT(PublishedTable, backend)};
static const JsonField column_fields[] = {
    TEXT(TableColumn, name),       TEXT(TableColumn, title),        TEXT(TableColumn, unit),
    TEXT(TableColumn, quantity),   TEXT(TableColumn, place),        TEXT_AS(TableColumn, kind_name, "kind"),
    TEXT(TableColumn, method),     TEXT(TableColumn, backend),      TEXT(TableColumn, level),
    TEXT(TableColumn, study),      TEXT(TableColumn, stage),        INTEGER(TableColumn, digits),
    INTEGER(TableColumn, threads), INTEGER(TableColumn, iteration), NUMBER(TableColumn, error),
    FLAG(TableColumn, extra),      FLAG(TableColumn, normals),      FLAG(TableColumn, two_phase)};
static const JsonField row_fields[] = {
    TEXT(TableRow, name),
    TEXT(TableRow, group),
    TEXT(TableRow, dataset),
    TEXT(TableRow, generate),
    TEXT(TableRow, study),
    INTEGER(TableRow, influences),
    NUMBER(TableRow, error),
    FLAG(TableRow, drawn),
    JSON_FIELD_AS(TableRow, sizes[SIZE_VERTICES], JSON_FIELD_REAL, "vertices", JSON_EMPTY_NULL),
    JSON_FIELD_AS(TableRow, sizes[SIZE_TRIANGLES], JSON_FIELD_REAL, "triangles", JSON_EMPTY_NULL),
    JSON_FIELD_AS(TableRow, sizes[SIZE_FRAMES], JSON_FIELD_REAL, "frames", JSON_EMPTY_NULL),
    JSON_FIELD_AS(TableRow, sizes[SIZE_JOINTS], JSON_FIELD_REAL, "joints", JSON_EMPTY_NULL),
    JSON_FIELD_AS(TableRow, sizes[SIZE_BONES], JSON_FIELD_REAL, "bones", JSON_EMPTY_NULL)};
static const JsonField figure_fields[] = {TEXT(TableFigure, x),       TEXT(TableFigure, x_title),
                                          TEXT(TableFigure, y_title), TEXT(TableFigure, log),
                                          TEXT(TableFigure, title),   TEXT(TableFigure, beside_title),
                                          FLAG(TableFigure, per_row)};
static const JsonField curve_fields[] = {TEXT(FigureCurve, y), TEXT(FigureCurve, x),
                                         TEXT(FigureCurve, title)};
static const JsonField point_fields[] = {TEXT(FigurePoints, column), TEXT(FigurePoints, beside)};
static const JsonField calibration_fields[] = {TEXT(TableCalibration, title), TEXT(TableCalibration, by),
                                               TEXT(TableCalibration, by_title), TEXT(TableCalibration, of),
                                               TEXT(TableCalibration, of_title)};

/* Reads an object whose other members are `others`, closed by NULL. */
#define FIELDS_READ(object, where, fields, others, into)                                                     \
    json_fields_read_strict((object), (where), (fields), JSON_FIELD_COUNT(fields), (others), (into))

/* The count of an optional list, which must be an array of at most `capacity`. */
static Status list_check(const json_t *owner, const char *where, const char *name, int capacity, int *count)
{
    const json_t *list = json_object_get(owner, name);
    *count = (int)json_array_size(list);
    if (list && !json_is_array(list))
        return json_unexpected(where, name, list, "an array");
    if (*count > capacity)
        return status_make(STATUS_BAD_INPUT, "%s.%s has %d entries, at most %d", where, name, *count,
                           capacity);
    return status_ok();
}

static Status text_list_read(const json_t *owner, const char *where, const char *name, const char **texts,
                             int capacity, int *count)
{
    const json_t *list = json_object_get(owner, name);
    Status status;
    STATUS_TRY(list_check(owner, where, name, capacity, count));
    for (int i = 0; i < *count; i++) {
        texts[i] = json_string_value(json_array_get(list, (size_t)i));
        if (!texts[i])
            return json_unexpected(where, name, list, "an array of texts");
    }
done:
    return status;
}

/* A list of at most TABLE_LIST_MAX objects, each a struct of `size` bytes. */
static Status structs_read(const json_t *owner, const char *where, const char *name, const JsonField *fields,
                           size_t field_count, void *into, size_t size, int *count)
{
    const json_t *list = json_object_get(owner, name);
    Status status = list_check(owner, where, name, TABLE_LIST_MAX, count);
    for (int i = 0; i < *count && status.code == STATUS_OK; i++)
        status = json_fields_read_strict(json_array_get(list, (size_t)i), where, fields, field_count, NULL,
                                         (char *)into + (size_t)i * size);
    return status;
}

/* "FILE: column our", or by its number where it has no name. */
static void where_format(char where[WHERE_BYTES], const char *path, const char *what, int index,
                         const json_t *json)
{
    const char *name = json_string_value(json_object_get(json, "name"));
    if (name && name[0] != '\0')
        snprintf(where, WHERE_BYTES, "%.300s: %s %.150s", path, what, name);
    else
        snprintf(where, WHERE_BYTES, "%.300s: %s %d", path, what, index);
}

/* STATUS_BAD_INPUT names the first of the texts, closed by NULL, that is empty. */
static Status texts_check(const char *where, const char *const (*texts)[2])
{
    for (; (*texts)[0]; texts++)
        if ((*texts)[1][0] == '\0')
            return status_make(STATUS_BAD_INPUT, "%s has no %s", where, (*texts)[0]);
    return status_ok();
}

static Status column_read(const json_t *json, const char *path, int index, PublishedTable *table)
{
    static const char *const others[] = {"set", NULL};
    TableColumn *column = &table->columns[index];
    const char *const needed[][2] = {
        {"name", column->name}, {"title", column->title}, {"quantity", column->quantity}, {NULL, NULL}};
    char where[WHERE_BYTES];
    Status status;
    *column = (TableColumn){.kind = table->kind, .digits = 3, .iteration = -1, .error = NAN};
    where_format(where, path, "column", index, json);
    STATUS_TRY(FIELDS_READ(json, where, column_fields, others, column));
    STATUS_TRY(
        text_list_read(json, where, "set", column->settings.texts, SETTINGS_MAX, &column->settings.count));
    STATUS_TRY(texts_check(where, needed));
    if (column->kind_name[0] != '\0')
        column->kind = column_kind_find(column->kind_name);
    if (!column->kind)
        status = status_make(STATUS_BAD_INPUT, "%s: no kind of columns '%s'", where, column->kind_name);
    else if (column->digits < 1 || column->digits > 15 || column->threads < 0 || column->threads > 1024)
        status = status_make(STATUS_BAD_INPUT, "%s: digits are 1 to 15, threads 1 to 1024", where);
done:
    return status;
}

static Status row_published_read(const json_t *json, const char *where, const PublishedTable *table,
                                 TableRow *row)
{
    const json_t *published = json_object_get(json, "published");
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)published, name, value)
    {
        const TableColumn *column = table_column_find(table, name);
        if (!column)
            return status_make(STATUS_BAD_INPUT, "%s has a number for the column '%s', which is not there",
                               where, name);
        if (!json_is_number(value) && !json_is_null(value))
            return status_make(STATUS_BAD_INPUT, "%s, column %s is neither a number nor null", where, name);
        if (json_is_number(value))
            row->published[column - table->columns] = json_number_value(value);
    }
    for (int c = 0; c < table->column_count && !row->stand_in; c++)
        if (!table->columns[c].extra && !json_object_get(published, table->columns[c].name))
            return status_make(STATUS_BAD_INPUT, "%s says nothing of the column %s", where,
                               table->columns[c].name);
    return status_ok();
}

/* The table's settings, over them the row's own. */
static Status row_parameters_read(const json_t *json, const json_t *file, const char *where, TableRow *row)
{
    const json_t *groups[] = {json_object_get(file, "settings"), json_object_get(json, "parameters")};
    Status status = status_ok();
    for (int i = 0; i < 2 && status.code == STATUS_OK; i++) {
        Argument group = {0};
        if (groups[i] && !json_is_object(groups[i]))
            return json_unexpected(where, "parameters", groups[i], "an object");
        if (groups[i])
            status = argument_from_json(groups[i], &group);
        if (status.code == STATUS_OK)
            status = argument_update(&row->parameters, &group);
        argument_clear(&group);
    }
    return status;
}

static Status row_read(const json_t *json, const char *path, int index, bool stand_in, PublishedTable *table)
{
    static const char *const others[] = {"set", "parameters", "published", NULL};
    TableRow *row = &table->rows[table->row_count++];
    char where[WHERE_BYTES];
    Status status;
    *row = (TableRow){.error = NAN, .stand_in = stand_in, .drawn = true};
    for (int i = 0; i < SIZE_COUNT; i++)
        row->sizes[i] = NAN;
    row->published = memory_array((size_t)table->column_count, sizeof *row->published);
    if (!row->published)
        return status_out_of_memory("a published table");
    for (int c = 0; c < table->column_count; c++)
        row->published[c] = NAN;
    where_format(where, path, "row", index, json);
    STATUS_TRY(FIELDS_READ(json, where, row_fields, others, row));
    if (row->name[0] == '\0' || (!stand_in && !json_is_object(json_object_get(json, "published"))))
        return status_make(STATUS_BAD_INPUT, "%s: row %d has no name or no published numbers", path, index);
    STATUS_TRY(text_list_read(json, where, "set", row->settings.texts, SETTINGS_MAX, &row->settings.count));
    STATUS_TRY(row_parameters_read(json, table->file, where, row));
    STATUS_TRY(row_published_read(json, where, table, row));
done:
    return status;
}

static Status figure_read(const json_t *json, const char *path, TableFigure *figure)
{
    static const char *const others[] = {"kind", "curves", "points", "at", NULL};
    static const char *const kinds[] = {
        [FIGURE_CURVES] = "curves", [FIGURE_ITERATIONS] = "iterations", [FIGURE_PUBLISHED] = "published"};
    char where[WHERE_BYTES];
    Status status = status_ok();
    if (!json)
        return status;
    snprintf(where, sizeof where, "%s: figure", path);
    STATUS_TRY(FIELDS_READ(json, where, figure_fields, others, figure));
    const char *kind = json_string_value(json_object_get(json, "kind"));
    for (int k = FIGURE_CURVES; k <= FIGURE_PUBLISHED && kind; k++)
        if (strcmp(kinds[k], kind) == 0)
            figure->kind = (FigureKind)k;
    if (figure->kind == FIGURE_NONE) {
        status =
            json_unexpected(where, "kind", json_object_get(json, "kind"), "curves, iterations or published");
        goto done;
    }
    STATUS_TRY(structs_read(json, where, "curves", curve_fields, JSON_FIELD_COUNT(curve_fields),
                            figure->curves, sizeof *figure->curves, &figure->curve_count));
    STATUS_TRY(structs_read(json, where, "points", point_fields, JSON_FIELD_COUNT(point_fields),
                            figure->points, sizeof *figure->points, &figure->point_count));
    STATUS_TRY(list_check(json, where, "at", COLUMNS_MAX, &figure->at_count));
    for (int i = 0; i < figure->at_count; i++)
        if (json_unpack(json_array_get(json_object_get(json, "at"), (size_t)i), "i", &figure->at[i]) != 0)
            return json_unexpected(where, "at", json_object_get(json, "at"), "an array of iterations");
done:
    return status;
}

/* The columns that the figure and the calibration name are there. */
static Status names_check(const char *path, const PublishedTable *table)
{
    const TableCalibration *calibration = &table->calibration;
    const char *names[2 + 2 * TABLE_LIST_MAX] = {calibration->by, calibration->of};
    int count = 2;
    for (int i = 0; i < table->figure.point_count; i++) {
        names[count++] = table->figure.points[i].column;
        names[count++] = table->figure.points[i].beside;
    }
    for (int i = 0; i < count; i++)
        if (names[i][0] != '\0' && !table_column_find(table, names[i]))
            return status_make(STATUS_BAD_INPUT,
                               "%s: the figure or the calibration names the column '%s', "
                               "which is not there",
                               path, names[i]);
    return status_ok();
}

static Status settings_read(const char *path, PublishedTable *table)
{
    const json_t *settings = json_object_get(table->file, "settings");
    char where[WHERE_BYTES];
    bool of_study = false;
    Status status = status_ok();
    if (!settings)
        return status;
    snprintf(where, sizeof where, "%s: settings", path);
    for (int c = 0; c < table->column_count; c++)
        of_study = of_study || table->columns[c].kind == &column_kind_study;
    /* The parameters of studies are their own. */
    status = of_study ? json_fields_read(settings, where, settings_fields, JSON_FIELD_COUNT(settings_fields),
                                         table)
                      : json_fields_read_strict(settings, where, settings_fields,
                                                JSON_FIELD_COUNT(settings_fields), NULL, table);
    return status;
}

static Status head_read(const char *path, const char *name, PublishedTable *table)
{
    static const char *const others[] = {"schema", "source",    "notes",  "settings",    "columns",
                                         "rows",   "stand_ins", "figure", "calibration", NULL};
    const json_t *schema = json_object_get(table->file, "schema");
    const json_t *source = json_object_get(table->file, "source");
    const char *const needed[][2] = {{"title", table->title},
                                     {"source.paper", table->paper},
                                     {"source.place", table->place},
                                     {NULL, NULL}};
    char where[WHERE_BYTES];
    Status status;
    if (!json_is_integer(schema) || json_integer_value(schema) != 1)
        return status_make(STATUS_BAD_INPUT, "%s: schema is not 1", path);
    STATUS_TRY(FIELDS_READ(table->file, path, table_fields, others, table));
    if (strcmp(table->name, name) != 0)
        return status_make(STATUS_BAD_INPUT, "%s: calls itself '%s'", path, table->name);
    if (source)
        STATUS_TRY(FIELDS_READ(source, path, source_fields, NULL, table));
    snprintf(where, sizeof where, "%.300s:", path);
    STATUS_TRY(texts_check(where, needed));
    table->kind = table->kind_name[0] != '\0' ? column_kind_find(table->kind_name) : &column_kind_fit;
    if (!table->kind)
        return status_make(STATUS_BAD_INPUT, "%s: no kind of tables '%s'", path, table->kind_name);
    STATUS_TRY(text_list_read(table->file, path, "notes", table->notes, TABLE_LIST_MAX, &table->note_count));
done:
    return status;
}

static Status body_read(const char *path, PublishedTable *table)
{
    const json_t *columns = json_object_get(table->file, "columns");
    const json_t *rows = json_object_get(table->file, "rows");
    const json_t *stand_ins = json_object_get(table->file, "stand_ins");
    const json_t *calibration = json_object_get(table->file, "calibration");
    int paper_rows = 0, other_rows = 0;
    Status status;
    STATUS_TRY(list_check(table->file, path, "columns", COLUMNS_MAX, &table->column_count));
    STATUS_TRY(list_check(table->file, path, "rows", INT_MAX, &paper_rows));
    STATUS_TRY(list_check(table->file, path, "stand_ins", INT_MAX, &other_rows));
    if (table->column_count == 0)
        return status_make(STATUS_BAD_INPUT, "%s: has no columns", path);
    table->columns = memory_array((size_t)table->column_count, sizeof *table->columns);
    table->rows = memory_array((size_t)paper_rows + (size_t)other_rows, sizeof *table->rows);
    if (!table->columns || !table->rows)
        return status_out_of_memory("a published table");
    for (int i = 0; i < table->column_count; i++)
        STATUS_TRY(column_read(json_array_get(columns, (size_t)i), path, i, table));
    STATUS_TRY(settings_read(path, table));
    for (int i = 0; i < paper_rows; i++)
        STATUS_TRY(row_read(json_array_get(rows, (size_t)i), path, i, false, table));
    table->paper_row_count = paper_rows;
    for (int i = 0; i < other_rows; i++)
        STATUS_TRY(row_read(json_array_get(stand_ins, (size_t)i), path, i, true, table));
    if (table->paper_row_count == 0)
        return status_make(STATUS_BAD_INPUT, "%s: has no rows", path);
    STATUS_TRY(figure_read(json_object_get(table->file, "figure"), path, &table->figure));
    if (calibration)
        STATUS_TRY(FIELDS_READ(calibration, path, calibration_fields, NULL, &table->calibration));
    STATUS_TRY(names_check(path, table));
    for (int c = 0; c < table->column_count; c++)
        if (table->columns[c].kind->check)
            STATUS_TRY(table->columns[c].kind->check(path, table, &table->columns[c]));
done:
    return status;
}

Status published_table_from_json(json_t *file, const char *where, const char *name, PublishedTable **out)
{
    PublishedTable *table = memory_array(1, sizeof *table);
    Status status;
    *out = NULL;
    if (!table) {
        json_decref(file);
        return status_out_of_memory("a published table");
    }
    *table = (PublishedTable){.file = file, .influences = 4, .iterations = 15, .bones_max = 64, .threads = 1};
    STATUS_TRY(head_read(where, name, table));
    STATUS_TRY(body_read(where, table));
done:
    if (status.code == STATUS_OK)
        *out = table;
    else
        published_table_free(table);
    return status;
}

Status published_table_read(const char *name, PublishedTable **out)
{
    char path[PUBLISHED_PATH_BYTES];
    json_error_t error;
    *out = NULL;
    if (strchr(name, '/') ||
        snprintf(path, sizeof path, "%s/results/published/%s.json", environment_home(), name) >=
            (int)sizeof path ||
        access(path, R_OK) != 0)
        return status_make(STATUS_USAGE, "no table '%s'; `skinbench list tables` lists them", name);
    json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!file)
        return status_make(STATUS_BAD_INPUT, "%s:%d: %s", path, error.line, error.text);
    return published_table_from_json(file, path, name, out);
}

static int is_table_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

Status published_tables_each(Status (*visit)(void *context, const PublishedTable *table), void *context)
{
    char folder[PUBLISHED_PATH_BYTES];
    struct dirent **entries = NULL;
    snprintf(folder, sizeof folder, "%s/results/published", environment_home());
    int count = scandir(folder, &entries, is_table_file, alphasort);
    if (count < 0)
        return status_make(STATUS_UNAVAILABLE, "%s: no published tables there", folder);
    Status status = status_ok();
    for (int i = 0; i < count; i++) {
        char *name = entries[i]->d_name;
        PublishedTable *table = NULL;
        name[strlen(name) - 5] = '\0';
        if (status.code == STATUS_OK)
            status = published_table_read(name, &table);
        if (status.code == STATUS_OK)
            status = visit(context, table);
        published_table_free(table);
        free(entries[i]);
    }
    free(entries);
    return status;
}
