#include "harness/records/record_view.h"

#include "datasets/base/memory.h"
#include <string.h>

Status record_views(const RecordStore *store, RecordView **views, int *count)
{
    int environments = 0;
    (void)record_store_environments(store, &environments);
    *count = 0;
    *views = memory_array((size_t)environments + 1, sizeof **views);
    if (!*views)
        return status_out_of_memory("the machines of results");
    if (!record_store_has_machines(store)) {
        (*views)[(*count)++] = (RecordView){store, NULL};
        return status_ok();
    }
    for (const Record *record = NULL; (record = record_store_next(store, record)) != NULL;) {
        bool known = false;
        for (int i = 0; i < *count && !known; i++)
            known = strcmp((*views)[i].machine, record->machine) == 0;
        if (!known)
            (*views)[(*count)++] = (RecordView){store, record->machine};
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
