/* Bones and weights of vertices by non-negative least squares (nnls.h). The solvers use G = T^T T and h =
 * T^T a_j, so they do not read the frames. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Sets bones and weights of all vertices from the maps. It chooses the bones that predict a vertex best one
 * by one. If `greedy`, it adds bones one after another, each time the one that lowers the error of the
 * whole blend most. Then it solves non-negative least squares with `penalty` on the sum, in units of the
 * mean square of the predictions, and scales the weights to the sum 1. */
Status skin_fit_weights(SkinFit *fit, bool greedy, double penalty);
