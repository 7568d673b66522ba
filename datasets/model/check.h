/* What may be wrong with a data set, as a list of findings. Readers refuse what some of the rows find
 * (validate.h) at the first fault; here every row of the table looks at everything, and a row's faults are
 * reported as one finding: how many there are, and the first with its place and value. */
#pragma once

#include "datasets/model/check_rows.h"

enum { CHECK_ROWS_MAX = 48 };

typedef struct CheckReport {
    CheckFinding findings[CHECK_ROWS_MAX]; /* in the order of the table */
    int finding_count;
    int error_count, warning_count, note_count; /* findings of each severity */
} CheckReport;

/* Runs every row of the table. The data set may come from dataset_read_unchecked: its counts are relied on,
 * its values are not. STATUS_OK also when faults are found; STATUS_SYSTEM when out of memory. */
Status dataset_check(const Dataset *dataset, CheckReport *report);

/* Runs the row of this code, which exists. STATUS_SYSTEM when out of memory. */
Status dataset_check_row(const Dataset *dataset, const char *code, CheckFinding *finding);

/* Row `index` of the table, what is looked for; NULL past the last. */
const CheckRow *check_row(int index);
