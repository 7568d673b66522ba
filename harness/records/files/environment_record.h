/* The first record of a run: what its cells were measured with (results/README.md documents the members). */
#pragma once

#include "harness/measure/timing/bandwidth.h"
#include "harness/records/record/record.h"

typedef struct EnvironmentRecord {
    char run[RUN_BYTES], time[TIME_STAMP_BYTES];
    Environment environment;
    Bandwidth bandwidth; /* NAN, threads 0: not measured */
} EnvironmentRecord;

/* Whether a line of a result file is one; else it is a cell. */
bool json_is_environment_record(const json_t *object);

/* A new object; NULL: out of memory. */
json_t *environment_record_to_json(const EnvironmentRecord *record);

/* As record_from_json. An older record without `machine` gets that of its environment. */
Status environment_record_from_json(const json_t *object, const char *where, EnvironmentRecord *out);
