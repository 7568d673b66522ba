/* Perturbs a model by moving the least useful bones to regions of large error. Coordinate descent leaves
 * every bone near its start. After an unlucky choice of first regions, several bones may do the work of one
 * while another bone does the work of two. Each move is a trial: it is undone unless the error is lower
 * after some sweeps. */
#pragma once

#include "methods/decomposition/coordinate-descent/alternation.h"

/* Results of earlier trials. They remain valid between calls of perturbation_run. */
typedef struct Perturbation {
    double *need, *ease; /* [P] factors of each bone, which become smaller after each failed trial. `need`
                            multiplies the error of the bone's region. `ease` divides the increase of the
                            error if the bone is removed. */
    int moves; /* number of bones to move in a trial: an eighth of all bones, fewer after failures */
    int moved; /* number of bones moved in the current trial */
    int32_t *targets,
        *spared; /* [P] regions to which the current trial moves bones, and the bones that it moves there */
} Perturbation;

/* Allocates the record of trials. Release with perturbation_clear, also after a failure. */
Status perturbation_init(Perturbation *perturbation, int bone_count);
void perturbation_clear(Perturbation *perturbation);

typedef struct PerturbationPlan {
    int sweeps;       /* total number */
    int trial_sweeps; /* number of sweeps of a trial before it is judged */
    const VertexUpdateOptions *update;
    bool (*must_stop)(void *context); /* called before every sweep */
    void *context;
} PerturbationPlan;

/* Makes trials until five in a row have failed or half the sweeps are used. The remaining sweeps run
 * without a trial, because acceleration needs an uninterrupted history. */
Status perturbation_run(Perturbation *perturbation, Alternation *alternation, const PerturbationPlan *plan);
