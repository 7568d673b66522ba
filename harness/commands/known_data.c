/* Finds the catalogue of data sets, and the data sets in it that can fill missing rows of a table. */
#include "harness/commands/known_data.h"

#include "harness/commands/command_line.h"
#include <unistd.h>

void known_data_path(char path[KNOWN_DATA_PATH_BYTES])
{
    snprintf(path, KNOWN_DATA_PATH_BYTES, "%s/datasets/catalogue.json", environment_home());
}

bool known_data_is_there(void)
{
    char path[KNOWN_DATA_PATH_BYTES];
    known_data_path(path);
    return access(path, R_OK) == 0;
}

Status known_data_read(Catalogue *out)
{
    char path[KNOWN_DATA_PATH_BYTES];
    known_data_path(path);
    return catalogue_read(path, out);
}

/* Whether the row is the table's first row that uses the data set `name`, and the data set is missing. */
static bool is_asked_for(const TableView *views, int count, int row, const char *name)
{
    const TableRow *rows = views[0].table->rows;
    for (int r = 0; r < row; r++)
        if (strcmp(rows[r].dataset, name) == 0)
            return false;
    for (int i = 0; i < count && strcmp(rows[row].dataset, name) == 0; i++)
        for (int c = 0; c < views[i].table->column_count; c++)
            if (table_cell_find(&views[i], &rows[row], &views[i].table->columns[c]).state ==
                TABLE_CELL_MISSING)
                return true;
    return false;
}

Status known_data_print_missing(const TableView *views, int count)
{
    CLEANUP(catalogue_clear) Catalogue catalogue = {0};
    bool any = false;
    if (count == 0 || !known_data_is_there())
        return status_ok();
    STATUS_TRY(known_data_read(&catalogue));
    for (int r = 0; r < views[0].table->row_count; r++)
        for (int i = 0; i < catalogue.count; i++) {
            const CatalogueEntry *entry = &catalogue.entries[i];
            if (!entry->upstream.address || !is_asked_for(views, count, r, entry->name))
                continue;
            terminal_print("%s --only %s", any ? "" : "Missing here: scripts/fetch-datasets", entry->name);
            any = true;
        }
    if (any)
        terminal_print(" DIR downloads the missing files; then pass --data DIR.\n");
    for (int r = 0; r < views[0].table->row_count; r++)
        for (int i = 0; i < catalogue.missing_count; i++)
            if (is_asked_for(views, count, r, catalogue.missing[i].name))
                terminal_print("Missing here: %s, %s: %s\n", catalogue.missing[i].name,
                               catalogue.missing[i].reason, catalogue.missing[i].visit);
    return status_ok();
}
