/* Reads the papers' tables from JSON. Misspelled members and members of a wrong type are errors, which name
 * the member. */
#include "harness/records/papers/published.h"

#include "datasets/base/nearest_name.h"
#include "datasets/io/atomic_path.h"
#include "datasets/io/json_table.h"
#include "harness/records/papers/column_kind.h"

/* A row as read, borrowed from the file. Its numbers are later sorted by column. */
typedef struct FileRow {
    TableRow row;
    const json_t *parameters, *published;
} FileRow;

typedef struct PublishedFile {
    PublishedTable table;
    FileRow *rows, *stand_ins;
    int schema, row_count, stand_in_count;
    const json_t *settings;
} PublishedFile;

/* Stores a member as JSON, borrowed from the file. */
static Status json_borrow(const json_t *value, const char *where, void *member)
{
    *(const json_t **)member = value;
    return json_is_object(value) ? status_ok() : json_unexpected(where, value, "an object");
}

static const JsonCustom borrowed = {NULL, json_borrow, NULL};

#define TEXT(type, member) JSON_FIELD(type, member, TEXT)
#define NAME(type, member) JSON_FIELD(type, member, NAME)
#define TERM(type, member) JSON_FIELD(type, member, TERM)
#define COUNT(type, member) JSON_FIELD(type, member, COUNT)
#define AMOUNT(type, member, name) JSON_FIELD_AS(type, member, AMOUNT, name, OMITTED)
#define FLAG(type, member) JSON_FIELD(type, member, FLAG)
#define TEXT_AS(type, member, kind, name) JSON_FIELD_AS(type, member, kind, name, OMITTED)
#define TEXTS(type, list, number, name) JSON_ARRAY(type, list, number, name, &json_texts, OMITTED)

static const char *const spread_words[] = {
    [SPREAD_MINIMUM] = "minimum", [SPREAD_MEDIAN] = "median", [SPREAD_MAXIMUM] = "maximum", NULL};
static const JsonTable spread_table =
    JSON_TABLE_STRICT(TableSpread, NULL, TERM(TableSpread, parameter), COUNT(TableSpread, count),
                      JSON_WORD(TableSpread, statistic, "statistic", spread_words));

static const TableColumn column_default = {.digits = 3, .iteration = -1, .error = NAN};
static const JsonTable column_table = JSON_TABLE_STRICT(
    TableColumn, &column_default, TERM(TableColumn, name), TEXT(TableColumn, title), TEXT(TableColumn, unit),
    TERM(TableColumn, quantity), TEXT(TableColumn, place), TERM(TableColumn, beside),
    TEXT_AS(TableColumn, kind_name, NAME, "kind"), NAME(TableColumn, method), NAME(TableColumn, external),
    NAME(TableColumn, backend), NAME(TableColumn, level), NAME(TableColumn, study), TERM(TableColumn, stage),
    TERM(TableColumn, relative_to), COUNT(TableColumn, digits), COUNT(TableColumn, threads),
    COUNT(TableColumn, influences), COUNT(TableColumn, iterations),
    JSON_FIELD(TableColumn, iteration, INTEGER), AMOUNT(TableColumn, error, "error"),
    FLAG(TableColumn, extra), FLAG(TableColumn, normals), FLAG(TableColumn, two_phase),
    TEXTS(TableColumn, settings.texts, settings.count, "set"),
    JSON_GROUP(TableColumn, over, "over", &spread_table, OMITTED));

static const FileRow row_default = {.row = {.sizes = {NAN, NAN, NAN, NAN, NAN}, .error = NAN, .drawn = true}};
_Static_assert(SIZE_COUNT == 5, "row_default needs a NAN for every size");
static const JsonTable row_table = JSON_TABLE_STRICT(
    FileRow, &row_default, TEXT_AS(FileRow, row.name, LABEL, "name"),
    TEXT_AS(FileRow, row.group, LABEL, "group"), TEXT_AS(FileRow, row.dataset, TERM, "dataset"),
    TEXT_AS(FileRow, row.generate, NAME, "generate"), TEXT_AS(FileRow, row.study, NAME, "study"),
    JSON_FIELD_AS(FileRow, row.influences, COUNT, "influences", OMITTED), AMOUNT(FileRow, row.error, "error"),
    JSON_FIELD_AS(FileRow, row.drawn, FLAG, "drawn", OMITTED),
    JSON_FIELD_AS(FileRow, row.authors, FLAG, "authors", OMITTED),
    AMOUNT(FileRow, row.sizes[SIZE_VERTICES], "vertices"),
    AMOUNT(FileRow, row.sizes[SIZE_TRIANGLES], "triangles"),
    AMOUNT(FileRow, row.sizes[SIZE_FRAMES], "frames"), AMOUNT(FileRow, row.sizes[SIZE_JOINTS], "joints"),
    AMOUNT(FileRow, row.sizes[SIZE_BONES], "bones"),
    TEXTS(FileRow, row.settings.texts, row.settings.count, "set"),
    JSON_CUSTOM(FileRow, parameters, "parameters", &borrowed, OMITTED),
    JSON_CUSTOM(FileRow, published, "published", &borrowed, OMITTED));

static const JsonTable curve_table = JSON_TABLE_STRICT(FigureCurve, NULL, TERM(FigureCurve, y),
                                                       TERM(FigureCurve, x), TEXT(FigureCurve, title));
static const JsonTable point_table =
    JSON_TABLE_STRICT(FigurePoints, NULL, TERM(FigurePoints, column), TERM(FigurePoints, beside),
                      TERM(FigurePoints, against), TEXT(FigurePoints, title));
static const JsonTable bound_table =
    JSON_TABLE_STRICT(FigureBound, NULL, JSON_FIELD(FigureBound, value, REAL), TEXT(FigureBound, title));
static const char *const figure_kinds[] = {[FIGURE_NONE] = "",
                                           [FIGURE_CURVES] = "curves",
                                           [FIGURE_ITERATIONS] = "iterations",
                                           [FIGURE_STAGES] = "stages",
                                           [FIGURE_PUBLISHED] = "published",
                                           [FIGURE_SCATTER] = "scatter",
                                           NULL};
static const JsonTable figure_table = JSON_TABLE_STRICT(
    TableFigure, NULL, JSON_WORD(TableFigure, kind, "kind", figure_kinds), NAME(TableFigure, name),
    TERM(TableFigure, x), TEXT(TableFigure, x_title), TEXT(TableFigure, y_title), NAME(TableFigure, log),
    TEXT(TableFigure, title), TEXT(TableFigure, beside_title), FLAG(TableFigure, per_row),
    JSON_ARRAY(TableFigure, curves, curve_count, "curves", &curve_table, OMITTED),
    JSON_ARRAY(TableFigure, points, point_count, "points", &point_table, OMITTED),
    JSON_ARRAY(TableFigure, at, at_count, "at", &json_integers, OMITTED),
    JSON_ARRAY(TableFigure, bounds, bound_count, "bounds", &bound_table, OMITTED));

static const JsonTable source_table =
    JSON_TABLE_STRICT(PublishedTable, NULL, TEXT(PublishedTable, paper), TEXT(PublishedTable, place),
                      TEXT(PublishedTable, machine));

static const JsonTable settings_table = JSON_TABLE_STRICT(
    PublishedTable, NULL, COUNT(PublishedTable, influences), COUNT(PublishedTable, iterations),
    COUNT(PublishedTable, bones_max), COUNT(PublishedTable, threads), NAME(PublishedTable, backend),
    NAME(PublishedTable, rest));

static const JsonTable published_file_table = JSON_TABLE_STRICT(
    PublishedFile, NULL, JSON_FIELD(PublishedFile, schema, INTEGER),
    TEXT_AS(PublishedFile, table.name, NAME, "name"), TEXT_AS(PublishedFile, table.title, TEXT, "title"),
    TEXT_AS(PublishedFile, table.study, NAME, "study"), TEXT_AS(PublishedFile, table.kind_name, NAME, "kind"),
    JSON_GROUP(PublishedFile, table, "source", &source_table, OMITTED),
    JSON_FIELD_AS(PublishedFile, table.own_rigs, COUNT, "own_rigs", OMITTED),
    TEXTS(PublishedFile, table.notes, table.note_count, "notes"),
    JSON_CUSTOM(PublishedFile, settings, "settings", &borrowed, OMITTED),
    JSON_LIST(PublishedFile, table.columns, table.column_count, "columns", &column_table, OMITTED),
    JSON_LIST(PublishedFile, rows, row_count, "rows", &row_table, OMITTED),
    JSON_LIST(PublishedFile, stand_ins, stand_in_count, "stand_ins", &row_table, OMITTED),
    JSON_GROUP(PublishedFile, table.figure, "figure", &figure_table, OMITTED),
    JSON_ARRAY(PublishedFile, table.more_figures, table.more_figure_count, "more_figures", &figure_table,
               OMITTED));

/* Returns the kind of that name, or NULL if there is none. */
static const ColumnKind *column_kind_find(const char *name)
{
    static const ColumnKind *const kinds[] = {&column_kind_fit, &column_kind_skinning, &column_kind_study,
                                              NULL};
    for (int i = 0; kinds[i]; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

/* Moves the rows that were read from the file into the table. */
static Status rows_append(const PublishedFile *file, const char *path, const FileRow *rows, int count,
                          bool stand_in, PublishedTable *table)
{
    char where[JSON_WHERE_BYTES], place[JSON_WHERE_BYTES];
    for (int i = 0; i < count; i++) {
        TableRow *row = &table->rows[table->row_count++];
        *row = rows[i].row;
        row->stand_in = stand_in;
        if (row->name[0] == '\0' || (!stand_in && !rows[i].published))
            return bad_input("%s: row %d has no name or no published numbers", path, i);
        snprintf(where, sizeof where, "%.300s: row %.150s", path, row->name);
        /* The row's own settings override those of the table. */
        STATUS_TRY(argument_check(rows[i].parameters, where));
        STATUS_TRY(argument_update(&row->parameters, file->settings));
        STATUS_TRY(argument_update(&row->parameters, rows[i].parameters));
        const char *name = NULL;
        json_t *value = NULL;
        ALLOCATE(row->published, table->column_count, "a published table");
        for (int c = 0; c < table->column_count; c++)
            row->published[c] = NAN;
        json_object_foreach((json_t *)rows[i].published, name, value)
        {
            const TableColumn *column = table_column_find(table, name);
            if (!column)
                return bad_input("%s has a number for the column '%s', which does not exist", where, name);
            if (!json_is_number(value) && !json_is_null(value))
                return bad_input("%s, column %s is neither a number nor null", where, name);
            json_place(place, where, name, 0);
            if (json_is_number(value))
                STATUS_TRY(json_number_check(JSON_KIND_REAL, value, place));
            if (json_is_number(value))
                row->published[column - table->columns] = json_number_value(value);
        }
        for (int c = 0; c < table->column_count && !row->stand_in; c++)
            if (!table->columns[c].extra && !json_object_get(rows[i].published, table->columns[c].name))
                return bad_input("%s has no number for the column %s", where, table->columns[c].name);
    }
    return status_ok();
}

/* Checks that the columns named by a figure exist. */
static Status figure_check(const char *path, const PublishedTable *table, const TableFigure *figure)
{
    for (int i = 0; i < figure->point_count; i++) {
        const FigurePoints *points = &figure->points[i];
        const char *names[] = {points->column, points->beside, points->against};
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (names[k][0] != '\0' && !table_column_find(table, names[k]))
                return bad_input("%s: a figure uses the column '%s', which does not exist", path, names[k]);
    }
    return status_ok();
}

static Status settings_read(const PublishedFile *file, const char *path, PublishedTable *table)
{
    char where[JSON_WHERE_BYTES];
    JsonTable members = settings_table;
    json_place(where, path, "settings", 0);
    STATUS_TRY(argument_check(file->settings, where));
    for (int c = 0; c < table->column_count;
         c++) /* studies define parameters of their own, so unknown ones are accepted */
        members.strict = members.strict && table->columns[c].kind != &column_kind_study;
    return file->settings ? json_read(file->settings, where, &members, table) : status_ok();
}

static Status table_finish(const PublishedFile *file, const char *path, const char *name,
                           PublishedTable *table)
{
    const char *const needed[][2] = {
        {"title", table->title}, {"source.paper", table->paper}, {"source.place", table->place}};
    if (file->schema != 1)
        return bad_input("%s: schema is not 1", path);
    if (strcmp(table->name, name) != 0)
        return bad_input("%s: has the name '%s', which differs from its file name", path, table->name);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (needed[i][1][0] == '\0')
            return bad_input("%s: has no %s", path, needed[i][0]);
    if (!table->kind)
        return bad_input("%s: the kind of the table is '%s', which does not exist", path, table->kind_name);
    /* A printed table also has columns for the row, its kind and its sizes, and may have one for each
     * iteration in `at`. Together they must not exceed the maximum number of columns. */
    if (table->figure.at_count > PUBLISHED_COLUMNS_MAX)
        return bad_input("%s: figure.at has %d entries, but at most %d are allowed", path,
                         table->figure.at_count, PUBLISHED_COLUMNS_MAX);
    if (table->column_count > PUBLISHED_COLUMNS_MAX)
        return bad_input("%s: columns has %d entries, but at most %d are allowed", path, table->column_count,
                         PUBLISHED_COLUMNS_MAX);
    if (table->column_count == 0)
        return bad_input("%s: has no columns", path);
    for (int c = 0; c < table->column_count; c++) {
        TableColumn *column = &table->columns[c];
        column->kind = column->kind_name[0] != '\0' ? column_kind_find(column->kind_name) : table->kind;
        if (column->name[0] == '\0' || column->title[0] == '\0' || column->quantity[0] == '\0')
            return bad_input("%s: column %s has no name, title or quantity", path, column->name);
        if (!column->kind)
            return bad_input("%s: column %s: there is no kind of column '%s'", path, column->name,
                             column->kind_name);
        if (column->digits < 1 || column->digits > 15 || column->threads < 0 || column->threads > 1024 ||
            column->influences < 0 || column->iterations < 0)
            return bad_input("%s: column %s: digits must be 1 to 15, threads 1 to 1024", path, column->name);
        if (column->beside[0] != '\0' && !table_column_find(table, column->beside))
            return bad_input("%s: column %s: beside names the column '%s', which does not exist", path,
                             column->name, column->beside);
    }
    STATUS_TRY(settings_read(file, path, table));
    ALLOCATE(table->rows, (size_t)file->row_count + (size_t)file->stand_in_count + OWN_ROWS_MAX,
             "a published table");
    STATUS_TRY(rows_append(file, path, file->rows, file->row_count, false, table));
    STATUS_TRY(rows_append(file, path, file->stand_ins, file->stand_in_count, true, table));
    table->paper_row_count = file->row_count;
    if (table->paper_row_count == 0)
        return bad_input("%s: has no rows", path);
    if (table->figure.kind == FIGURE_NONE && json_object_get(table->file, "figure"))
        return bad_input("%s: figure has no kind", path);
    /* Check that the columns named by figures and other columns exist. */
    for (int c = 0; c < table->column_count; c++) {
        const TableColumn *column = &table->columns[c],
                          *other = table_column_find(table, column->relative_to);
        if (column->relative_to[0] != '\0' && (!other || other->relative_to[0] != '\0'))
            return bad_input("%s: column %s is relative to '%s', which is not another column", path,
                             column->name, column->relative_to);
    }
    if (table->own_rigs > OWN_ROWS_MAX || (table->own_rigs > 0 && table->kind != &column_kind_study))
        return bad_input("%s: own_rigs must be at most %d, and 0 unless the table's kind is study", path,
                         OWN_ROWS_MAX);
    STATUS_TRY(figure_check(path, table, &table->figure));
    for (int i = 0; i < table->more_figure_count; i++)
        STATUS_TRY(figure_check(path, table, &table->more_figures[i]));
    for (int c = 0; c < table->column_count; c++)
        if (table->columns[c].kind->check)
            STATUS_TRY(table->columns[c].kind->check(path, table, &table->columns[c]));
    return status_ok();
}

static void published_file_free(PublishedFile *file)
{
    FREE_ALL(file->rows, file->stand_ins, file);
}
DEFINE_OWNED_BY(PublishedFile, published_file_free)

Status published_table_from_json(json_t *taken, const char *where, const char *name, PublishedTable **out)
{
    json_auto_t *json = taken;
    OWNED_BY(published_table_free) PublishedTable *table = NULL;
    *out = NULL;
    OWNED_BY(published_file_free) PublishedFile *file = NULL;
    ALLOCATE(file, 1, "a published table");
    ALLOCATE(table, 1, "a published table");
    file->table = (PublishedTable){
        .file = TAKE(json), .influences = 4, .iterations = 15, .bones_max = 64, .threads = 1};
    const Status status = json_read(file->table.file, where, &published_file_table, file);
    *table = file->table; /* also on failure, so that the table is freed */
    STATUS_TRY(status);
    table->kind = table->kind_name[0] != '\0' ? column_kind_find(table->kind_name) : &column_kind_fit;
    STATUS_TRY(table_finish(file, where, name, table));
    *out = TAKE(table);
    return status_ok();
}

Status published_table_read(const char *name, PublishedTable **out)
{
    char path[PUBLISHED_PATH_BYTES];
    *out = NULL;
    if (strchr(name, '/') ||
        snprintf(path, sizeof path, "%s/results/published/%s.json", environment_home(), name) >=
            (int)sizeof path ||
        access(path, R_OK) != 0) {
        CLEANUP(file_list_clear) FileList files = {.count = 0};
        NearestName nearest = {.given = name};
        STATUS_TRY(published_files_find("", &files));
        for (int i = 0; i < files.count; i++)
            nearest_name_add_candidate(&nearest, files.entries[i]->d_name);
        return nearest_name_suggest(&nearest,
                                    bad_usage("no table '%s'; `skinbench list tables` lists them", name));
    }
    json_t *file = NULL;
    Status status = json_file_read(path, &file);
    return status.code != STATUS_OK ? status : published_table_from_json(file, path, name, out);
}

static int is_json_file(const struct dirent *entry)
{
    return path_ends(entry->d_name, ".json");
}

void file_list_clear(FileList *files)
{
    for (int i = 0; i < files->count; i++)
        free(files->entries[i]);
    free(files->entries);
}

Status published_files_find(const char *within, FileList *out)
{
    *out = (FileList){.count = 0};
    snprintf(out->folder, sizeof out->folder, "%s/results/published%s", environment_home(), within);
    const int count = scandir(out->folder, &out->entries, is_json_file, alphasort);
    if (count < 0)
        return status_make(status_code_of(errno, STATUS_UNAVAILABLE),
                           "%s: the published numbers cannot be read: %s", out->folder, strerror(errno));
    for (out->count = 0; out->count < count; out->count++) {
        char *name = out->entries[out->count]->d_name;
        name[strlen(name) - strlen(".json")] = '\0';
    }
    return status_ok();
}

Status published_damage_add(Status damage, Status file)
{
    return damage.code == STATUS_OK ? file : bad_input("%s; %s", damage.text, file.text);
}

Status published_tables_read(const RecordView *records, PublishedTables *out)
{
    CLEANUP(file_list_clear) FileList files = {.count = 0};
    Status damage = status_ok();
    *out = (PublishedTables){.count = 0};
    STATUS_TRY(published_files_find("", &files));
    ALLOCATE(out->items, files.count, "the published tables");
    for (int i = 0; i < files.count; i++) {
        PublishedTable **table = &out->items[out->count];
        const Status read = published_table_read(files.entries[i]->d_name, table);
        if (read.code == STATUS_BAD_INPUT) {
            damage = published_damage_add(damage, read);
            continue;
        }
        STATUS_TRY(read);
        out->count++;
        if (records)
            STATUS_TRY(table_add_recorded(*table, records));
    }
    return damage;
}

void published_tables_clear(PublishedTables *tables)
{
    for (int i = 0; i < tables->count; i++)
        published_table_free(tables->items[i]);
    memory_free(tables->items);
}
