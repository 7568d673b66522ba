/* The ladder of a fit: stages of doubling work, each from the best model so far, and the better of two models
 * is kept by the error over all vertices. Stage k makes 2^k iterations. Before them it perturbs the model on
 * a sample of the vertices and brings what that found to all vertices. Work is counted, never timed: a time
 * limit only decides where the ladder ends, so more time never gives a larger error. */
#pragma once

#include "methods/decomposition/coordinate-descent/fit_state.h"

/* Runs the ladder to its end; the result has the best model. */
Status ladder_run(FitState *fit);
