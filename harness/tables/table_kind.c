#include "harness/tables/table_kind.h"

#include "harness/records/results.h"
#include <math.h>
#include <string.h>

static const TableKind *const kinds[] = {&table_kind_fit, &table_kind_skinning, &table_kind_study, NULL};

static const TableKind *kind_named(const char *name)
{
    for (int i = 0; kinds[i]; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

const TableKind *table_kind_of(const json_t *published)
{
    const char *name = json_text_at(published, "kind");
    return kind_named(name[0] != '\0' ? name : table_kind_fit.name);
}

const TableKind *column_kind_of(const json_t *published, const json_t *column)
{
    const char *name = json_text_at(column, "kind");
    return name[0] != '\0' ? kind_named(name) : table_kind_of(published);
}

const char *table_cell_state_name(TableCellState state)
{
    static const char *const names[] = {
        [TABLE_CELL_MEASURED] = "measured",   [TABLE_CELL_MISSING] = "missing",
        [TABLE_CELL_NO_METHOD] = "no method", [TABLE_CELL_SKIPPED] = "skipped",
        [TABLE_CELL_FAILED] = "failed",       [TABLE_CELL_EMPTY] = ""};
    return names[state];
}

const json_t *table_record_find(const json_t *published, const json_t *row, const json_t *column,
                                const json_t *latest)
{
    return column_kind_of(published, column)->record_find(published, row, column, latest);
}

/* A record that is in order may lack what a column asks for: that is a failure where the paper has it. */
static TableCellState cell_state(const json_t *record, const TableCell *cell)
{
    const char *status = json_text_at(record, "status");
    if (strcmp(status, "skipped") == 0)
        return TABLE_CELL_SKIPPED;
    if (!isnan(cell->measured))
        return TABLE_CELL_MEASURED;
    return strcmp(status, "ok") == 0 && isnan(cell->published) ? TABLE_CELL_EMPTY : TABLE_CELL_FAILED;
}

TableCell table_cell_find(const json_t *published, const json_t *row, const json_t *column,
                          const json_t *latest)
{
    const TableKind *kind = column_kind_of(published, column);
    const json_t *values = json_object_get(row, "published");
    const json_t *value = json_object_get(values, json_text_at(column, "name"));
    const json_t *record = kind->record_find(published, row, column, latest);
    TableCell cell = {TABLE_CELL_MISSING, json_is_number(value) ? json_number_value(value) : NAN, NAN};
    if (record) {
        bool ok = strcmp(json_text_at(record, "status"), "ok") == 0;
        cell.measured = ok ? kind->value(column, record) : NAN;
        cell.state = cell_state(record, &cell);
    } else if (kind->built_in && !kind->built_in(column)) {
        cell.state = TABLE_CELL_NO_METHOD;
    }
    return cell;
}

int settings_list(const json_t *owner, const char **settings, int room)
{
    const json_t *set = json_object_get(owner, "set");
    int count = 0;
    for (size_t i = 0; i < json_array_size(set) && count < room; i++)
        if (json_is_string(json_array_get(set, i)))
            settings[count++] = json_string_value(json_array_get(set, i));
    return count;
}
