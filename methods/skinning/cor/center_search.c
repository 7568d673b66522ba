#include "methods/skinning/cor/center_search.h"

double weights_similarity(const double *dense, SparseRow row, double sigma)
{
    double sum = 0.0;
    for (int j = 1; j < row.count; j++) {
        double w_pj = dense[row.joints[j]], w_vj = row.weights[j];
        if (w_pj == 0.0 || w_vj == 0.0)
            continue;
        for (int k = 0; k < j; k++) {
            double w_pk = dense[row.joints[k]], w_vk = row.weights[k];
            double product = w_pj * w_pk * w_vj * w_vk;
            if (product > 0.0) {
                double distance = (w_pj * w_vk - w_pk * w_vj) / sigma;
                sum += product * exp(-distance * distance);
            }
        }
    }
    return 2.0 * sum; /* the sum over k < j counts each pair once, but eq. 1 counts both (j, k) and (k, j) */
}

/* Returns the alternative similarity that CoR section 5 tests, a Gaussian of the distance between weights:
 *   exp(-|w_p - w_v|^2 / sigma^2) */
static double weights_gaussian(SparseRow vertex_row, const double *dense, SparseRow row, double sigma)
{
    double distance2 = 0.0;
    for (int k = 0; k < vertex_row.count; k++)
        distance2 += vertex_row.weights[k] * vertex_row.weights[k];
    for (int k = 0; k < row.count; k++)
        distance2 += row.weights[k] * (row.weights[k] - 2.0 * dense[row.joints[k]]);
    return exp(-fmax(distance2, 0.0) / (sigma * sigma));
}

double search_similarity(const SurfaceSearch *search, SparseRow vertex_row, const double *dense,
                         SparseRow row)
{
    const double sigma = search->options->sigma;
    return search->options->gaussian ? weights_gaussian(vertex_row, dense, row, sigma)
                                     : weights_similarity(dense, row, sigma);
}

void weights_scatter(SparseRow row, double *dense)
{
    for (int k = 0; k < row.count; k++)
        dense[row.joints[k]] = row.weights[k];
}

void weights_unscatter(SparseRow row, double *dense)
{
    for (int k = 0; k < row.count; k++)
        dense[row.joints[k]] = 0.0;
}
