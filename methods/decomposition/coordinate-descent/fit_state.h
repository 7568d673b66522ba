/* A fit in the making: what its parameters come to, the reduced problem, and the record so far. */
#pragma once

#include "methods/decomposition/coordinate-descent/alternation.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/smoothing.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/rig_delivery.h"
#include "methods/fitting/seeds.h"
#include "methods/reduction/reduction.h"

/* What the parameters come to once the preset has filled the gaps. */
typedef struct Settings {
    ReductionOptions reduction;
    VertexUpdateOptions update; /* of a sweep */
    int iterations;             /* at most */
    int window;                 /* of the acceleration */
    bool search; /* false: no ladder, an iteration is a sweep, and the last model is delivered */
    bool rigid;
    double smoothing;     /* strength, in squared units of the animation; 0: none */
    uint64_t start;       /* the first seed (seeds.h) */
    SeedRule seeding;     /* of the regions */
    const char *clusters; /* the method whose clusters the regions are; NULL: they are grown around seeds */
} Settings;

/* A fit in the making: what was asked for, the reduced problem, and the record so far. */
typedef struct FitState {
    const DecompositionInput *input;
    const DecompositionOptions *options;
    Settings settings;
    double started_s;
    double sweep_s; /* of a sweep: the last counts half, those before the rest; 0: there was none */
    Reduction reduction;
    int coarseness; /* of the reduction. 2: few directions from few vertices, 1: from more, 0: the full one,
                     * -1: one for fits that are all but exact */
    ReducedModel model;
    Smoothing smoothing;
    RigidBones rigid; /* where bones are */
    double *leading;  /* [N][d'] the leading dimensions that the sweeps work on; NULL: all */
    double tail;      /* what the others hold of ||C||^2 */
    Alternation alternation;
    RestUnits units; /* of model.rest */
    DecompositionResult *result;
} FitState;
