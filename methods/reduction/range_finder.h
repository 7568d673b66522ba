/* The leading left singular vectors of a large matrix of trajectories, found in a random range (Halko,
 * Martinsson, Tropp 2011, Finding Structure with Randomness): no matrix of 3F x 3F or N x N numbers is
 * formed. */
#ifndef SKINBENCH_REDUCTION_RANGE_FINDER_H
#define SKINBENCH_REDUCTION_RANGE_FINDER_H

#include "methods/reduction/reduction_options.h"
#include "methods/reduction/trajectories.h"

/* *basis [*count][3F], orthonormal, as many directions as the threshold asks for, at most a few more than the
 * fewest possible: half of it may go to what the range leaves out. *count is 0, and *basis NULL, where a
 * range of a third of all directions does not hold enough. */
Status range_basis(const Trajectories *trajectories, const ReductionOptions *options, int *count,
                   double **basis);

#endif
