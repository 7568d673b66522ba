/* The first record of a run, which describes the environment of its measurements (results/formats.md
 * documents the members). */
#pragma once

#include "harness/measure/timing/bandwidth.h"
#include "harness/records/record/record.h"

typedef struct EnvironmentRecord {
    char run[RUN_BYTES], time[TIME_STAMP_BYTES];
    Environment environment;
    Bandwidth bandwidth; /* NAN and 0 threads if not measured */
} EnvironmentRecord;

/* Whether a line of a result file is an environment record rather than the record of a cell. */
bool json_is_environment_record(const json_t *object);

/* Returns a new object, or NULL if out of memory. */
json_t *environment_record_to_json(const EnvironmentRecord *record);

/* Reads an environment record. Fails like record_from_json. An older record has no member `machine`; its
 * machine is derived from its environment. */
Status environment_record_from_json(const json_t *object, const char *where, EnvironmentRecord *out);
