/* Perturbation of a model by moving bones: those that serve little go where the error is greatest. Coordinate
 * descent keeps every bone near where it started; where the first regions were unlucky, some bones share what
 * one could do and others do the work of two. A move is a trial: it is kept if some sweeps later the error is
 * lower, and undone if not. */
#pragma once

#include "methods/decomposition/coordinate-descent/alternation.h"

/* What the trials have taught about the bones; lasts from one run to the next. */
typedef struct Perturbation {
    double *need, *ease; /* [P] how much the error of a bone's region, and the readiness to spare it, count:
                          * less after each failure */
    int moves;           /* bones to be moved in a trial: an eighth of all, fewer after failures */
    int moved;           /* in the present trial */
    int32_t *targets, *spared; /* [P] the regions and the bones of the present trial */
} Perturbation;

/* Release with perturbation_clear, on failure too. */
Status perturbation_init(Perturbation *perturbation, int bone_count);
void perturbation_clear(Perturbation *perturbation);

typedef struct PerturbationPlan {
    int sweeps;       /* in all */
    int trial_sweeps; /* of each, before it is judged */
    const VertexUpdateOptions *update;
    bool (*must_stop)(void *context); /* asked before every sweep */
    void *context;
} PerturbationPlan;

/* Makes trials, one after another, until five on end have failed or half the sweeps are used; all others, in
 * one piece, settle: their acceleration needs its past. */
Status perturbation_run(Perturbation *perturbation, Alternation *alternation, const PerturbationPlan *plan);
