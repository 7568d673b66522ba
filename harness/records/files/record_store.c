/* Stores records in a hash table (uthash) keyed by machine and the SHA-256 of the cell's key. uthash
 * iterates in the order of the file. The records of each data set also form a list in that order, so that a
 * loop over all data sets takes linear time. */
#include "harness/records/files/record_store.h"

#include "datasets/base/hash_table.h"
#include "datasets/io/sha256.h"
#include "harness/measure/environment/environment.h"
#include "harness/records/files/record_json.h"
#include <utlist.h>

struct StoredRecord;

/* The records of a data set. */
typedef struct StoredData {
    char sha256[CELL_SHA256_BYTES];
    struct StoredRecord *first;
    bool refused;
    UT_hash_handle hh;
} StoredData;

/* Hash key. All bytes must be defined, padding included. */
typedef struct RecordIdentity {
    char key[SHA256_TEXT_BYTES + 3];
    int machine; /* index into the store's machines */
} RecordIdentity;

typedef struct StoredRecord {
    Record *record; /* owned; its member `stored` points to this entry */
    RecordIdentity identity;
    size_t line;
    bool refused; /* uthash had no memory to add the entry */
    StoredData *data;
    struct StoredRecord *data_previous,
        *data_next; /* neighbors in the list of records of the same data set, in file order */
    struct StoredRecord *kind_previous,
        *kind_next; /* neighbors in the list of records of the same kind, in file order */
    UT_hash_handle hh;
} StoredRecord;

struct RecordStore {
    ResultsFile *file; /* NULL if the file is only read */
    StoredRecord *entries;
    StoredRecord *kinds[CELL_KIND_COUNT]; /* first record of each kind */
    StoredData *data;
    EnvironmentRecord *environments;
    int environment_count;
    char **machines; /* [machine_count] distinct names, which records borrow */
    int machine_count;
    size_t line_count;
};

static Status identity_make(const Cell *cell, RecordIdentity *out)
{
    OWNED char *key = cell_key(cell);
    ALLOCATED(key, "the key of a cell");
    *out = (RecordIdentity){.machine = 0};
    sha256_of(key, strlen(key), out->key);
    return status_ok();
}

/* Appends the record to the lists of its data set and kind. Returns false if out of memory. */
static bool lists_append(RecordStore *store, StoredRecord *entry)
{
    StoredData *data = NULL;
    HASH_FIND_STR(store->data, entry->record->cell.dataset.sha256, data);
    if (!data && (data = memory_array(1, sizeof *data)) != NULL) {
        *data = (StoredData){.first = NULL};
        snprintf(data->sha256, sizeof data->sha256, "%s", entry->record->cell.dataset.sha256);
        HASH_ADD_STR(store->data, sha256, data);
        if (data->refused) {
            memory_free(data);
            data = NULL;
        }
    }
    if (!data)
        return false;
    entry->data = data;
    DL_APPEND2(data->first, entry, data_previous, data_next);
    DL_APPEND2(store->kinds[entry->record->cell.kind], entry, kind_previous, kind_next);
    return true;
}

static void entry_free(RecordStore *store, StoredRecord *entry)
{
    if (!entry)
        return;
    if (entry->data) {
        DL_DELETE2(entry->data->first, entry, data_previous, data_next);
        DL_DELETE2(store->kinds[entry->record->cell.kind], entry, kind_previous, kind_next);
    }
    record_clear(entry->record);
    FREE_ALL(entry->record, entry);
}

/* Finds the index of the machine of an environment, and adds the machine if it is new. The machine's name
 * is "" if no record of the file describes the environment. */
static Status machine_of(RecordStore *store, const char *hash, int *out)
{
    const char *machine = "";
    for (int i = store->environment_count; i-- > 0 && !machine[0];)
        if (strcmp(store->environments[i].environment.hash, hash) == 0)
            machine = store->environments[i].environment.machine;
    for (*out = 0; *out < store->machine_count; ++*out)
        if (strcmp(store->machines[*out], machine) == 0)
            return status_ok();
    GROW(store->machines, store->machine_count, "the list of machines");
    COPY_TEXT(store->machines[store->machine_count], machine, "the list of machines");
    store->machine_count++;
    return status_ok();
}

/* Adds a record and takes ownership of it. The record replaces an earlier one of the same cell and
 * machine. */
static Status entry_add(RecordStore *store, Record *record)
{
    StoredRecord *entry = memory_array(1, sizeof *entry), *before = NULL;
    if (!entry) {
        record_clear(record);
        memory_free(record);
        return status_out_of_memory("a result");
    }
    *entry = (StoredRecord){.record = record, .line = store->line_count};
    record->stored = entry;
    int machine = 0;
    Status status = identity_make(&record->cell, &entry->identity);
    if (status.code == STATUS_OK)
        status = machine_of(store, record->environment, &machine);
    if (status.code == STATUS_OK) {
        entry->identity.machine = machine;
        record->machine = store->machines[machine];
        HASH_FIND(hh, store->entries, &entry->identity, sizeof entry->identity, before);
        if (before)
            HASH_DEL(store->entries, before);
        entry_free(store, before);
        HASH_ADD(hh, store->entries, identity, sizeof entry->identity, entry);
        if (!entry->refused && lists_append(store, entry))
            return status_ok();
        if (!entry->refused)
            HASH_DEL(store->entries, entry);
        status = status_out_of_memory("a result");
    }
    entry_free(store, entry);
    return status;
}

static Status environment_add(RecordStore *store, const EnvironmentRecord *record)
{
    GROW(store->environments, store->environment_count, "the list of environments");
    store->environments[store->environment_count++] = *record;
    return status_ok();
}

/* Adds the lines in order: the machine of a cell is read from an environment line before it. */
Status record_store_from_lines(ResultLines *lines, RecordStore **out)
{
    *out = NULL;
    OWNED_BY(record_store_close) RecordStore *store = NULL;
    ALLOCATE(store, 1, "results");
    for (size_t i = 0; i < lines->count; i++) {
        ResultLine *line = &lines->items[i];
        store->line_count++;
        if (line->is_environment) {
            STATUS_TRY(environment_add(store, line->environment));
        } else {
            STATUS_TRY(entry_add(store, TAKE(line->record)));
        }
    }
    *out = TAKE(store);
    return status_ok();
}

Status record_store_open(const char *path, RecordStore **out, bool *torn)
{
    *out = NULL;
    OWNED_BY(results_close) ResultsFile *file = NULL;
    CLEANUP(result_lines_clear) ResultLines lines = {.items = NULL};
    STATUS_TRY(result_lines_open(&lines, path, &file, torn));
    STATUS_TRY(record_store_from_lines(&lines, out));
    (*out)->file = TAKE(file);
    return status_ok();
}

Status record_store_read(const char *const *paths, int count, RecordStore **out)
{
    CLEANUP(result_lines_clear) ResultLines lines = {.items = NULL};
    *out = NULL;
    STATUS_TRY(result_lines_read(&lines, paths, count, NULL));
    return record_store_from_lines(&lines, out);
}

void record_store_close(RecordStore *store)
{
    StoredRecord *entry = NULL, *next = NULL;
    if (!store)
        return;
    HASH_ITER(hh, store->entries, entry, next)
    {
        HASH_DEL(store->entries, entry);
        entry_free(store, entry);
    }
    HASH_FREE_ENTRIES(StoredData, store->data)
    for (int i = 0; i < store->machine_count; i++)
        memory_free(store->machines[i]);
    FREE_ALL(store->machines, store->environments);
    results_close(store->file);
    memory_free(store);
}

void record_store_drop_samples(RecordStore *store)
{
    for (StoredRecord *entry = store->entries; entry; entry = entry->hh.next)
        for (int i = 0; i < entry->record->timing.stage_count; i++)
            memory_release(&entry->record->timing.stages[i].samples);
}

int record_store_drop_one_loop_times(RecordStore *store)
{
    int count = 0;
    for (StoredRecord *entry = store->entries; entry; entry = entry->hh.next) {
        Record *record = entry->record;
        const EnvironmentRecord *of = record_store_environment(store, record);
        if (record->cell.kind != CELL_SKINNING || !record->timing.timed || !of ||
            !environment_one_loop(&of->environment))
            continue;
        timing_clear(&record->timing);
        count++;
    }
    return count;
}

size_t record_store_line_count(const RecordStore *store)
{
    return store->line_count;
}

/* Appends a line to the file and takes ownership of the JSON object. */
static Status store_line_append(RecordStore *store, json_t *line)
{
    Status status = results_append(store->file, line, true);
    store->line_count += status.code == STATUS_OK;
    return status;
}

Status record_store_append(RecordStore *store, Record *record)
{
    Status status = store_line_append(store, record_to_json(record));
    Record *kept = status.code == STATUS_OK ? memory_array(1, sizeof *kept) : NULL;
    if (kept) {
        *kept = *record;
        *record = record_of(&(Cell){0});
        return entry_add(store, kept);
    }
    record_clear(record);
    return status.code == STATUS_OK ? status_out_of_memory("a result") : status;
}

Status record_store_append_environment(RecordStore *store, const EnvironmentRecord *record)
{
    STATUS_TRY(store_line_append(store, environment_record_to_json(record)));
    return environment_add(store, record);
}

/* Returns the record of a cell on one machine, or the last one on any machine if `machine` is NULL. */
static const Record *entry_find(const RecordStore *store, RecordIdentity identity, const char *machine)
{
    const StoredRecord *match = NULL;
    StoredRecord *entry = NULL;
    for (int i = 0; i < store->machine_count; i++) {
        if (machine && strcmp(store->machines[i], machine) != 0)
            continue;
        identity.machine = i;
        HASH_FIND(hh, store->entries, &identity, sizeof identity, entry);
        if (entry && (!match || match->line < entry->line))
            match = entry;
    }
    return match ? match->record : NULL;
}

const Record *record_store_find(const RecordStore *store, const Cell *cell, const char *machine)
{
    RecordIdentity identity;
    return identity_make(cell, &identity).code == STATUS_OK ? entry_find(store, identity, machine) : NULL;
}

const Record *record_store_find_same(const RecordStore *store, const Record *record)
{
    return entry_find(store, record->stored->identity, NULL);
}

const Record *record_store_next(const RecordStore *store, const Record *previous)
{
    const StoredRecord *entry = previous ? previous->stored->hh.next : store->entries;
    return entry ? entry->record : NULL;
}

const EnvironmentRecord *record_store_environments(const RecordStore *store, int *count)
{
    *count = store->environment_count;
    return store->environments;
}

const EnvironmentRecord *record_store_environment(const RecordStore *store, const Record *record)
{
    for (int i = store->environment_count; i-- > 0;)
        if (strcmp(store->environments[i].run, record->run) == 0)
            return &store->environments[i];
    return NULL;
}

Status record_views(const RecordStore *store, RecordView **views, int *count)
{
    *count = 0;
    ALLOCATE(*views, store->environment_count + 1, "the list of machines");
    for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;) {
        bool known = false;
        for (int i = 0; i < *count && !known; i++)
            known = strcmp((*views)[i].machine, record->machine) == 0;
        if (!known) {
            (*views)[*count] = (RecordView){store, record->machine, *count};
            (*count)++;
        }
    }
    if (*count < 2) {
        *count = 1;
        (*views)[0] = (RecordView){store, NULL, 0};
    }
    return status_ok();
}

const Record *record_view_next(const RecordView *view, const Record *previous)
{
    do
        previous = record_store_next(view->store, previous);
    while (previous && view->machine && strcmp(previous->machine, view->machine) != 0);
    return previous;
}

const Record *record_view_next_kind(const RecordView *view, CellKind kind, const Record *previous)
{
    const StoredRecord *entry = previous ? previous->stored->kind_next : view->store->kinds[kind];
    while (entry && view->machine && strcmp(entry->record->machine, view->machine) != 0)
        entry = entry->kind_next;
    return entry ? entry->record : NULL;
}

const Record *record_view_next_of(const RecordView *view, const char *sha256, const Record *previous)
{
    StoredData *data = NULL;
    StoredRecord *entry = NULL;
    if (!sha256)
        return record_view_next(view, previous);
    if (previous) {
        entry = previous->stored->data_next;
    } else {
        HASH_FIND_STR(view->store->data, sha256, data);
        entry = data ? data->first : NULL;
    }
    while (entry && view->machine && strcmp(entry->record->machine, view->machine) != 0)
        entry = entry->data_next;
    return entry ? entry->record : NULL;
}

void record_view_suffix(const RecordView *view, char suffix[VIEW_SUFFIX_BYTES])
{
    suffix[0] = '\0';
    if (view->number > 0)
        snprintf(suffix, VIEW_SUFFIX_BYTES, "-%d", view->number + 1);
}

const char *record_name(const RecordView *view, const Record *record, char name[RECORD_NAME_BYTES])
{
    char digest[CELL_DIGEST_BYTES], suffix[VIEW_SUFFIX_BYTES];
    name[0] = '\0';
    if (!record)
        return name;
    if (cell_digest(&record->cell, digest).code != STATUS_OK)
        return NULL;
    record_view_suffix(view, suffix);
    snprintf(name, RECORD_NAME_BYTES, "%s%s", digest, suffix);
    return name;
}
