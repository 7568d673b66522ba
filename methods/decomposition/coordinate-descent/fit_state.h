/* State of a running fit: its settings, the reduced problem, and the record so far. */
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
    VertexUpdateOptions update; /* options of a sweep */
    int iterations;             /* maximum number */
    int window;                 /* size of the acceleration's history */
    bool search; /* false: no ladder; an iteration is one sweep, and the last model is delivered */
    bool rigid;
    double smoothing;     /* strength, in squared units of the animation; 0: none */
    uint64_t start;       /* the first seed (seeds.h) */
    SeedRule seeding;     /* of the regions */
    const char *clusters; /* the method whose clusters the regions are; NULL: they are grown around seeds */
} Settings;

/* State of a running fit. */
typedef struct FitState {
    const DecompositionInput *input;
    const DecompositionOptions *options;
    Settings settings;
    double started_s;
    double sweep_s; /* seconds per sweep: a running mean in which the last sweep counts half; 0 before the
                       first */
    Reduction reduction;
    int coarseness; /* coarseness of the reduction. 2: few directions from few vertices; 1: more of both; 0:
                       the full one */
    ReducedModel model;
    Smoothing smoothing;
    RigidBones rigid; /* used if bones are rigid */
    double *leading;  /* [N][d'] the leading dimensions used by the sweeps; NULL: all */
    double tail;      /* part of ||C||^2 in the other dimensions */
    Alternation alternation;
    RestUnits units; /* units of model.rest */
    DecompositionResult *result;
} FitState;
