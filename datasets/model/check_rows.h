/* The rows of the checks (check.h), in one table for each part of a data set. A row counts the faults of
 * one kind, and records the place and value of the first. */
#pragma once

#include "datasets/model/arrays.h"

typedef enum CheckSeverity {
    CHECK_NOTE,    /* valid, but worth knowing */
    CHECK_WARNING, /* results may be surprising */
    CHECK_ERROR    /* results would be wrong, or readers refuse the file */
} CheckSeverity;

/* Returns "note", "warning" or "error". */
const char *check_severity_name(CheckSeverity severity);

enum {
    CHECK_TEXT_BYTES = 200,
    CHECK_NAME_BYTES_MAX = 127 /* size limit of a name in results, in bytes */
};

/* Name of an unnamed joint in messages, followed by its number. */
#define CHECK_UNNAMED "unnamed joint "

typedef struct CheckFinding {
    const char *code; /* code of the row, such as "weights-sum" */
    CheckSeverity severity;
    bool first_only; /* whether the row may stop at its first fault */
    int64_t count;
    char text[CHECK_TEXT_BYTES]; /* first fault, such as "vertex 17 has the sum 0.93, expected 1" */
} CheckFinding;

/* Counts a fault. The text is stored only for the first fault. */
void check_fault(CheckFinding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether readers and writers refuse a data set with such a fault (validate.h). All other code relies on
 * the properties that validate.h ensures. */
typedef enum CheckRefusal {
    CHECK_REPORTED,         /* not refused; only dataset_check reports it */
    CHECK_REFUSED,          /* by dataset_validate */
    CHECK_REFUSED_BY_FRAMES /* refused by frames_validate, block by block */
} CheckRefusal;

typedef struct CheckRow {
    const char *code; /* NULL ends a table */
    CheckSeverity severity;
    const char *meaning; /* the property that the row checks, as a sentence */
    void (*look)(const Dataset *dataset, CheckFinding *finding); /* counts the faults; NULL if `run` counts
                                                                    them, because that may need memory */
    CheckRefusal refusal;
    Status (*run)(const Dataset *dataset, CheckFinding *finding);
} CheckRow;

/* Looks for the faults of a row. STATUS_SYSTEM if out of memory. */
Status check_row_run(const CheckRow *row, const Dataset *dataset, CheckFinding *finding);

/* Upper bounds of values. They ensure that the product of all values in one formula fits into a float. The
 * largest product is a scaled position of 1e9, or a position corrected to 1e12, that is transformed and
 * blended over 4096 influences. */
typedef enum CheckBound {
    CHECK_BOUND_LENGTH,    /* 1e9: coordinates, and the elements of rest frames */
    CHECK_BOUND_TRANSFORM, /* 1e18: elements of transforms; those fitted to flat meshes are large in
                              directions without points */
    CHECK_BOUND_SCALE,     /* 1e3: elements of the scale in two-phase skinning */
    CHECK_BOUND_WEIGHT,    /* 1e3: weight of an influence, which may be negative */
    CHECK_BOUND_MODEL,     /* 1e18: elements of the factors of a low-rank model, and of their product */
    CHECK_BOUND_CORRECTION /* 1e12: elements of the product of the factors if it corrects a rest pose */
} CheckBound;

double check_bound(CheckBound bound);

/* An array whose values must be finite and within a bound, or a block of the array that begins at
 * `first`. */
typedef struct CheckArray {
    const char *object;  /* "rig/transforms" */
    const float *floats; /* the values are in `floats` or in `doubles`; both NULL: nothing to check */
    const double *doubles;
    CheckBound bound;
    int rank;
    int64_t extents[4], first[4];
} CheckArray;

/* Reports a fault for every value that is not finite or exceeds the bound: "rig/rest[3,1,2] is nan". Runs
 * at memory speed if there are no faults. */
void check_array(const CheckArray *array, CheckFinding *finding);

/* Checks all values of one or two arrays. Several rows of the table use this function; finding->code, such
 * as "rest-finite", names the row for which it is called. */
void check_finite(const Dataset *dataset, CheckFinding *finding);

extern const CheckRow check_mesh_rows[];      /* mesh/... */
extern const CheckRow check_rig_rows[];       /* rig/... */
extern const CheckRow check_animation_rows[]; /* fps, animation/... and model/... */
extern const CheckRow
    check_rest_rows[]; /* comparison of the rest pose with frames; whether floats resolve the mesh */

/* Whether the vertex numbers of a triangle are in range. One row reports triangles with invalid numbers,
 * and all other rows skip them. */
bool check_triangle_sound(const Mesh *mesh, int triangle);
