/* From the unknowns of a fit to a rig. */
#ifndef SKINBENCH_FITTING_SKIN_DELIVERY_H
#define SKINBENCH_FITTING_SKIN_DELIVERY_H

#include "methods/fitting/skin_fit.h"

/* Rounds the weights to the float of a data set and fills rig, rest pose, bones_delivered and
 * singular_systems of the result; *squared_error becomes that of exactly this model. Bones without a vertex
 * are left out. */
Status skin_fit_deliver(SkinFit *fit, DecompositionResult *result, double *squared_error);

#endif
