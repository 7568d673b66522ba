/* Anderson acceleration of the sweep: a sweep maps transformations T to g(T), those that are best for the
 * rest pose and weights that are best for T. Its fixed points are sought by mixing the last few steps
 * (Anderson 1965; for alternating minimisation Peng et al. 2018, Anderson Acceleration for Geometry
 * Optimization and Physics Simulation). The caller keeps a step only when the error falls, and otherwise goes
 * on from g(T). */
#ifndef SKINBENCH_COORDINATE_DESCENT_ACCELERATION_H
#define SKINBENCH_COORDINATE_DESCENT_ACCELERATION_H

#include "datasets/base/status.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct Acceleration {
    int window;          /* most steps mixed; 0: every step is g(T) */
    int count;           /* steps remembered */
    int next;            /* where the next one goes */
    bool has_last;       /* whether the last step and image are known */
    size_t size;         /* numbers in T */
    double *last_step;   /* g(T) - T of the sweep before */
    double *last_image;  /* g(T) of the sweep before */
    double *step_deltas; /* [window][size] differences of steps */
    double *image_deltas;
} Acceleration;

/* Release with acceleration_clear. */
Status acceleration_make(Acceleration *acceleration, int window, size_t size);
void acceleration_clear(Acceleration *acceleration);

/* Forgets all steps. */
void acceleration_reset(Acceleration *acceleration);

/* Takes T in `point` and g(T) in `image`, both [size], and writes the next T over `point`. */
Status acceleration_next(Acceleration *acceleration, double *point, const double *image);

#endif
