/* A rig's skin as elastic flesh on its bones: a reference that no blend of joints has a part in. */
#pragma once

#include "datasets/model/dataset.h"

/* The shapes [F][N][3] of `count` poses [F][P] at rest (projective_settle). Skin that follows one joint alone
 * is bound to it; all other skin is free, and holds to the bones by a tetrahedron under each triangle.
 * STATUS_BAD_INPUT for a rig without rest frames; STATUS_STOPPED by the progress (may be NULL). */
Status elastic_shapes(const Mesh *mesh, const Rig *rig, const Transform *transforms, int count, int threads,
                      const Progress *progress, float *shapes);
