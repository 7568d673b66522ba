/* Linear blending in fits. A blended vertex is the weighted sum of the affine maps of its bones, applied to
 * its rest position (v, 1). Each map takes a rest position to R numbers: the 3F coordinates of an
 * animation, or d reduced coordinates.
 *
 * N vertices, P bones, K influences. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/ranks.h"

/* Maximum number of influences per vertex in a fit. With at most this many bones, every bone may influence
 * every vertex. */
enum { FIT_INFLUENCES_MAX = 32 };

/* Data of a linear blend. It is a view, which owns nothing. */
typedef struct LinearBlend {
    int vertex_count, influence_count, row_count;
    const double *rest;    /* [N][3] */
    const double *maps;    /* [4P][R] rows 4j to 4j + 3 are the columns of bone j's affine map */
    const int32_t *bones;  /* [N][K] */
    const double *weights; /* [N][K] */
    const double *offset;  /* [R] offset that was subtracted from the targets; NULL if there is none. It is
                              multiplied by the sum of the weights and added back. */
} LinearBlend;

/* Subtracts the blended position of vertex j from residual [count]. The residual holds only rows `first` to
 * first + count - 1. */
void linear_blend_subtract(const LinearBlend *blend, int j, int first, int count, double *residual);

/* Fills target [R] with the target of vertex j. */
typedef void (*BlendTarget)(const void *context, int j, double *target);

/* Sums the squared errors of this rank's vertices and adds the sums of all ranks. The order of the sum
 * depends neither on the number of threads nor on the number of ranks. */
Status linear_blend_squared_error(const LinearBlend *blend, BlendTarget target, const void *context,
                                  const Ranks *ranks, int threads, double *squared_error);
