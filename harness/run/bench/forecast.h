/* A dry run: what a run would do, and about how long, with nothing run, timed or written. */
#pragma once

#include "harness/records/files/record_store.h"

typedef struct Forecast {
    int to_run, already; /* cells; those that the file has settled on this machine */
    int unknown;         /* of to_run: no record says how long they take */
    double expected_s;   /* of the others: the rounds of skinning by their budget, fits by what the same fit
                          * took, or another of the same method per vertex, frame and bone */
    /* Called with each cell; seconds: NAN where unknown. */
    Status (*cell)(void *context, const Cell *cell, bool already_done, double seconds);
    void *context;
} Forecast;

/* Counts a cell. seconds NAN: by the records of the store. */
Status forecast_add(Forecast *forecast, const RecordStore *store, const Cell *cell, bool already_done,
                    double seconds);
