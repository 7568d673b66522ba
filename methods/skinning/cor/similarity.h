/* Similarity of skinning weights (CoR eq. 1):
 *
 *   s(w_p, w_v) = sum over j != k of w_pj w_pk w_vj w_vk exp(-(w_pj w_vk - w_pk w_vj)^2 / sigma^2)
 *
 * Terms whose four weights have a negative product (only negative weights make them) count for nothing, so
 * that a centre never leaves the surface's convex hull. */
#pragma once

#include "methods/skinning/cor/weight_surface.h"

/* s between the weights dense [P] of one vertex, all joints in order, and a row, for sigma > 0. */
double weights_similarity(const double *dense, SparseRow row, double sigma);

/* A Gaussian of the distance of weights instead, exp(-|w_p - w_v|^2 / sigma^2), as CoR section 5 tries; own:
 * the vertex' weights, which are in dense. */
double weights_gaussian(SparseRow own, const double *dense, SparseRow row, double sigma);

/* Scatters a row into dense [P], and sets its places back to zero. */
void weights_scatter(SparseRow row, double *dense);
void weights_unscatter(SparseRow row, double *dense);
