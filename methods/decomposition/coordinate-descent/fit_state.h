/* State of a running fit: its settings, the reduced problem and the record of errors. */
#pragma once

#include "methods/decomposition/coordinate-descent/alternation.h"
#include "methods/decomposition/coordinate-descent/rigid_bones.h"
#include "methods/decomposition/coordinate-descent/smoothing.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/fitting/rig_delivery.h"
#include "methods/fitting/seeds.h"
#include "methods/reduction/reduction.h"

/* Settings of a fit, from its parameters and preset. */
typedef struct Settings {
    ReductionOptions reduction;
    VertexUpdateOptions update; /* settings of the vertex update in each sweep */
    int iterations;             /* maximum number */
    int window;                 /* number of past sweeps that acceleration uses */
    bool search; /* whether iterations search for a better model; if false, each iteration is a single sweep,
                    and the last model is the result */
    bool rigid;
    double smoothing; /* strength of the smoothing of weights, in squared units of the animation; 0: none */
    uint64_t start;   /* number that selects the first seed (seeds.h) */
    SeedRule seeding; /* rule for placing the seeds of the regions */
    const char *clusters; /* method whose clusters become the regions; NULL: regions grow around seeds */
} Settings;

/* State of a running fit. */
typedef struct FitState {
    const DecompositionInput *input;
    const DecompositionOptions *options;
    Settings settings;
    double started_s;
    double sweep_s; /* running mean of the seconds per sweep, to which the most recent sweep contributes half;
                       0 before the first sweep */
    Reduction reduction;
    int coarseness; /* 0: full reduction; 1: reduction with fewer directions and vertices; 2: with even fewer
                     */
    ReducedModel model;
    Smoothing smoothing;
    RigidBones rigid; /* motions of rigid bones; unused if bones are affine */
    double *leading; /* [N][d'] reduced coordinates that the sweeps use, the first d' of all; NULL: the sweeps
                        use all */
    double tail;     /* part of ||C||^2 in the reduced coordinates that the sweeps do not use */
    Alternation alternation;
    RestUnits units; /* units of model.rest */
    DecompositionResult *result;
} FitState;
