/* The rows of the checks (check.h), in a table for each part of a data set. A row finds a number of faults,
 * and the first with its place and value. */
#pragma once

#include "datasets/model/arrays.h"

typedef enum CheckSeverity {
    CHECK_NOTE,    /* valid, but worth knowing */
    CHECK_WARNING, /* results may surprise */
    CHECK_ERROR    /* results would be wrong, or readers refuse the file */
} CheckSeverity;

/* Returns "note", "warning" or "error". */
const char *check_severity_name(CheckSeverity severity);

enum {
    CHECK_TEXT_BYTES = 200,
    CHECK_NAME_BYTES_MAX = 127 /* bytes of a name that results keep */
};

/* Name of a joint without a name, followed by its number. */
#define CHECK_UNNAMED "unnamed joint "

typedef struct CheckFinding {
    const char *code; /* code of the row, such as "weights-sum" */
    CheckSeverity severity;
    bool first_only; /* the row may stop at its first fault */
    int64_t count;
    char text[CHECK_TEXT_BYTES]; /* first fault: "vertex 17 has the sum 0.93, expected 1 within 0.0001" */
} CheckFinding;

/* Counts a fault. Only the text of the first is kept. */
void check_fault(CheckFinding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether readers and writers refuse a file for a fault (validate.h). All other code relies on the rows
 * that they refuse. */
typedef enum CheckRefusal {
    CHECK_REPORTED,         /* by dataset_check only */
    CHECK_REFUSED,          /* by dataset_validate */
    CHECK_REFUSED_BY_FRAMES /* by frames_validate, block by block */
} CheckRefusal;

typedef struct CheckRow {
    const char *code; /* NULL ends a table */
    CheckSeverity severity;
    const char *meaning; /* the property that holds if no fault is found */
    void (*look)(const Dataset *dataset, CheckFinding *finding); /* NULL: `run`, which may need memory */
    CheckRefusal refusal;
    Status (*run)(const Dataset *dataset, CheckFinding *finding);
} CheckRow;

/* Looks for the faults of a row. STATUS_SYSTEM if out of memory. */
Status check_row_run(const CheckRow *row, const Dataset *dataset, CheckFinding *finding);

/* Upper bounds of values. The product of all values in one formula then fits a float: a scaled position of
 * 1e9, or a position corrected to 1e12, that is transformed and blended over 4096 influences. */
typedef enum CheckBound {
    CHECK_BOUND_LENGTH,    /* 1e9: coordinates, and the elements of rest frames */
    CHECK_BOUND_TRANSFORM, /* 1e18: fits of flat meshes leave large elements in directions without points */
    CHECK_BOUND_SCALE,     /* 1e3: scale of two-phase skinning */
    CHECK_BOUND_WEIGHT,    /* 1e3: weight of an influence, which may be negative */
    CHECK_BOUND_MODEL,     /* 1e18: factor of a low-rank model, and sum of its products */
    CHECK_BOUND_CORRECTION /* 1e12: that sum if it corrects a rest pose */
} CheckBound;

double check_bound(CheckBound bound);

/* An array, or a block of it from `first` on, whose values must be finite and within the bound. */
typedef struct CheckArray {
    const char *object;  /* "rig/transforms" */
    const float *floats; /* one of the two holds the values; both NULL: nothing to check */
    const double *doubles;
    CheckBound bound;
    int rank;
    int64_t extents[4], first[4];
} CheckArray;

/* Reports a fault for every value that is not finite or exceeds the bound: "rig/rest[3,1,2] is nan". Runs
 * at the speed of memory if there are none. */
void check_array(const CheckArray *array, CheckFinding *finding);

/* Checks all values of one or two arrays, for several rows of the table. finding->code ("rest-finite") says
 * which. */
void check_finite(const Dataset *dataset, CheckFinding *finding);

extern const CheckRow check_mesh_rows[];      /* mesh/... */
extern const CheckRow check_rig_rows[];       /* rig/... */
extern const CheckRow check_animation_rows[]; /* fps, animation/... and model/... */
extern const CheckRow check_rest_rows[];      /* rest pose compared with frames; float resolution */

/* Whether a triangle's vertex numbers are in range. Rows that use them skip other triangles. */
bool check_triangle_sound(const Mesh *mesh, int triangle);
