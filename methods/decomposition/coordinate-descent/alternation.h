/* Sweeps over a model. Each sweep updates the vertices and then the transformations. In a settling sweep,
 * the bones of a vertex change only if that lowers the error. Settling sweeps are accelerated: they start
 * from extrapolated transformations. If the error does not fall, the sweep is repeated from the
 * transformations of the previous sweep. */
#pragma once

#include "methods/decomposition/coordinate-descent/vertex_update.h"
#include "methods/fitting/acceleration.h"

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
