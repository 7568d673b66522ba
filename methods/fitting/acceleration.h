/* Acceleration of alternating least squares by L-BFGS (Nocedal 1980), with a sweep as preconditioner (De
 * Sterck and Howse 2018, Nonlinearly preconditioned L-BFGS as an acceleration mechanism for alternating
 * least squares).
 *
 * A sweep maps transformations T to g(T). It finds the best values of all other unknowns for T, and then
 * the best transformations for these values. After the other unknowns are eliminated, the error is a
 * function of T alone, with gradient T X X^T - C X^T. The step g(T) - T is the negative gradient times the
 * inverse of X X^T. L-BFGS corrects this step by the curvature observed in previous sweeps. The caller
 * accepts the corrected step only if the error falls, and otherwise continues from g(T). */
#pragma once

#include "datasets/base/base.h"

enum { ACCELERATION_WINDOW_MAX = 16 };

/* Differences between one sweep and the next. */
typedef struct CurvaturePair {
    double *move;     /* change of the transformations T */
    double *gradient; /* change of the gradient */
    double *step;     /* previous step minus current step, where a step is g(T) - T */
    double curvature; /* inner product of `move` and `gradient`; positive */
} CurvaturePair;

typedef struct Acceleration {
    int window;    /* maximum number of pairs; 0: no acceleration, every step is g(T) - T */
    int count;     /* pairs remembered */
    int next;      /* index at which the next pair is stored */
    bool has_last; /* whether a previous sweep is stored */
    size_t size;   /* number of values in T */
    double *last_point, *last_slope, *last_step;
    double *slope, *step; /* `slope`: half the gradient at T; `step`: g(T) - T, the negative of the
                             preconditioned gradient */
    CurvaturePair pairs[ACCELERATION_WINDOW_MAX];
} Acceleration;

/* Allocates an acceleration without pairs. Release with acceleration_clear, also after a failure. */
Status acceleration_make(Acceleration *acceleration, int window, size_t size);
void acceleration_clear(Acceleration *acceleration);

/* Forgets all previous sweeps. */
void acceleration_reset(Acceleration *acceleration);

/* Computes the next transformations. On entry `point` holds T, `image` holds g(T) and `gradient` holds half
 * the gradient at T, all [size]. On return `point` holds the next T. If `gradient` is NULL, T - g(T) is
 * used in its place. */
void acceleration_next(Acceleration *acceleration, double *point, const double *image,
                       const double *gradient);
