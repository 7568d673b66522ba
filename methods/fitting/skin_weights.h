/* Bones and weights of vertices by non-negative least squares (nnls.h). The solvers use the products G =
 * T^T T and h = T^T a_j, so they do not read the frames. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Sets bones and weights of all vertices from the maps. Chooses the bones that predict a vertex best
 * individually. If `greedy`, adds bones one after another instead, each time the bone that lowers the error
 * of the whole blend most. The weights are found by non-negative least squares with `penalty` on their sum,
 * in units of the mean square of the predictions. They are then scaled to the sum 1.
 * If `truncate` is positive, the weights are found by the truncated SVD instead, which leaves out singular
 * values below this fraction of the largest, and may be negative. */
Status skin_fit_weights(SkinFit *fit, bool greedy, double penalty, double truncate);
