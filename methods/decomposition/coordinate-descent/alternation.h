/* One sweep after another over a model: vertices, then transformations. Sweeps that only settle are
 * accelerated: accelerated transformations are a guess, and where they do not lower the error the sweep
 * continues from where the last one left off. */
#pragma once

#include "methods/decomposition/coordinate-descent/vertex_update.h"

/* Acceleration of sweeps by L-BFGS (Nocedal 1980), which a sweep preconditions (De Sterck and Howse 2018,
 * Nonlinearly preconditioned L-BFGS as an acceleration mechanism for alternating least squares).
 *
 * A sweep takes transformations T to g(T), those that are best for the rest pose and weights that are best
 * for T. Rest pose and weights eliminated, the error is a function of T alone, whose gradient is T X X^T - C
 * X^T; the step g(T) - T is that gradient times the inverse of X X^T. What the last sweeps have shown of the
 * function's curvature turns it into a longer one. The caller keeps a step only when the error falls, and
 * otherwise continues from g(T). */
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

/* The share of the squared error that a sweep must bring for others to follow it, where there are many. */
#define SWEEP_LITTLE 1e-5

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
 * mixed by the acceleration, 0 for none. Release with alternation_clear, on failure too. */
Status alternation_make(Alternation *alternation, ReducedModel *model, double squared_error, int window);
void alternation_clear(Alternation *alternation);

/* One sweep. `settling`: the choice of bones only improves, so the sweep may be accelerated. Rigid
 * bones without vertices are given a place; in exploring sweeps those that hardly have any, too. The outliers
 * of the options are in units of the last sweep's mean squared error. */
Status alternation_sweep(Alternation *alternation, const VertexUpdateOptions *options, bool settling);

/* Puts mixed transformations back to those the last sweep ended with. */
void alternation_unmix(Alternation *alternation);

/* Allocates a snapshot of a model; release with snapshot_clear, on failure too. */
Status snapshot_init(Snapshot *state, const ReducedModel *model);
void snapshot_clear(Snapshot *state);

/* Copies the model into the snapshot, and back. */
void snapshot_copy(Snapshot *state, const ReducedModel *model);
void snapshot_restore(const Snapshot *state, ReducedModel *model);

/* The same for an alternation, with its errors; it must not be mixed when it is kept. */
void alternation_keep(const Alternation *alternation, Snapshot *state);
void alternation_return(Alternation *alternation, const Snapshot *state);

/* Whether the error, with what weights pay for not being smooth, is lower than that of the snapshot. */
bool alternation_is_better(const Alternation *alternation, const Snapshot *state);
