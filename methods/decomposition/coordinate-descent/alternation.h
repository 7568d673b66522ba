/* Sweeps over a model. Each sweep updates the vertices and then the transformations. In a settling sweep,
 * the bones of a vertex change only if that lowers the error. Settling sweeps are accelerated: they start
 * from extrapolated transformations. If the error does not fall, the sweep is repeated from the
 * transformations of the previous sweep. */
#pragma once

#include "methods/decomposition/coordinate-descent/vertex_update.h"

/* Acceleration of sweeps by L-BFGS (Nocedal 1980), with a sweep as preconditioner (De Sterck and Howse
 * 2018, Nonlinearly preconditioned L-BFGS as an acceleration mechanism for alternating least squares).
 *
 * A sweep maps transformations T to g(T). It finds the best rest pose and weights for T, and then the best
 * transformations for that rest pose and those weights. After rest pose and weights are eliminated, the
 * error is a function of T alone, with gradient T X X^T - C X^T. The step g(T) - T is the negative gradient
 * times the inverse of X X^T. L-BFGS corrects this step by the curvature observed in previous sweeps. The
 * caller accepts the corrected step only if the error falls, and otherwise continues from g(T). */
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

/* A long run of sweeps ends when a sweep lowers the squared error by less than this fraction. */
#define SWEEP_LITTLE 1e-5

/* State of a model after a sweep, from which it can be restored. */
typedef struct Snapshot {
    double squared_error; /* ||Tr X - C||^2 */
    double paid;          /* penalty for rough weights (smoothing.h) */
    double *unknowns;     /* [size] transformations: 4P d numbers for affine bones, 4P 3F for rigid bones */
    double *rest;         /* [N][3] */
    int32_t *bones;       /* [N][K] */
    double *weights;      /* [N][K] */
} Snapshot;

typedef struct Alternation {
    ReducedModel *model; /* not owned */
    Acceleration acceleration;
    double squared_error; /* ||Tr X - C||^2 after the last sweep */
    double paid;          /* penalty for rough weights after the last sweep */
    bool mixed;           /* whether the next sweep starts from accelerated transformations */
    double *point;        /* [size] transformations from which the last sweep started */
    Snapshot last;        /* the state after the last sweep */
} Alternation;

/* Starts from a model whose transformations fit its weights. squared_error is ||Tr X - C||^2 of that model.
 * window: number of sweeps that acceleration uses, 0 for none. Release with alternation_clear, also after a
 * failure. */
Status alternation_make(Alternation *alternation, ReducedModel *model, double squared_error, int window);
void alternation_clear(Alternation *alternation);

/* Makes one sweep. If `settling`, bones of a vertex change only if that lowers the error, and the sweep may
 * be accelerated. Every sweep moves rigid bones without vertices to a new place; sweeps that are not
 * settling also move rigid bones with very few vertices. Thresholds for outliers are in units of the mean
 * squared error of the last sweep. */
Status alternation_sweep(Alternation *alternation, const VertexUpdateOptions *options, bool settling);

/* Restores the transformations of the last sweep in place of accelerated ones. */
void alternation_undo_acceleration(Alternation *alternation);

/* Allocates a snapshot of a model; release with snapshot_clear, also after a failure. */
Status snapshot_init(Snapshot *state, const ReducedModel *model);
void snapshot_clear(Snapshot *state);

/* snapshot_copy copies the model into the snapshot; snapshot_restore copies it back. */
void snapshot_copy(Snapshot *state, const ReducedModel *model);
void snapshot_restore(const Snapshot *state, ReducedModel *model);

/* alternation_keep copies the model of an alternation and its errors into the snapshot; alternation_return
 * copies them back. The model must not have accelerated transformations when it is copied. */
void alternation_keep(const Alternation *alternation, Snapshot *state);
void alternation_return(Alternation *alternation, const Snapshot *state);

/* Returns whether the error plus the penalty for rough weights is below that of the snapshot. */
bool alternation_is_better(const Alternation *alternation, const Snapshot *state);
