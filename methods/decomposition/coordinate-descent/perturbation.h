/* Perturbs a model by moving the least useful bones to regions of large error. Coordinate descent keeps
 * every bone near its start. After an unlucky choice of first regions, several bones share the work of one
 * while others do the work of two. A move is a trial: it is kept if the error is lower after some sweeps,
 * and undone otherwise. */
#pragma once

#include "methods/decomposition/coordinate-descent/alternation.h"

/* What earlier trials have shown about the bones; kept from one run to the next. */
typedef struct Perturbation {
    double *need, *ease; /* [P] factors of the error of a bone's region, and of the loss without the bone;
                            reduced after each failure */
    int moves;           /* bones to move in a trial: an eighth of all, fewer after failures */
    int moved;           /* bones moved in the current trial */
    int32_t *targets, *spared; /* [P] regions and bones of the current trial */
} Perturbation;

/* Release with perturbation_clear, on failure too. */
Status perturbation_init(Perturbation *perturbation, int bone_count);
void perturbation_clear(Perturbation *perturbation);

typedef struct PerturbationPlan {
    int sweeps;       /* total number */
    int trial_sweeps; /* sweeps of each trial, before it is judged */
    const VertexUpdateOptions *update;
    bool (*must_stop)(void *context); /* asked before every sweep */
    void *context;
} PerturbationPlan;

/* Makes trials until five in a row have failed or half the sweeps are used. The remaining sweeps settle
 * without interruption, because their acceleration needs its history. */
Status perturbation_run(Perturbation *perturbation, Alternation *alternation, const PerturbationPlan *plan);
