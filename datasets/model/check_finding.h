/* What a row of the checks finds (check.h): how many faults there are, and the first with its place and value. */
#ifndef SKINBENCH_MODEL_CHECK_FINDING_H
#define SKINBENCH_MODEL_CHECK_FINDING_H

#include <stdint.h>

typedef enum CheckSeverity {
    CHECK_NOTE,    /* legal, but worth knowing */
    CHECK_WARNING, /* results may surprise */
    CHECK_ERROR    /* results would be wrong, or readers refuse the file */
} CheckSeverity;

/* "note", "warning", "error". */
const char *check_severity_name(CheckSeverity severity);

enum { CHECK_TEXT_BYTES = 200 };

typedef struct CheckFinding {
    const char *code; /* of the row, for example "weights-sum" */
    CheckSeverity severity;
    int64_t count;
    char text[CHECK_TEXT_BYTES]; /* the first fault: "vertex 17 has the sum 0.93, expected 1 within 0.0001" */
} CheckFinding;

/* Counts a fault; the first one's text is kept. */
void check_fault(CheckFinding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
