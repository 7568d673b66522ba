/* Poses a rig's skin as elastic flesh on the bones. The result is a reference shape that does not depend on
 * blending. */
#pragma once

#include "datasets/model/dataset.h"

/* Computes the shapes [F][N][3] of `count` poses [F][P] in equilibrium (projective_settle). Skin that
 * follows a single joint is fixed to it. All other skin is free and is attached to the bones by a
 * tetrahedron under each triangle. STATUS_BAD_INPUT for a rig without rest frames; STATUS_STOPPED by
 * `progress` (may be NULL). */
Status elastic_shapes(const Mesh *mesh, const Rig *rig, const Transform *transforms, int count, int threads,
                      const Progress *progress, float *shapes);
