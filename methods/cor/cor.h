/* The parameters of `cor`, for those who want its centres without the method. */
#ifndef SKINBENCH_COR_COR_H
#define SKINBENCH_COR_COR_H

#include "methods/cor/centers.h"
#include "methods/skinning.h"

extern const SkinningMethod cor_method;

/* What values parallel to cor_method.parameters say about the centres. */
CentersOptions cor_centers_options(const double *parameters, int threads);

#endif
