/* The rows of the checks (check.h). Each part of a data set has one table of rows. A row counts the faults
 * of one kind, and records the place and value of the first. */
#pragma once

#include "datasets/model/arrays.h"

typedef enum CheckSeverity {
    CHECK_NOTE,    /* valid, but worth knowing */
    CHECK_WARNING, /* results may be surprising */
    CHECK_ERROR    /* an error: results would be wrong, or readers refuse the file */
} CheckSeverity;

/* Returns "note", "warning" or "error". */
const char *check_severity_name(CheckSeverity severity);

enum {
    CHECK_TEXT_BYTES = 200,
    CHECK_NAME_BYTES_MAX = 127 /* size limit of a name in results, in bytes */
};

/* Format for the name of an unnamed joint in messages; its number follows. */
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
 * data sets without faults that are refused. */
typedef enum CheckRefusal {
    CHECK_REPORTED,         /* not refused; only dataset_check reports it */
    CHECK_REFUSED,          /* by dataset_validate */
    CHECK_REFUSED_BY_FRAMES /* refused by frames_validate, block by block */
} CheckRefusal;

typedef struct CheckRow {
    const char *code; /* NULL ends a table */
    CheckSeverity severity;
    const char *meaning; /* the property that the row checks, as a sentence */
    /* Counts the faults. NULL if `run` counts them, because counting may need memory. */
    void (*look)(const Dataset *dataset, CheckFinding *finding);
    CheckRefusal refusal;
    Status (*run)(const Dataset *dataset, CheckFinding *finding);
} CheckRow;

/* Finds the faults of a row. STATUS_SYSTEM if out of memory. */
Status check_row_run(const CheckRow *row, const Dataset *dataset, CheckFinding *finding);

/* Upper bounds of values. They ensure that a formula's result fits into a float if all of its values are at
 * their bounds. The largest results are blends over 4096 influences of transformed positions: rest
 * positions up to 1e9 that were scaled, or positions up to 1e12 that a low-rank model corrected. */
typedef enum CheckBound {
    CHECK_BOUND_LENGTH,    /* 1e9: coordinates, and the elements of rest frames */
    CHECK_BOUND_TRANSFORM, /* 1e18: elements of transforms; fits to flat meshes give large values, because
                              such a mesh has no extent along its normal */
    CHECK_BOUND_SCALE,     /* 1e3: elements of the scale in two-phase skinning */
    CHECK_BOUND_WEIGHT,    /* 1e3: weight of an influence, which may be negative */
    CHECK_BOUND_MODEL, /* 1e18: elements of a low-rank model's factors, and of the product of these factors */
    CHECK_BOUND_CORRECTION /* 1e12: elements of the product of a low-rank model's factors, if the model
                              corrects a rest pose */
} CheckBound;

double check_bound(CheckBound bound);

/* An array, or a block of it that begins at `first`, whose values must be finite and within a bound. */
typedef struct CheckArray {
    const char *object;  /* "rig/transforms" */
    const float *floats; /* the values are in `floats` or in `doubles`; both NULL: nothing to check */
    const double *doubles;
    CheckBound bound;
    int rank;
    int64_t extents[4], first[4];
} CheckArray;

/* Reports a fault, such as "rig/rest[3,1,2] is nan", for every value that is not finite or exceeds the
 * bound. If there are no faults, runs as fast as memory can be read. */
void check_array(const CheckArray *array, CheckFinding *finding);

/* Checks all values of one or two arrays for the row that finding->code names, such as "rest-finite".
 * Several rows of the table share this function. */
void check_finite(const Dataset *dataset, CheckFinding *finding);

extern const CheckRow check_mesh_rows[];      /* mesh/... */
extern const CheckRow check_rig_rows[];       /* rig/... */
extern const CheckRow check_animation_rows[]; /* fps, animation/... and model/... */
extern const CheckRow check_rest_rows[]; /* checks that compare the rest pose with frames, and whether floats
                                            are fine enough for the mesh */

/* Whether the vertex numbers of a triangle are in range. One row reports triangles with invalid numbers,
 * and all other rows skip them. */
bool check_triangle_sound(const Mesh *mesh, int triangle);
