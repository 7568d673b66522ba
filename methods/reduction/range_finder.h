/* The leading left singular vectors of a large matrix of trajectories, found in a random range (Halko,
 * Martinsson, Tropp 2011, Finding Structure with Randomness): no matrix of 3F x 3F or N x N numbers is
 * formed. */
#pragma once

#include "methods/reduction/reduction_options.h"
#include "methods/reduction/trajectories.h"

typedef struct RangeBasis {
    int count;     /* directions; 0, and all else too, where a range of a third of all did not hold enough */
    double *basis; /* [count][3F] orthonormal; for memory_free, as is the next one */
    double *coordinates; /* [n][count] in it */
    double total, left; /* the sums of ||a_j - offset||^2, and of what the basis leaves of it: a difference */
} RangeBasis;

/* As many directions as the threshold asks for, at most a few more than the fewest possible: half of it may
 * go to what the range leaves out. Three passes over the trajectories for a range of 64 directions, and as
 * many for each of twice the size. */
Status range_basis(Trajectories *trajectories, const ReductionOptions *options, RangeBasis *out);
