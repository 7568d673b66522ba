/* The state of a sweep that may be taken back: accelerated transformations are a guess, and where they do not
 * lower the error the sweep goes on from where the last one left off. */
#ifndef SKINBENCH_COORDINATE_DESCENT_GUESS_H
#define SKINBENCH_COORDINATE_DESCENT_GUESS_H

#include "methods/coordinate-descent/acceleration.h"
#include "methods/coordinate-descent/descent.h"

typedef struct Guess {
    Acceleration acceleration;
    bool mixed;           /* whether the transformations at hand are a mix and not a sweep's own */
    double squared_error; /* reached by the last sweep */
    double *point;        /* [4P d] the transformations the last sweep started from */
    double *image;        /* [4P d] and those it ended with */
    double *rest;         /* [N][3] rest pose, bones and weights it ended with */
    int32_t *bones;       /* [N][K] */
    double *weights;      /* [N][K] */
} Guess;

/* Room for the unknowns of `descent`. Release with guess_clear. */
Status guess_make(Guess *guess, const Descent *descent, int window);
void guess_clear(Guess *guess);

/* Keeps rest pose, bones and weights of `descent`. */
void guess_keep(Guess *guess, const Descent *descent);

/* Puts them back, with the transformations the last sweep ended with. */
void guess_return(Guess *guess, Descent *descent);

#endif
