/* One sweep after another over a model: vertices, then transformations. Sweeps that only settle are
 * accelerated (acceleration.h): accelerated transformations are a guess, and where they do not lower the
 * error the sweep continues from where the last one left off. */
#pragma once

#include "methods/decomposition/coordinate-descent/acceleration.h"
#include "methods/decomposition/coordinate-descent/vertex_update.h"

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
