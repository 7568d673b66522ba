/* The rows of the checks (check.h), a table per part of a data set, and what a row finds: how many faults
 * there are, and the first with its place and value. */
#pragma once

#include "datasets/model/arrays.h"

typedef enum CheckSeverity {
    CHECK_NOTE,    /* legal, but worth knowing */
    CHECK_WARNING, /* results may surprise */
    CHECK_ERROR    /* results would be wrong, or readers refuse the file */
} CheckSeverity;

/* "note", "warning", "error". */
const char *check_severity_name(CheckSeverity severity);

enum {
    CHECK_TEXT_BYTES = 200,
    CHECK_NAME_BYTES_MAX = 127 /* of a name; results keep no more */
};

/* What a joint without a name is called, with its number behind it. */
#define CHECK_UNNAMED "unnamed joint "

typedef struct CheckFinding {
    const char *code; /* of the row, for example "weights-sum" */
    CheckSeverity severity;
    bool first_only; /* one fault is enough: a row may end at it */
    int64_t count;
    char text[CHECK_TEXT_BYTES]; /* the first fault: "vertex 17 has the sum 0.93, expected 1 within 0.0001" */
} CheckFinding;

/* Counts a fault; the first one's text is kept. */
void check_fault(CheckFinding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether readers and writers refuse the file for it (validate.h); every consumer relies on the rest. */
typedef enum CheckRefusal {
    CHECK_REPORTED,         /* by dataset_check alone */
    CHECK_REFUSED,          /* by dataset_validate */
    CHECK_REFUSED_BY_FRAMES /* by frames_validate, block by block */
} CheckRefusal;

typedef struct CheckRow {
    const char *code; /* NULL closes a table */
    CheckSeverity severity;
    const char *meaning;                                         /* what holds where nothing is found */
    void (*look)(const Dataset *dataset, CheckFinding *finding); /* NULL: `run`, which may lack memory */
    CheckRefusal refusal;
    Status (*run)(const Dataset *dataset, CheckFinding *finding);
} CheckRow;

/* Looks for the faults of a row. STATUS_SYSTEM when out of memory. */
Status check_row_run(const CheckRow *row, const Dataset *dataset, CheckFinding *finding);

/* How large a value may be. What stands in one formula then multiplies to no more than a float holds: a
 * position of 1e9, scaled, or one that is corrected to 1e12, moved by a transform and blended over 4096
 * influences. */
typedef enum CheckBound {
    CHECK_BOUND_LENGTH,    /* 1e9: coordinates, and the elements of rest frames */
    CHECK_BOUND_TRANSFORM, /* 1e18: fits of flat meshes leave large elements where nothing is multiplied by
                              them */
    CHECK_BOUND_SCALE,     /* 1e3: of two-phase skinning */
    CHECK_BOUND_WEIGHT,    /* 1e3: one influence, which may be negative */
    CHECK_BOUND_MODEL,     /* 1e18: a factor of a low-rank model, and the sum of its products */
    CHECK_BOUND_CORRECTION /* 1e12: that sum, where it corrects a rest pose */
} CheckBound;

double check_bound(CheckBound bound);

/* An array, or a block of it that starts at `first`, whose values are to be numbers within the bound. */
typedef struct CheckArray {
    const char *object;  /* "rig/transforms" */
    const float *floats; /* one of the two is the values; both NULL: nothing to look at */
    const double *doubles;
    CheckBound bound;
    int rank;
    int64_t extents[4], first[4];
} CheckArray;

/* A fault for every value that is none: "rig/rest[3,1,2] is nan". At the speed of memory where there is
 * none. */
void check_array(const CheckArray *array, CheckFinding *finding);

/* The rows that look at all values of an array or two, by their codes ("rest-finite"). */
void check_finite(const Dataset *dataset, CheckFinding *finding);

extern const CheckRow check_mesh_rows[];      /* mesh/... */
extern const CheckRow check_rig_rows[];       /* rig/... */
extern const CheckRow check_animation_rows[]; /* fps, animation/... and model/... */
extern const CheckRow check_rest_rows[];      /* the rest pose against the frames; floats */

/* Whether a triangle's vertex numbers are in range: rows that use them skip the others. */
bool check_triangle_sound(const Mesh *mesh, int triangle);
