/* Acceleration of sweeps by L-BFGS (Nocedal 1980), which a sweep preconditions (De Sterck and Howse 2018,
 * Nonlinearly preconditioned L-BFGS as an acceleration mechanism for alternating least squares).
 *
 * A sweep takes transformations T to g(T), those that are best for the rest pose and weights that are best
 * for T. Rest pose and weights eliminated, the error is a function of T alone, whose gradient is T X X^T - C
 * X^T; the step g(T) - T is that gradient times the inverse of X X^T. What the last sweeps have shown of the
 * function's curvature turns it into a longer one. The caller keeps a step only when the error falls, and
 * otherwise continues from g(T). */
#pragma once

#include "datasets/base/base.h"

enum { ACCELERATION_WINDOW_MAX = 16 };

/* From one sweep to the next. */
typedef struct CurvaturePair {
    double *move;     /* of T */
    double *gradient; /* by how much it grew */
    double *step;     /* by how much g(T) - T shrank */
    double curvature; /* move . gradient, positive */
} CurvaturePair;

typedef struct Acceleration {
    int window;    /* most pairs; 0: every step is g(T) */
    int count;     /* pairs remembered */
    int next;      /* where the next one goes */
    bool has_last; /* whether the last sweep is known */
    size_t size;   /* numbers in T */
    double *last_point, *last_slope, *last_step;
    double *slope, *step; /* half the gradient here and, turned around, what preconditioning makes of it */
    CurvaturePair pairs[ACCELERATION_WINDOW_MAX];
} Acceleration;

/* Release with acceleration_clear, on failure too. */
Status acceleration_make(Acceleration *acceleration, int window, size_t size);
void acceleration_clear(Acceleration *acceleration);

/* Forgets all sweeps. */
void acceleration_reset(Acceleration *acceleration);

/* Takes T in `point`, g(T) in `image` and half the gradient at T, all [size], and writes the next T over
 * `point`. Without a gradient (NULL) it is the step, turned around: X X^T counts as the identity. */
void acceleration_next(Acceleration *acceleration, double *point, const double *image,
                       const double *gradient);
