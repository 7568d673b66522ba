/* Laplacian smoothing (laplacian.h) in passes, each of which sums over the neighbours of every vertex. It
 * needs no solver, and smooths many columns side by side. A pass is an explicit step, or a term of a
 * polynomial in D^-1 L that equals the implicit steps. */
#pragma once

#include "methods/posing/laplacian.h"

typedef struct LaplacianFilter {
    int vertex_count;
    int pass_count; /* 0: there is nothing to smooth, or the polynomial would need too many terms */
    double *terms;  /* [pass_count] coefficients of the Chebyshev polynomials; NULL if passes are steps */
    int64_t *first; /* [N + 1] the neighbours of vertex v have indices first[v] to first[v + 1] - 1 */
    int32_t *neighbours;
    /* A pass multiplies by a matrix: I - share D^-1 L for a step, or 2 Z, where Z is D^-1 L mapped to the
     * interval [-1, 1]. */
    double *shares; /* weight of each neighbour */
    float *floats;  /* the same, which passes in floats read */
    double *own;    /* [N] weight of the vertex itself */
} LaplacianFilter;

/* Finds passes that differ from `iterations` steps of the smoothing by at most 1e-10 of the largest value.
 * Release with laplacian_filter_clear. */
Status laplacian_filter_init(const Laplacian *laplacian, int iterations, LaplacianFilter *out);
void laplacian_filter_clear(LaplacianFilter *filter);

/* Numbers of columns: three coordinates of 8 or 16 frames, or of one frame with a column of 0. */
enum { FILTER_NARROW = 4, FILTER_WIDE = 24, FILTER_WIDEST = 48 };

/* Smooths x [N][columns] into out, if passes are terms and pass_count is not 0. `columns` is FILTER_WIDE or
 * FILTER_NARROW, `work` has the size of x, and all arrays are aligned to 64 bytes. */
void laplacian_filter_smooth(const LaplacianFilter *filter, int columns, const double *x, double *work,
                             double *out);

/* Smoothed values, as two summands of which the second is small: the difference of two neighbours is the sum
 * of two differences, and keeps more digits than floats have otherwise. */
typedef struct SmoothedFloats {
    const float *base, *moves; /* [N][columns] */
} SmoothedFloats;

/* Smooths x [N][columns], if passes are steps and pass_count is not 0. Overwrites x. `spare` has three times
 * the size of x. All numbers of columns are allowed, and both arrays are aligned to 64 bytes. */
SmoothedFloats laplacian_filter_smooth_floats(const LaplacianFilter *filter, int columns, float *x,
                                              float *spare);
