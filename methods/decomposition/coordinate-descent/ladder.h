/* The ladder of a fit: stages of doubling work, each starting from the best model so far. Stage k first
 * perturbs the model on a sample of the vertices and transfers the result to all vertices, then makes 2^k
 * iterations. The better model by the error over all vertices is kept. Work is counted and never timed: a
 * time limit only decides where the ladder ends, so more time never gives a larger error. */
#pragma once

#include "methods/decomposition/coordinate-descent/fit_state.h"

/* Runs all stages; the result has the best model. */
Status ladder_run(FitState *fit);
