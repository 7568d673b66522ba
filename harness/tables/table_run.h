/* Runs what a published table needs, on the data sets that are there, and on stand-ins, which are named as
 * such. What was run stands in the result file; what is there already is not run again. */
#ifndef SKINBENCH_TABLES_TABLE_RUN_H
#define SKINBENCH_TABLES_TABLE_RUN_H

#include "harness/bench/bench.h"
#include "harness/tables/published_table.h"
#include "harness/tables/row_subject.h"

/* Rows whose data are not there are left to table_parts to list as missing; so are columns whose method is
 * not built in. */
Status table_run(const PublishedTable *table, const TableSources *sources, Bench *bench);

#endif
