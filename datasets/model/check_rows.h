/* The rows of the checks (check.h), a table per part of a data set, and what a row finds: how many faults there are,
 * and the first with its place and value. */
#ifndef SKINBENCH_MODEL_CHECK_ROWS_H
#define SKINBENCH_MODEL_CHECK_ROWS_H

#include "datasets/base/status.h"
#include "datasets/model/dataset.h"
#include <stdbool.h>
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

typedef struct CheckRow {
    const char *code; /* NULL closes a table */
    CheckSeverity severity;
    const char *meaning; /* what holds where nothing is found */
    Status (*run)(const Dataset *dataset, CheckFinding *finding);
} CheckRow;

extern const CheckRow check_mesh_rows[];      /* mesh/... */
extern const CheckRow check_rig_rows[];       /* rig/... */
extern const CheckRow check_animation_rows[]; /* fps, animation/... and model/... */

/* Whether a triangle's vertex numbers are in range: rows that use them skip the others. */
bool check_triangle_sound(const Mesh *mesh, int triangle);

#endif
