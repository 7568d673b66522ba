/* What Direct Delta Mush computes ahead: for every vertex i and joint j a symmetric 4 x 4 matrix Omega_ij (Le
 * and Lewis 2019, section 3.4; README.md). N vertices. */
#pragma once

#include "methods/posing/laplacian.h"

/* The matrix, row by row its upper triangle, without what is last: xx xy xz yy yz zz x y z, then 1 1. */
enum { OMEGA_VALUES = SMOOTHED_VALUES, OMEGA_PLACE = 6, OMEGA_WEIGHT = 9 };

typedef struct OmegaOptions {
    LaplacianWeights laplacian;
    double lambda;    /* step of the smoothing of rotations */
    double kappa;     /* step of the smoothing of translations */
    double alpha;     /* share of the latter in the translation */
    int iterations;   /* of both */
    double threshold; /* joints whose weight is not more are left out */
    int threads;
} OmegaOptions;

/* *out: at least one joint per vertex, ascending. The result does not depend on the number of threads.
 * STATUS_BAD_INPUT as laplacian_init and joint_sets_init. Release with joint_values_clear. */
Status omega_compute(const Mesh *mesh, const Rig *rig, const OmegaOptions *options, JointValues *out);
