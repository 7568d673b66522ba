/* What may be wrong with a data set, as a list of findings. Unlike the reader's refusals, which stop at the
 * first fault, every row of the table looks at everything, and a row's faults are reported as one finding: how
 * many there are, and the first with its place and value. */
#ifndef SKINBENCH_MODEL_CHECK_H
#define SKINBENCH_MODEL_CHECK_H

#include "datasets/base/status.h"
#include "datasets/model/dataset.h"
#include <stdint.h>

typedef enum CheckSeverity {
    CHECK_NOTE,    /* legal, but worth knowing */
    CHECK_WARNING, /* results may surprise */
    CHECK_ERROR    /* results would be wrong, or readers refuse the file */
} CheckSeverity;

/* "note", "warning", "error". */
const char *check_severity_name(CheckSeverity severity);

enum { CHECK_ROWS_MAX = 40, CHECK_TEXT_BYTES = 200 };

typedef struct CheckFinding {
    const char *code; /* of the row, for example "weights-sum" */
    CheckSeverity severity;
    int64_t count;
    char text[CHECK_TEXT_BYTES]; /* the first fault: "vertex 17 has the sum 0.93, expected 1 within 0.0001" */
} CheckFinding;

typedef struct CheckReport {
    CheckFinding findings[CHECK_ROWS_MAX]; /* in the order of the table */
    int finding_count;
    int error_count, warning_count, note_count; /* findings of each severity */
} CheckReport;

/* Runs every row of the table. The data set may come from dataset_read_unchecked: its counts are relied on,
 * its values are not. STATUS_OK also when faults are found; STATUS_MACHINE when memory is out. */
Status dataset_check(const Dataset *dataset, CheckReport *report);

/* The table: what is looked for, for documentation. */
int check_row_count(void);
const char *check_row_code(int index);
const char *check_row_meaning(int index);
CheckSeverity check_row_severity(int index);

#endif
