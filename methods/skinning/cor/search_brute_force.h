/* Eq. 4 over every sample: what the other searches are checked against. */
#ifndef SKINBENCH_COR_SEARCH_BRUTE_FORCE_H
#define SKINBENCH_COR_SEARCH_BRUTE_FORCE_H

#include "methods/skinning/cor/center_search.h"

/* joint_count: P of the rig. */
Status search_brute_force(SurfaceSearch *search, int joint_count);

#endif
