/* Runs the fits, skinning and studies of a published table. Rows use the data sets that are available, or
 * stand-ins, which are marked. Results go to the result file; cells that the file already has are not run
 * again. */
#pragma once

#include "harness/records/papers/published_table.h"
#include "harness/records/record/subject.h"
#include "harness/run/bench/bench.h"

typedef struct TableSources {
    const char *folder; /* folder of the data sets (<name>.h5, .tar.xz or .npz; .npz also in its subfolders);
                           NULL: only generated data */
    const char *cache;  /* folder into which archives are imported once, as <name>.h5; created if necessary */
} TableSources;

/* Checks all available data of the tables [count]: reads the header, rig and weights of a file, or the
 * first member of an archive. Errors in the last data set are thus reported before the first one is run. */
Status tables_check(const PublishedTable *const *tables, int count, const TableSources *sources,
                    const Progress *progress);

/* Loads the data set of a row if it needs one and it is available (*found). If the row has `influences`,
 * its rig is reduced to that number. Of the bench, only progress and notes are used. Release with
 * subject_clear. */
Status table_row_subject(const TableRow *row, const TableSources *sources, const Bench *bench,
                         Subject *subject, bool *found);

/* Runs a table. Leaves out rows without data, which table_parts lists as missing, and columns whose method
 * is not built in. */
Status table_run(const PublishedTable *table, const TableSources *sources, Bench *bench);

/* Counts the rows of a table that name a data set (`named`), and those among them that the sources have. */
Status table_rows_found(const PublishedTable *table, const TableSources *sources, int *named, int *found);
