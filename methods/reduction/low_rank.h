/* A reduction handed on as a low-rank model. */
#ifndef SKINBENCH_METHODS_LOW_RANK_H
#define SKINBENCH_METHODS_LOW_RANK_H

#include "methods/reduction/reduction.h"

/* Lays basis and coordinates of a reduction without centring out as a data set has them. *rounding: what
 * keeping the coefficients as float adds to the squared error; the basis is orthonormal, and the residual
 * orthogonal to it. The model is the caller's to clear, on failure too. */
Status low_rank_of_reduction(const Reduction *reduction, LowRank *model, double *rounding);

#endif
