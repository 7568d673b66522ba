/* Reads and writes records as JSON, in result files (results/formats.md documents the members) and for
 * `--json`. No other file converts records. */
#pragma once

#include "harness/records/record/record.h"

/* Return a new object, or NULL if out of memory. */
json_t *record_to_json(const Record *record);
/* Takes Measures. Curves become arrays, and values that are not finite become null. */
json_t *measures_to_json(const void *measures);

/* Returns the member `metrics` of a Record as JSON. Metrics of held-out frames become its member `holdout`.
 * Returns JSON null if the record has no metrics. */
json_t *record_metrics_to_json(const void *record);
/* Adds the facts about a fit to an object (members `end` to `search` in results/formats.md). */
Status fit_facts_write(json_t *object, const FitFacts *fit);
/* Returns the facts about an external program as JSON, or NULL if out of memory. */
json_t *external_facts_to_json(const ExternalFacts *facts);

/* Reads a record. `where`, such as "run.jsonl:3", begins each message. STATUS_BAD_INPUT names the member
 * with a wrong type or value. Unknown members are ignored. The record's machine is left empty. */
Status record_from_json(const json_t *object, const char *where, Record *out);
