/* The stages of a fit. Each stage does twice the work of the previous one and starts from the best model so
 * far. Stage k perturbs the model on a sample of the vertices, transfers the result to all vertices and
 * makes 2^k iterations. The model with the smaller error over all vertices is kept.
 *
 * The length of a stage depends on counted work, not on time. A time limit only decides after which stage
 * the fit ends, so more time never gives a larger error. */
#pragma once

#include "methods/decomposition/coordinate-descent/fit_state.h"

/* Runs all stages; the result receives the best model. */
Status ladder_run(FitState *fit);
