/* A contest of starts: where coordinate descent ends hangs on its first regions more than on anything else,
 * and a few sweeps show which of them lead far. All starts make these, the better half makes as many again,
 * and so on until one is left (successive halving: Karnin, Koren and Somekh 2013). */
#pragma once

#include "methods/decomposition/coordinate-descent/alternation.h"

typedef struct ContestOptions {
    int starts;          /* at most; 1: no contest, the sweeps alone */
    int sweeps, explore; /* of a start in the first round; how many of them choose bones by prediction */
    int trial_sweeps; /* of a trial of moved bones, of which the other rounds make a few; 0: sweeps alone */
    uint64_t first;   /* the other starts are drawn from this one on (seeds.h) */
    int window;       /* of the acceleration */
    /* Of the monotonic clock, after which nothing but the first start enters; 0: none. Else starts come in
     * generations of two, four, eight and so on, each a contest of its own, of which another begins where it
     * is likely to end before: what more time adds never makes the winner a worse one. */
    double entry_s;
    double deadline_s;                                    /* after which no sweep begins; 0: none */
    bool (*may_go_on)(const void *context, double share); /* asked between rounds */
    const void *context;
    VertexUpdateOptions settling; /* the sweeps after the exploring ones */
} ContestOptions;

/* The first start is the model of `alternation`, one bone per vertex with the transformations that go with
 * it; the others have regions of seeds spread from elsewhere over its first rest pose. It becomes the winner.
 * Starts go to the threads of the model, each is computed on one: without deadlines the winner does not
 * depend on how many there are. */
Status contest_run(Alternation *alternation, const ContestOptions *options);
