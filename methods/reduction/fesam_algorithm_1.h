/* FESAM Algorithm 1 with its strategies for the next basis vector (MAX, GS, PM1, PM2). */
#pragma once

#include "methods/reduction/reduction_options.h"
#include "methods/reduction/trajectories.h"

/* Finds basis vectors *basis [count][3F] until the threshold is met; release with memory_free.
 *
 * The deflation of line 7 is not carried out. Because the basis is orthonormal, row i of C is m_i^T A with
 * the original A. The squares of this row are subtracted from the squared column norms. MAX is therefore QR
 * with column pivoting, and it makes one pass over A per dimension instead of two. */
Status fesam_algorithm_1(const Trajectories *trajectories, const ReductionOptions *options, int *count,
                         double **basis);
