/* Bones placed by motion. They reproduce rigid shells exactly if there are enough bones, even if the shells
 * are far apart or nested: the vertex of largest error always belongs to a shell that has no bone yet. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Finds whether all vertices are connected by edges. */
Status mesh_in_one_piece(const Mesh *mesh, bool *out);

/* Finds the bone that predicts each vertex best, label_of [N], and its error ||M v - a||^2, errors [N]. */
Status skin_fit_assign(const SkinFit *fit, int32_t *label_of, double *errors);

/* Replaces the bones by up to `wanted` new ones if these have a smaller error when each vertex follows its
 * best bone, label_of [N]. Each new bone follows the surroundings of the vertex of largest error under the
 * bones before it. Then bones and vertices are updated in turn. The bones of a mesh in one piece do not
 * change. */
Status skin_fit_reseed(SkinFit *fit, int wanted, bool rigid, int32_t *label_of);
