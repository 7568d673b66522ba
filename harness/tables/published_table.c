#include "harness/tables/published_table.h"

#include "datasets/base/memory.h"
#include <math.h>
#include <string.h>

void published_table_free(PublishedTable *table)
{
    if (!table)
        return;
    for (int r = 0; r < table->row_count; r++) {
        memory_free(table->rows[r].published);
        argument_free(table->rows[r].parameters);
    }
    memory_free(table->rows);
    memory_free(table->columns);
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

double table_published(const PublishedTable *table, const TableRow *row, const TableColumn *column)
{
    const TableColumn *printed = column->beside[0] ? table_column_find(table, column->beside) : column;
    return printed ? row->published[printed - table->columns] : NAN;
}
