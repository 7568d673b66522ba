/* One sweep after another over a model: vertices, then transformations. Sweeps that only settle are
 * accelerated: mixed transformations are a guess, and where they do not lower the error the sweep goes on
 * from where the last one left off. */
#ifndef SKINBENCH_COORDINATE_DESCENT_ALTERNATION_H
#define SKINBENCH_COORDINATE_DESCENT_ALTERNATION_H

#include "datasets/base/status.h"
#include "methods/decomposition/coordinate-descent/reduced_model.h"
#include "methods/decomposition/coordinate-descent/vertex_update.h"

#include <stdbool.h>
#include <stddef.h>

/* Anderson acceleration of the sweep: a sweep maps transformations T to g(T), those that are best for the
 * rest pose and weights that are best for T. Its fixed points are sought by mixing the last few steps
 * (Anderson 1965; for alternating minimisation Peng et al. 2018, Anderson Acceleration for Geometry
 * Optimization and Physics Simulation). The caller keeps a step only when the error falls, and otherwise goes
 * on from g(T). */
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

/* A model the sweeps have come to. */
typedef struct Snapshot {
    double squared_error; /* ||Tr X - C||^2 */
    double paid;          /* for weights that are not smooth (smoothing.h) */
    double *unknowns;     /* [size] transformations: 4P d numbers, of rigid bones the motions, 4P 3F */
    double *rest;         /* [N][3] */
    int32_t *bones;       /* [N][K] */
    double *weights;      /* [N][K] */
} Snapshot;

typedef struct Alternation {
    ReducedModel *model; /* not owned */
    Acceleration acceleration;
    double squared_error; /* ||Tr X - C||^2 after the last sweep */
    double paid;          /* in it for weights that are not smooth */
    bool mixed;           /* whether the next sweep starts from mixed transformations */
    double *point;        /* [size] the transformations the last sweep started from */
    Snapshot last;        /* where it ended */
} Alternation;

/* Takes up a model whose transformations fit its weights, with ||Tr X - C||^2 as it stands. window: sweeps
 * mixed by the acceleration, 0 for none. Release with alternation_clear. */
Status alternation_make(Alternation *alternation, ReducedModel *model, double squared_error, int window);
void alternation_clear(Alternation *alternation);

/* One sweep. `settling`: the choice of bones only improves, so the sweep may be accelerated. Rigid
 * bones without vertices are given a place; in exploring sweeps those that hardly have any, too. The outliers of
 * the options are in units of the last sweep's mean squared error. */
Status alternation_sweep(Alternation *alternation, const VertexUpdateOptions *options, bool settling);

/* Puts mixed transformations back to those the last sweep ended with. */
void alternation_unmix(Alternation *alternation);

/* Allocates a snapshot; release with snapshot_clear. */
Status snapshot_make(Snapshot *state, const Alternation *alternation);
void snapshot_clear(Snapshot *state);

/* Keeps the state of a alternation that is not mixed; goes back to it. */
void snapshot_take(Snapshot *state, const Alternation *alternation);
void snapshot_restore(const Snapshot *state, Alternation *alternation);

#endif
