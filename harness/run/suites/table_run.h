/* Runs what a published table needs, on the data sets that are there, and on stand-ins, which are named as
 * such. What was run stands in the result file; what is there already is not run again. */
#pragma once

#include "harness/records/papers/published_table.h"
#include "harness/records/record/subject.h"
#include "harness/run/bench/bench.h"

typedef struct TableSources {
    const char *folder; /* of the data sets: <name>.h5, .tar.xz or .npz, the last also one folder below; NULL:
                         * none, only what is generated */
    const char *cache;  /* folder in which archives are imported once, as <name>.h5; made if need be */
} TableSources;

/* Opens the data of every row of the tables [count] that are there, a file as far as its rig and weights, an
 * archive as far as its first member: what is wrong with the last is stated before the first is run. */
Status tables_check(const PublishedTable *const *tables, int count, const TableSources *sources,
                    const Progress *progress);

/* Loads the data set of a row, where it is one about data and they are there (*found); a row with
 * `influences` gets a rig pruned to this many. Of the bench its progress and notes are used. Release with
 * subject_clear. */
Status table_row_subject(const TableRow *row, const TableSources *sources, const Bench *bench,
                         Subject *subject, bool *found);

/* Rows whose data are not there are left to table_parts to list as missing; so are columns whose method is
 * not built in. */
Status table_run(const PublishedTable *table, const TableSources *sources, Bench *bench);
