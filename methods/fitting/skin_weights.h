/* Bones and weights of the vertices by non-negative least squares (nnls.h). With G = T^T T and h = T^T a_j no
 * solver touches the frames again. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Sets bones and weights of all vertices from the maps: the bones that predict a vertex best each on its own
 * or, if greedy, the best one and then, one by one, that which lowers the error the most with the weights of
 * all; then non-negative least squares with `penalty` on the sum, in units of the mean square of the
 * predictions; at last the weights are scaled to sum 1. */
Status skin_fit_weights(SkinFit *fit, bool greedy, double penalty);
