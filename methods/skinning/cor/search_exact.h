/* Eq. 4 exactly, without looking at what cannot count. Eq. 1 is a sum over pairs of joints, and so are
 * numerator and denominator of eq. 4: for each pair, the vertices that have both joints meet the samples that
 * have both, and nothing else. The weights of the pair stand in plain arrays, the inner loop is arithmetic
 * alone. A pair with many vertices is cut into several tasks; every task writes to entries of its own, which
 * are added up in a fixed order afterwards. */
#ifndef SKINBENCH_COR_SEARCH_EXACT_H
#define SKINBENCH_COR_SEARCH_EXACT_H

#include "methods/skinning/cor/center_search.h"

Status search_exact(SurfaceSearch *search);

#endif
