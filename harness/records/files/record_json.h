/* Records in JSON, as they stand in a result file (results/README.md documents the members) and as `--json`
 * prints them. JSON of records is read and written here alone. */
#pragma once

#include "harness/records/record/record.h"

/* New objects; NULL: out of memory. */
json_t *record_to_json(const Record *record);
json_t *measures_to_json(const Measures *measures); /* curves are arrays; what is not finite is null */

/* The member `metrics` of a record: with `holdout` where it has some; null where it has none. */
json_t *record_metrics_to_json(const Record *record);
/* Sets the members that a fit adds to a record (results/README.md: end to search) in an object. */
Status fit_facts_write(json_t *object, const FitFacts *fit);

/* `where` opens messages: "run.jsonl:3". STATUS_BAD_INPUT names the member that is of a wrong type, or says
 * what its value is none of. What is not documented is not read. The record's machine is left empty. */
Status record_from_json(const json_t *object, const char *where, Record *out);
