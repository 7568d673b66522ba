/* Bones by the motion they serve. Rigid shells, which may be far apart or one within the other, are met
 * exactly if there are bones enough: whichever vertex is served worst belongs to a shell that has no bone
 * yet. */
#pragma once

#include "methods/fitting/skin_fit.h"

/* Finds whether edges join all vertices. */
Status mesh_in_one_piece(const Mesh *mesh, bool *out);

/* Finds the bone that predicts each vertex best: label_of [N], and errors [N] ||M v - a||^2 under it. */
Status skin_fit_assign(const SkinFit *fit, int32_t *label_of, double *errors);

/* Replaces the bones by up to `wanted` others if these leave less error when the best bone alone moves each
 * vertex; label_of [N] becomes that bone. A mesh in one piece keeps its bones. Each new bone follows the
 * surroundings of the vertex that those before it serve worst; then bones and vertices settle in turn. */
Status skin_fit_reseed(SkinFit *fit, int wanted, bool rigid, int32_t *label_of);
