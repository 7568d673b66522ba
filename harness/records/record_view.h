/* The records of a store, machine by machine: what is measured on one is never mixed with another's. */
#ifndef SKINBENCH_RECORDS_RECORD_VIEW_H
#define SKINBENCH_RECORDS_RECORD_VIEW_H

#include "harness/records/record_store.h"

typedef struct RecordView {
    const RecordStore *store;
    const char *machine; /* NULL: the store has one machine */
} RecordView;

/* One view of a store with one machine, else one for each, in the order in which they come first. *views is
 * for memory_free; it borrows from the store. */
Status record_views(const RecordStore *store, RecordView **views, int *count);

/* The records of a view in the order of their file: after `previous`, NULL for the first; NULL after the
 * last. */
const Record *record_view_next(const RecordView *view, const Record *previous);

#endif
