#include "harness/tables/published.h"

#include "harness/environment/environment.h"
#include "harness/records/results.h"
#include "harness/tables/table_kind.h"
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

json_t *named_at(const json_t *array, const char *name)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        if (strcmp(json_text_at(json_array_get(array, i), "name"), name) == 0)
            return json_array_get(array, i);
    return NULL;
}

static Status columns_check(const char *path, const json_t *table, const json_t *columns)
{
    static const char *const needed[] = {"name", "title", "quantity"};
    if (!table_kind_of(table))
        return status_make(STATUS_BAD_INPUT, "%s: no kind of tables '%s'", path, json_text_at(table, "kind"));
    if (json_array_size(columns) == 0)
        return status_make(STATUS_BAD_INPUT, "%s: has no columns", path);
    for (size_t i = 0; i < json_array_size(columns); i++)
        for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
            if (json_text_at(json_array_get(columns, i), needed[k])[0] == '\0')
                return status_make(STATUS_BAD_INPUT, "%s: column %zu has no %s", path, i, needed[k]);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const TableKind *kind = column_kind_of(table, column);
        if (!kind)
            return status_make(STATUS_BAD_INPUT, "%s: column %s: no kind of columns '%s'", path,
                               json_text_at(column, "name"), json_text_at(column, "kind"));
        Status status = kind->column_check ? kind->column_check(path, table, column) : status_ok();
        if (status.code != STATUS_OK)
            return status;
    }
    return status_ok();
}

static Status row_check(const char *path, const json_t *columns, const json_t *row, size_t index)
{
    json_t *published = json_object_get(row, "published"), *value = NULL;
    const char *name = json_text_at(row, "name"), *column = NULL;
    if (name[0] == '\0' || !json_is_object(published))
        return status_make(STATUS_BAD_INPUT, "%s: row %zu has no name or no published numbers", path, index);
    json_object_foreach(published, column, value)
    {
        if (!named_at(columns, column))
            return status_make(STATUS_BAD_INPUT,
                               "%s: row %s has a number for the column '%s', which is not there", path, name,
                               column);
        if (!json_is_number(value) && !json_is_null(value))
            return status_make(STATUS_BAD_INPUT, "%s: row %s, column %s is neither a number nor null", path,
                               name, column);
    }
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *needed = json_text_at(json_array_get(columns, i), "name");
        /* An extra column is ours alone: something measured beside what the paper has. */
        bool extra = json_is_true(json_object_get(json_array_get(columns, i), "extra"));
        if (!extra && !json_object_get(published, needed))
            return status_make(STATUS_BAD_INPUT, "%s: row %s says nothing of the column %s", path, name,
                               needed);
    }
    return status_ok();
}

static Status table_check(const char *path, const char *name, const json_t *table)
{
    static const char *const needed[] = {"title", "source.paper", "source.place"};
    const json_t *rows = json_object_get(table, "rows"), *columns = json_object_get(table, "columns");
    if (json_number_at(table, "schema") != 1.0)
        return status_make(STATUS_BAD_INPUT, "%s: schema is not 1", path);
    if (strcmp(json_text_at(table, "name"), name) != 0)
        return status_make(STATUS_BAD_INPUT, "%s: calls itself '%s'", path, json_text_at(table, "name"));
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (json_text_at(table, needed[i])[0] == '\0')
            return status_make(STATUS_BAD_INPUT, "%s: has no %s", path, needed[i]);
    Status status = columns_check(path, table, columns);
    if (status.code == STATUS_OK && json_array_size(rows) == 0)
        status = status_make(STATUS_BAD_INPUT, "%s: has no rows", path);
    for (size_t i = 0; i < json_array_size(rows) && status.code == STATUS_OK; i++)
        status = row_check(path, columns, json_array_get(rows, i), i);
    return status;
}

Status published_read(const char *name, json_t **table)
{
    char path[PUBLISHED_PATH_BYTES];
    json_error_t error;
    *table = NULL;
    if (strchr(name, '/') ||
        snprintf(path, sizeof path, "%s/results/published/%s.json", environment_home(), name) >=
            (int)sizeof path ||
        access(path, R_OK) != 0)
        return status_make(STATUS_USAGE, "no table '%s'; `skinbench list tables` lists them", name);
    *table = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!*table)
        return status_make(STATUS_BAD_INPUT, "%s:%d: %s", path, error.line, error.text);
    Status status = table_check(path, name, *table);
    if (status.code != STATUS_OK) {
        json_decref(*table);
        *table = NULL;
    }
    return status;
}

static int is_table_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

Status published_each(Status (*tell)(void *context, const json_t *table), void *context)
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
        json_t *table = NULL;
        name[strlen(name) - 5] = '\0';
        if (status.code == STATUS_OK)
            status = published_read(name, &table);
        if (status.code == STATUS_OK)
            status = tell(context, table);
        json_decref(table);
        free(entries[i]);
    }
    free(entries);
    return status;
}
