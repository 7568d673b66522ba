/* The course of a fit over all vertices: sweeps that settle, trials of moved bones (reseed.h) between them, and
 * sweeps that settle again before the sweeps or the time run out. */
#ifndef SKINBENCH_COORDINATE_DESCENT_COURSE_H
#define SKINBENCH_COORDINATE_DESCENT_COURSE_H

#include "methods/coordinate-descent/fit.h"

/* Notes squared_error, ||Tr X - C||^2, as reached after `iteration` sweeps. */
void fit_note(Fit *fit, int iteration, double squared_error);

/* Sweeps until something ends it, and says what. The errors noted are those of the best model so far, once
 * sweeps no longer explore; it is this model that the fit ends with. */
Status fit_sweeps(Fit *fit);

#endif
