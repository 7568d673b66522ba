/* The schedule of a fit over all vertices: sweeps that settle, trials of moved bones (reseed.h) between them,
 * and sweeps that settle again before the sweeps or the time run out. */
#ifndef SKINBENCH_COORDINATE_DESCENT_SCHEDULE_H
#define SKINBENCH_COORDINATE_DESCENT_SCHEDULE_H

#include "methods/decomposition/coordinate-descent/fit_state.h"

/* Notes squared_error, ||Tr X - C||^2, as reached after `iteration` sweeps. */
void fit_record(FitState *fit, int iteration, double squared_error);

/* The model takes up as many leading dimensions as its error asks for (the others holding a small share of
 * it), given squared_error, ||Tr X - C||^2 over all; a alternation of it is to be made again. The transformations
 * are solved for what is taken up, and *squared_error becomes that of the leading dimensions. */
Status fit_take_leading_dimensions(FitState *fit, double *squared_error);

/* Takes up all dimensions for good; transformations are to be solved next. */
void fit_take_all_dimensions(FitState *fit);

/* Sweeps until something ends it, and says what. The errors noted are those of the best model so far, once
 * sweeps no longer explore; it is this model that the fit ends with. */
Status schedule_run(FitState *fit);

#endif
