/* Bones placed by motion. With enough bones they reproduce rigid shells exactly, even if the shells are far
 * apart or nested, because the vertex of largest error always belongs to a shell that has no bone yet. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Sets *out to whether edges connect all vertices. */
Status mesh_in_one_piece(const Mesh *mesh, bool *out);

/* Finds the bone that predicts each vertex best, label_of [N], and its error ||M v - a||^2 for this vertex,
 * errors [N]. */
Status skin_fit_assign(const SkinFit *fit, int32_t *label_of, double *errors);

/* Places up to `wanted` new bones and sets label_of [N] to the best bone of each vertex. Each new bone
 * follows the surroundings of the vertex that the previous bones predict worst. Then bones and vertices are
 * updated in turn. The new bones replace the old ones if their error is smaller. If all vertices are
 * connected by edges, the bones do not change. */
Status skin_fit_reseed(SkinFit *fit, int wanted, bool rigid, int32_t *label_of);
