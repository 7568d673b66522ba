/* One sweep after another over a descent: vertices, then transformations. Sweeps that only settle are
 * accelerated: mixed transformations are a guess, and where they do not lower the error the sweep goes on
 * from where the last one left off. */
#ifndef SKINBENCH_COORDINATE_DESCENT_SWEEPER_H
#define SKINBENCH_COORDINATE_DESCENT_SWEEPER_H

#include "methods/decomposition/coordinate-descent/acceleration.h"
#include "methods/decomposition/coordinate-descent/descent.h"
#include "methods/decomposition/coordinate-descent/sweep.h"

/* A model the sweeps have come to. */
typedef struct SweeperState {
    double squared_error; /* ||Tr X - C||^2 */
    double *unknowns;     /* [size] transformations: 4P d numbers, of rigid bones the motions, 4P 3F */
    double *rest;         /* [N][3] */
    int32_t *bones;       /* [N][K] */
    double *weights;      /* [N][K] */
} SweeperState;

typedef struct Sweeper {
    Descent *descent; /* not owned */
    Acceleration acceleration;
    double squared_error; /* ||Tr X - C||^2 after the last sweep */
    bool mixed;           /* whether the next sweep starts from mixed transformations */
    double *point;        /* [size] the transformations the last sweep started from */
    SweeperState last;    /* where it ended */
} Sweeper;

/* Takes up a descent whose transformations fit its weights, with ||Tr X - C||^2 as it stands. window: sweeps
 * mixed by the acceleration, 0 for none. Release with sweeper_clear. */
Status sweeper_make(Sweeper *sweeper, Descent *descent, double squared_error, int window);
void sweeper_clear(Sweeper *sweeper);

/* One sweep. `settling`: the choice of bones only improves, so the sweep may be accelerated. Rigid
 * bones that serve nobody are given a place; in other sweeps those that hardly do, too. The outliers of
 * the options are in units of the last sweep's mean squared error. */
Status sweeper_sweep(Sweeper *sweeper, const SweepOptions *options, bool settling);

/* Puts mixed transformations back to those the last sweep ended with. */
void sweeper_unmix(Sweeper *sweeper);

/* Room for a state; release with sweeper_state_clear. */
Status sweeper_state_make(SweeperState *state, const Sweeper *sweeper);
void sweeper_state_clear(SweeperState *state);

/* Keeps the state of a sweeper that is not mixed; goes back to it. */
void sweeper_state_take(SweeperState *state, const Sweeper *sweeper);
void sweeper_state_return(const SweeperState *state, Sweeper *sweeper);

#endif
