/* Tables made of records: what `bench` prints and `report` writes. */
#ifndef SKINBENCH_REPORT_RECORD_TABLES_H
#define SKINBENCH_REPORT_RECORD_TABLES_H

#include "harness/text/text_table.h"
#include <jansson.h>

/* The records that stand: of several for the same cell the last one, environments left out. A new array. */
Status records_latest(const json_t *records, json_t **latest);

/* Skinning cells that were timed: per vertex and frame, with ratios. `dataset`: only this digest's; NULL:
 * all. */
Status skinning_table(const json_t *latest, const char *dataset, TextTable **out);

/* Decomposition cells. */
Status fits_table(const json_t *latest, TextTable **out);

/* How many cells of each kind ended how. */
Status counts_table(const json_t *latest, TextTable **out);

/* Cells that are not "ok", with their reason. */
Status reasons_table(const json_t *latest, TextTable **out);

/* "hemisphere=first bones=30": the parameters of a record in one text; only those that are not the default
 * where the method is built in. */
void record_parameters_format(const json_t *record, char *text, size_t size);

/* The digests of the data sets in the order they come first, as a new array of {name, sha256}. */
json_t *records_datasets(const json_t *latest, const char *kind);

#endif
