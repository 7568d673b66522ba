/* Sweeps over a model: each updates the vertices, then the transformations. Settling sweeps are
 * accelerated. Accelerated transformations are a guess; if they do not lower the error, the sweep continues
 * from the plain ones. */
#pragma once

#include "methods/decomposition/coordinate-descent/vertex_update.h"

/* Acceleration of sweeps by L-BFGS (Nocedal 1980), with a sweep as preconditioner (De Sterck and Howse
 * 2018, Nonlinearly preconditioned L-BFGS as an acceleration mechanism for alternating least squares).
 *
 * A sweep takes transformations T to g(T): it finds the best rest pose and weights for T, then the best
 * transformations for these. With rest pose and weights eliminated, the error is a function of T alone,
 * with gradient T X X^T - C X^T. The step g(T) - T is that gradient times the inverse of X X^T. The
 * curvature observed in the last sweeps lengthens the step. The caller keeps a step only if the error
 * falls, and otherwise continues from g(T). */
enum { ACCELERATION_WINDOW_MAX = 16 };

/* Differences between one sweep and the next. */
typedef struct CurvaturePair {
    double *move;     /* change of T */
    double *gradient; /* change of the gradient */
    double *step;     /* decrease of g(T) - T */
    double curvature; /* move . gradient, positive */
} CurvaturePair;

typedef struct Acceleration {
    int window;    /* maximum number of pairs; 0: every step is g(T) */
    int count;     /* pairs remembered */
    int next;      /* index of the next pair */
    bool has_last; /* whether a previous sweep is stored */
    size_t size;   /* number of values in T */
    double *last_point, *last_slope, *last_step;
    double *slope, *step; /* half the gradient, and the negative of the preconditioned step */
    CurvaturePair pairs[ACCELERATION_WINDOW_MAX];
} Acceleration;

/* Release with acceleration_clear, on failure too. */
Status acceleration_make(Acceleration *acceleration, int window, size_t size);
void acceleration_clear(Acceleration *acceleration);

/* Forgets all sweeps. */
void acceleration_reset(Acceleration *acceleration);

/* Takes T in `point`, g(T) in `image` and half the gradient at T, all [size], and writes the next T to
 * `point`. Without a gradient (NULL) the negative step is used: X X^T counts as the identity. */
void acceleration_next(Acceleration *acceleration, double *point, const double *image,
                       const double *gradient);

/* Share of the squared error that a sweep must gain for a long run of sweeps to continue. */
#define SWEEP_LITTLE 1e-5

/* State of a model after some sweep. */
typedef struct Snapshot {
    double squared_error; /* ||Tr X - C||^2 */
    double paid;          /* penalty of weights that are not smooth (smoothing.h) */
    double *unknowns;     /* [size] transformations: 4P d numbers, or 4P 3F for the motions of rigid bones */
    double *rest;         /* [N][3] */
    int32_t *bones;       /* [N][K] */
    double *weights;      /* [N][K] */
} Snapshot;

typedef struct Alternation {
    ReducedModel *model; /* not owned */
    Acceleration acceleration;
    double squared_error; /* ||Tr X - C||^2 after the last sweep */
    double paid;          /* its part for weights that are not smooth */
    bool mixed;           /* whether the next sweep starts from accelerated transformations */
    double *point;        /* [size] the transformations from which the last sweep started */
    Snapshot last;        /* the state after the last sweep */
} Alternation;

/* Starts from a model whose transformations fit its weights; squared_error is its ||Tr X - C||^2. window:
 * number of sweeps used for acceleration, 0 for none. Release with alternation_clear, also after a
 * failure. */
Status alternation_make(Alternation *alternation, ReducedModel *model, double squared_error, int window);
void alternation_clear(Alternation *alternation);

/* Makes one sweep. `settling`: the choice of bones only improves, so the sweep may be accelerated. Rigid
 * bones without vertices are moved to a new place; in exploring sweeps so are those with hardly any.
 * Outliers in the options are in units of the last sweep's mean squared error. */
Status alternation_sweep(Alternation *alternation, const VertexUpdateOptions *options, bool settling);

/* Restores the transformations of the last sweep in place of accelerated ones. */
void alternation_unmix(Alternation *alternation);

/* Allocates a snapshot of a model; release with snapshot_clear, also after a failure. */
Status snapshot_init(Snapshot *state, const ReducedModel *model);
void snapshot_clear(Snapshot *state);

/* Copies the model into the snapshot, and back. */
void snapshot_copy(Snapshot *state, const ReducedModel *model);
void snapshot_restore(const Snapshot *state, ReducedModel *model);

/* Copies an alternation and its errors into the snapshot, and back. When copied, it must not hold
 * accelerated transformations. */
void alternation_keep(const Alternation *alternation, Snapshot *state);
void alternation_return(Alternation *alternation, const Snapshot *state);

/* Whether the error, including the penalty of weights, is below that of the snapshot. */
bool alternation_is_better(const Alternation *alternation, const Snapshot *state);
