/* Moves bones that serve little to where the error is greatest. Coordinate descent keeps every bone near
 * where it started; where the first regions were unlucky, some bones share what one could do and others do
 * the work of two. A move is a trial: it is kept where some sweeps later the error is lower, and undone where
 * not. */
#pragma once

#include "methods/decomposition/coordinate-descent/alternation.h"

/* What the trials have taught. */
typedef struct Reseed {
    Alternation *alternation; /* not owned */
    Snapshot kept;            /* where the trial began */
    double *need, *ease; /* [P] how much the error of a bone's region, and the readiness to spare it, count:
                          * less after each failure */
    int moves;           /* bones to be moved in a trial: an eighth of all, fewer after failures */
    int moved;           /* in the present trial */
    int32_t *targets, *spared; /* [P] the regions and the bones of the present trial */
} Reseed;

/* Release with reseed_clear. */
Status reseed_make(Reseed *reseed, Alternation *alternation);
void reseed_clear(Reseed *reseed);

/* What trials and sweeps between them may take. */
typedef struct ReseedPlan {
    int trials;       /* at most */
    int sweeps;       /* of all, at most */
    int trial_sweeps; /* of each, before it is judged */
    const VertexUpdateOptions *settling;
    bool (*must_end)(const void *context,
                     double share); /* asked before every sweep, with the share that lies behind */
    const void *context;
} ReseedPlan;

/* Trials one after another. After one that failed come sweeps that settle, half as many as it took, and twice
 * as many after each further failure. After five failures on end, or where no trials are left, it settles
 * twice as long again, or until sweeps bring next to nothing. *sweeps: how many there were. */
Status reseed_run(Reseed *reseed, const ReseedPlan *plan, int *sweeps);

/* Begins a trial: bones are moved, and sweeps may follow. *moved: whether any bone was worth a move;
 * otherwise nothing has changed. */
Status reseed_try(Reseed *reseed, bool *moved);

/* Whether the error, with what weights pay for not being smooth, is lower than where the trial began. */
bool reseed_pays(const Reseed *reseed);

/* Ends it: returns to where it began unless the error is lower than then. Whether it is. */
bool reseed_judge(Reseed *reseed);
