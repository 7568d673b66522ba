/* Parameters of the method `cor`, for callers that need only its centres. */
#pragma once

#include "methods/skinning/cor/centers.h"

extern const SkinningMethod cor_method;

/* Returns the options of centers_compute for values in the order of cor_method.parameters. */
CentersOptions cor_centers_options(const double *parameters, int threads);
