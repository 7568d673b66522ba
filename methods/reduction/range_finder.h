/* Finds the leading left singular vectors of a large matrix of trajectories in a random range (Halko,
 * Martinsson, Tropp 2011, Finding Structure with Randomness). No matrix of 3F x 3F or N x N numbers is
 * needed. */
#pragma once

#include "methods/reduction/reduction_options.h"
#include "methods/reduction/trajectories.h"

typedef struct RangeBasis {
    int count; /* Number of directions. It is 0 if even a range of a third of all directions did not meet the
                  threshold; then no other member is set. */
    double *basis;       /* [count][3F] orthonormal; release with memory_free */
    double *coordinates; /* [n][count] coordinates in the basis; release with memory_free */
    double total, left;  /* sum of ||a_j - offset||^2, and the part of this sum outside the span of the basis,
                            computed as a difference of norms */
} RangeBasis;

/* Finds enough directions to meet the threshold. The directions outside the range may use up to half of the
 * threshold, so a few directions more than necessary may be found. Makes three passes over the trajectories
 * for a range of 64 directions, and three more each time the range is doubled. */
Status range_basis(Trajectories *trajectories, const ReductionOptions *options, RangeBasis *out);
