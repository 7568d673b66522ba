/* The parameters of `cor`, for those who want its centres without the method. */
#pragma once

#include "methods/skinning/cor/centers.h"

extern const SkinningMethod cor_method;

/* What values parallel to cor_method.parameters say about the centres. */
CentersOptions cor_centers_options(const double *parameters, int threads);
