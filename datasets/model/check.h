/* Lists all faults of a data set, whereas a reader refuses a file at the first fault (validate.h). Each part
 * of a data set has a table of rows (check_mesh.c, check_rig.c, check_animation.c, check_rest.c). A row
 * examines all values, counts the faults of one kind, and records the place and value of the first. */
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
    CHECK_NAME_BYTES_MAX = 127 /* longest name in results, in bytes */
};

/* Format for the name of an unnamed joint in messages; its number follows. */
#define CHECK_UNNAMED "unnamed joint "

typedef struct CheckFinding {
    const char *code; /* code of the row, such as "weights-sum" */
    CheckSeverity severity;
    bool first_only; /* whether the row may stop at its first fault */
    int64_t count;
    char text[CHECK_TEXT_BYTES]; /* what the first fault is: "vertex 17 has the sum 0.93, expected 1" */
} CheckFinding;

/* Counts a fault. Keeps the text of the first fault only. */
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
    Status (*run)(const Dataset *dataset, CheckFinding *finding);
    CheckRefusal refusal; /* CHECK_REPORTED if a row does not name it */
} CheckRow;

/* Finds the faults of a row, or only its first fault. STATUS_SYSTEM if out of memory. */
Status check_row_run(const CheckRow *row, const Dataset *dataset, bool first_only, CheckFinding *finding);

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

/* Returns STATUS_BAD_INPUT if the weights of a vertex do not sum to 1 (row "weight-sum"). */
Status weight_sums_check(const Mesh *mesh, const Rig *rig);

/* Returns row `index` of the table, or NULL after the last. */
const CheckRow *check_row(int index);
