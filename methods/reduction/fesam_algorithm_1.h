/* FESAM Algorithm 1 with its strategies of choosing the next basis vector (MAX, GS, PM1, PM2). */
#pragma once

#include "methods/reduction/reduction_options.h"
#include "methods/reduction/trajectories.h"

/* Finds basis vectors one by one until the threshold is met: *basis [count][3F], release with memory_free.
 * The deflation of line 7 is never carried out: as the basis is orthonormal, row i of C is m_i^T A on the
 * original A, squared column norms are down-dated by its squares, and only the chosen column is projected.
 * So MAX is QR with column pivoting, one pass over A per dimension in place of two. */
Status fesam_algorithm_1(const Trajectories *trajectories, const ReductionOptions *options, int *count,
                         double **basis);
