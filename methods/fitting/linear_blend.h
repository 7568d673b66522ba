/* Linear blending as the fits see it: rest positions with a 1, times the affine maps of their bones, times
 * weights. Each map takes a rest point to R numbers: 3F coordinates of an animation, or d reduced ones.
 *
 * N vertices, P bones, K influences. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/base/ranks.h"

/* The most influences per vertex that a fit takes: every bone of as many may move every vertex. */
enum { FIT_INFLUENCES_MAX = 32 };

/* A view: owns nothing. */
typedef struct LinearBlend {
    int vertex_count, influence_count, row_count;
    const double *rest;    /* [N][3] */
    const double *maps;    /* [4P][R] rows 4j to 4j + 3 are the columns of bone j's affine map */
    const int32_t *bones;  /* [N][K] */
    const double *weights; /* [N][K] */
    const double *offset;  /* [R] that was subtracted from the targets of the maps and comes back with them:
                            * weights  that do not quite sum to 1 miss their share of it. NULL: none */
} LinearBlend;

/* Subtracts rows first to first + count - 1 of what vertex j is blended to from residual [count]. */
void linear_blend_subtract(const LinearBlend *blend, int j, int first, int count, double *residual);

/* Fills target [R] with what vertex j should be blended to. */
typedef void (*BlendTarget)(const void *context, int j, double *target);

/* The sum of squared errors over explicit differences, in an order of summation that does not depend on the
 * number of threads, nor of the ranks of whose vertices the blend has this one's. */
Status linear_blend_squared_error(const LinearBlend *blend, BlendTarget target, const void *context,
                                  const Ranks *ranks, int threads, double *squared_error);
