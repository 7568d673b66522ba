/* Precomputation of Direct Delta Mush: a symmetric 4 x 4 matrix Omega_ij for every vertex i and joint j (Le
 * and Lewis 2019, section 3.4; README.md). N is the number of vertices. */
#pragma once

#include "methods/posing/laplacian.h"

/* Order of the values of a matrix: its upper triangle without the last column, xx xy xz yy yz zz, then the
 * last column x y z 1. */
enum { OMEGA_VALUES = SMOOTHED_VALUES, OMEGA_PLACE = 6, OMEGA_WEIGHT = 9 };

typedef struct OmegaOptions {
    LaplacianWeights laplacian;
    double lambda;    /* step of the smoothing of rotations */
    double kappa;     /* step of the smoothing of translations */
    double alpha;     /* how much the smoothing by kappa contributes to the translation, 0 to 1 */
    int iterations;   /* of both */
    double threshold; /* joints are left out at a vertex if their weight there is at most this */
    int threads;
} OmegaOptions;

/* Computes Omega of all vertices. *out contains at least one joint per vertex, with joints in ascending
 * order. The result does not depend on the number of threads. Fails with STATUS_BAD_INPUT like
 * laplacian_init and joint_sets_init. Release with joint_values_clear. */
Status omega_compute(const Mesh *mesh, const Rig *rig, const OmegaOptions *options, JointValues *out);
