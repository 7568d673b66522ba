/* Poses a rig's skin as elastic flesh on the bones. The result is a reference shape that does not depend on
 * blending. */
#pragma once

#include "datasets/model/dataset.h"

/* Computes the equilibrium shapes [F][N][3] of `count` poses [F][P] (projective_minimize). Skin that follows
 * a single joint is fixed to it. All other skin is free, and a tetrahedron under each triangle attaches it
 * to the bones. STATUS_BAD_INPUT for a rig without rest frames. STATUS_STOPPED if `progress` (may be NULL)
 * asks to stop. */
Status elastic_shapes(const Mesh *mesh, const Rig *rig, const Transform *transforms, int count, int threads,
                      const Progress *progress, float *shapes);
