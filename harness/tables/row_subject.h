/* The data set of a table's row: from a folder of files, from an archive there, or from a generator. */
#ifndef SKINBENCH_TABLES_ROW_SUBJECT_H
#define SKINBENCH_TABLES_ROW_SUBJECT_H

#include "harness/bench/bench.h"
#include "harness/bench/subject.h"
#include "harness/tables/published_table.h"
#include <stdbool.h>

typedef struct TableSources {
    const char *folder; /* of the data sets: <name>.h5 or <name>.tar.xz; NULL: none, only what is generated */
    const char *cache;  /* folder in which archives are imported once, as <name>.h5; made if need be */
} TableSources;

/* Whether the row is about a data set at all: it has `dataset` or `generate`. */
bool row_has_dataset(const TableRow *row);

/* Loads it. A row with `influences` gets a rig pruned to so many (subject_prune). *found stays false where
 * the file is not there. Release with subject_clear. */
Status row_subject_load(const TableRow *row, const TableSources *sources, const Bench *bench,
                        Subject *subject, bool *found);

#endif
