/* Lists all faults of a data set, whereas a reader refuses a file at the first fault (validate.h). There is a
 * table of checks, and each check examines all values. If a check finds faults, it reports one finding, with
 * the number of faults and with the place and the value of the first. */
#pragma once

#include "datasets/model/check_rows.h"

enum { CHECK_ROWS_MAX = 48 };

typedef struct CheckReport {
    CheckFinding findings[CHECK_ROWS_MAX]; /* in table order */
    int finding_count;
    int error_count, warning_count, note_count; /* number of findings by severity */
} CheckReport;

/* Runs every row of the table. The data set may come from dataset_read_unchecked: its counts must be
 * consistent, but its values may be wrong. Returns STATUS_OK even if faults are found, and STATUS_SYSTEM if
 * out of memory. */
Status dataset_check(const Dataset *dataset, CheckReport *report);

/* Runs the row with this code. The code must exist. STATUS_SYSTEM if out of memory. */
Status dataset_check_row(const Dataset *dataset, const char *code, CheckFinding *finding);

/* Returns row `index` of the table, or NULL after the last. */
const CheckRow *check_row(int index);
