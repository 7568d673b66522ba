/* Finds the first bones and weights (FESAM section 4.1). Regions grow around seeds that are spread over the
 * rest pose (fitting/seeds.h). A vertex joins the region whose seed predicts it best by its deformation
 * gradient. */
#pragma once

#include "methods/decomposition/coordinate-descent/fit_state.h"

/* Assigns every vertex of all ranks to one seed: bones [N]. rest [N][3] is the rest pose of all ranks.
 * Regions grow along edges, smallest prediction error first. Vertices that no region reaches go to the seed
 * that predicts them best. All ranks predict the errors [N][P]. Rank 0 alone grows the regions, because each
 * vertex that a region takes affects all later choices. */
Status regions_grow(const FitState *fit, const double *rest, const Seeds *seeds, int32_t *bones);

/* Places each seed at the vertex whose motion the previous seeds predict worst. In contrast to
 * skin_fit_reseed (methods/fitting/skin_fit.h), motion is predicted by maps of triangles. bones [n]
 * receives, for each vertex of this rank, the seed that predicts it best. There are at most `wanted`
 * seeds. */
Status motion_seeds_place(const FitState *fit, const double *rest, int wanted, int32_t *bones);
