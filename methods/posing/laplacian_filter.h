/* Laplacian smoothing (laplacian.h) as a polynomial in D^-1 L. Each of its terms costs one sum over the
 * neighbours of each vertex, so it needs no solver and smooths many columns side by side. */
#pragma once

#include "methods/posing/laplacian.h"

typedef struct LaplacianFilter {
    int vertex_count;
    int term_count; /* number of terms; 0: the polynomial would need too many */
    double *terms;  /* [term_count] coefficients of the Chebyshev polynomials */
    int64_t *first; /* [N + 1] the neighbours of vertex v have indices first[v] to first[v + 1] - 1 */
    int32_t *neighbours;
    double *shares; /* weight of each neighbour in 2 Z, where Z is D^-1 L mapped to the interval [-1, 1] */
    double *own;    /* [N] weight of the vertex itself */
} LaplacianFilter;

/* Finds the polynomial that differs from `iterations` steps of the smoothing by at most 1e-10 of the largest
 * value. `step` is the step with which the Laplacian was factored. Release with laplacian_filter_clear. */
Status laplacian_filter_init(const Laplacian *laplacian, double step, int iterations, LaplacianFilter *out);
void laplacian_filter_clear(LaplacianFilter *filter);

enum { FILTER_WIDE = 24, FILTER_NARROW = 4 };
/* Smooths x [N][columns] into out. `columns` is FILTER_WIDE or FILTER_NARROW, `work` has the size of x,
 * all arrays are aligned to 64 bytes, and term_count is not 0. */
void laplacian_filter_smooth(const LaplacianFilter *filter, int columns, const double *x, double *work,
                             double *out);
