/* The paper's search (CoR 3.2): points whose weights are near the vertex' are found by clusters; from the
 * pieces around them a breadth-first search over common edges goes on as long as pieces are similar. What is
 * similar but beyond dissimilar surface, and holds no such point, is missed: that is the approximation. */
#ifndef SKINBENCH_COR_SEARCH_CLUSTERED_H
#define SKINBENCH_COR_SEARCH_CLUSTERED_H

#include "methods/skinning/cor/center_search.h"

/* The surface must have been built with `refined`. joint_count: P of the rig. */
Status search_clustered(SurfaceSearch *search, int joint_count);

#endif
