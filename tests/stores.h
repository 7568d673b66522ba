/* Writes result files for tests, and reads stores and tables that must be readable. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/records/papers/published.h"
#include "tests/support.h"

static inline RecordStore *store_read(const char *path)
{
    RecordStore *store = NULL;
    assert_ok(record_store_read(&path, 1, &store));
    return store;
}

/* Writes an array of JSON objects as the lines of a result file, and takes ownership of the array. */
static inline void lines_write(const char *path, json_t *lines)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        assert_int_equal(json_dumpf(json_array_get(lines, i), file, JSON_COMPACT | JSON_REAL_PRECISION(17)),
                         0);
        fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
    json_decref(lines);
}

/* TABLE(table, "fesam-table2") declares a published table and releases it at the end of its scope. */
#define TABLE(name, of) OWNED_BY(published_table_free) PublishedTable *name = published_named(of)
static inline PublishedTable *published_named(const char *name)
{
    PublishedTable *table = NULL;
    assert_ok(published_table_read(name, &table));
    return table;
}
