/* Finds, selects and releases the parts of a published table in memory. */
#include "harness/records/papers/published_table.h"

#include "datasets/base/nearest_name.h"
#include "datasets/io/atomic_path.h"

static void row_clear(TableRow *row)
{
    memory_free(row->published);
    argument_free(row->parameters);
}

void published_table_free(PublishedTable *table)
{
    if (!table)
        return;
    for (int r = 0; r < table->row_count; r++)
        row_clear(&table->rows[r]);
    FREE_ALL(table->rows, table->columns);
    json_decref(table->file);
    memory_free(table);
}

const TableColumn *table_column_find(const PublishedTable *table, const char *name)
{
    for (int i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return &table->columns[i];
    return NULL;
}

const TableRow *table_row_find(const PublishedTable *table, const char *name)
{
    for (int i = 0; i < table->row_count; i++)
        if (strcmp(table->rows[i].name, name) == 0)
            return &table->rows[i];
    return NULL;
}

Status published_table_keep_rows(PublishedTable *table, const char *const *names, int count)
{
    int kept = 0, papers = 0;
    for (int i = 0; i < count; i++)
        if (!table_row_find(table, names[i])) {
            NearestName nearest = {.given = names[i]};
            char known[256 + TABLE_TEXT_BYTES] = "";
            for (int r = 0; r < table->row_count; r++) {
                nearest_name_add_candidate(&nearest, table->rows[r].name);
                if (strlen(known) < 256)
                    text_append(known, sizeof known, "%s'%s'", r > 0 ? ", " : "", table->rows[r].name);
            }
            return nearest_name_suggest(&nearest,
                                        bad_usage("the table %s has no row '%s'; it has %s%s", table->name,
                                                  names[i], known, strlen(known) < 256 ? "" : " and more"));
        }
    for (int r = 0; r < table->row_count && count > 0; r++) {
        bool wanted = false;
        for (int i = 0; i < count; i++)
            wanted = wanted || strcmp(table->rows[r].name, names[i]) == 0;
        if (!wanted) {
            row_clear(&table->rows[r]);
            continue;
        }
        papers += r < table->paper_row_count;
        table->rows[kept++] = table->rows[r];
    }
    if (count > 0) {
        table->row_count = kept;
        table->paper_row_count = papers;
    }
    return status_ok();
}

bool table_row_is_own(const char *name)
{
    return path_ends(name, ".h5") || path_ends(name, ".glb") || path_ends(name, ".gltf");
}

/* Appends a row without published numbers. published_table_from_json reserved the space for OWN_ROWS_MAX
 * rows. */
static Status row_add(PublishedTable *table, const TableRow *row, const Argument *parameters)
{
    TableRow *added = &table->rows[table->row_count++];
    table->added_count++;
    *added = *row;
    added->published = NULL;
    added->parameters = NULL;
    ALLOCATE(added->published, table->column_count, "a published table");
    for (int c = 0; c < table->column_count; c++)
        added->published[c] = NAN;
    return argument_update(&added->parameters, parameters);
}

Status published_table_add_own(PublishedTable *table, const char *file)
{
    TableRow row = {.error = NAN, .stand_in = true, .own = true, .group = "your own", .drawn = true};
    text_escape(row.name, sizeof row.name, file);
    if (strlen(file) >= sizeof row.dataset || table->added_count == OWN_ROWS_MAX ||
        table_row_find(table, row.name))
        return status_ok();
    snprintf(row.dataset, sizeof row.dataset, "%s", file);
    for (int i = 0; i < SIZE_COUNT; i++)
        row.sizes[i] = NAN;
    return row_add(table, &row, json_object_get(table->file, "settings"));
}

static const char *row_program(const TableRow *row)
{
    return argument_text(argument_find(row->parameters, "external"), "");
}

Status published_table_add_program(PublishedTable *table, const char *program)
{
    const int count = table->row_count;
    const char *first = "";
    for (int r = 0; r < count; r++) {
        const char *named = row_program(&table->rows[r]);
        first = first[0] ? first : named;
        if (strcmp(named, program) == 0)
            return status_ok();
    }
    for (int r = 0; r < count && first[0]; r++) {
        TableRow row = table->rows[r];
        if (strcmp(row_program(&row), first) != 0)
            continue;
        if (table->added_count == OWN_ROWS_MAX)
            return bad_usage("the table %s has too many rows to add those of %s", table->name, program);
        row.stand_in = true;
        snprintf(row.group, sizeof row.group, "external");
        row.name[strcspn(row.name, ",")] = '\0';
        text_append(row.name, sizeof row.name, ", %s", program);
        STATUS_TRY(row_add(table, &row, row.parameters));
        STATUS_TRY(argument_set_text(&table->rows[table->row_count - 1].parameters, "external", program));
    }
    return status_ok();
}

Status published_table_keep_columns(PublishedTable *table, const char *const *names, int count)
{
    for (int c = 0; c < table->column_count; c++)
        table->columns[c].hidden = count > 0;
    for (int i = 0; i < count; i++) {
        NearestName nearest = {.given = names[i]};
        bool found = false;
        for (int c = 0; c < table->column_count; c++) {
            TableColumn *column = &table->columns[c];
            const bool same = strcmp(column->name, names[i]) == 0 || strcmp(column->title, names[i]) == 0;
            column->hidden = column->hidden && !same;
            found = found || same;
            nearest_name_add_candidate(&nearest, column->name);
        }
        char known[256] = "";
        for (int c = 0; c < table->column_count && !found; c++)
            text_append(known, sizeof known, "%s%s", c > 0 ? ", " : "", table->columns[c].name);
        if (!found)
            return nearest_name_suggest(&nearest, bad_usage("the table %s has no column '%s'; it has %s",
                                                            table->name, names[i], known));
    }
    return status_ok();
}

double table_published(const PublishedTable *table, const TableRow *row, const TableColumn *column)
{
    const TableColumn *printed = column->beside[0] ? table_column_find(table, column->beside) : column;
    return printed ? row->published[printed - table->columns] : NAN;
}
