/* Bones and weights of vertices by non-negative least squares (nnls.h). With G = T^T T and h = T^T a_j no
 * solver needs the frames again. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Sets bones and weights of all vertices from the maps. It chooses the bones that individually predict a
 * vertex best or, if `greedy`, adds one bone at a time, the one that lowers the error most with the weights
 * of all. Then it solves non-negative least squares with `penalty` on the sum, in units of the mean square
 * of the predictions, and scales the weights to sum 1. */
Status skin_fit_weights(SkinFit *fit, bool greedy, double penalty);
