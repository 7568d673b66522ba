/* A reduction handed on as a low-rank model. */
#ifndef SKINBENCH_REDUCTION_LOW_RANK_H
#define SKINBENCH_REDUCTION_LOW_RANK_H

#include "methods/reduction/reduction.h"
#include <stdbool.h>

/* Lays basis and coordinates of a reduction without centring out as a data set has them. *rounding: what
 * keeping the coefficients as float adds to the squared error; the basis is orthonormal, and the residual
 * orthogonal to it. The model is the caller's to clear, on failure too. */
Status low_rank_of_reduction(const Reduction *reduction, LowRank *model, double *rounding);

/* Displacements of all vertices, each with one factor per frame, as a model of three times as many vectors,
 * one for each coordinate: reduction of F rows and 3N columns, column 3j + axis that of vertex j. The model
 * is the caller's to clear, on failure too. */
Status low_rank_of_displacements(const Reduction *reduction, LowRank *model);

/* Whether a model is of that kind: three vectors together, one for each axis, with the same factors. Such a
 * model of rank 3r has r numbers per frame. */
bool low_rank_is_of_displacements(const LowRank *model);

#endif
