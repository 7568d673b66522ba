/* Blends capsules smoothly into one surface and makes its closed mesh. Uses only sums, products, quotients
 * and square roots, so the result is the same on every machine. */
#pragma once

#include "datasets/model/dataset.h"

/* All points within a radius of a segment. The radius changes linearly from `radius0` at `from` to
 * `radius1` at `to`. */
typedef struct FleshCapsule {
    Vec3 from, to;
    double radius0, radius1;
    double blend; /* width of the blend with earlier capsules, relative to the radius */
} FleshCapsule;

/* Makes the closed mesh of the smooth union of the capsules, in one piece with exactly `vertex_count`
 * vertices. Thinner capsules get smaller triangles. STATUS_USAGE if there are too few vertices or the
 * capsules are not connected. STATUS_STOPPED if the work should stop, STATUS_SYSTEM if out of memory. */
Status flesh_mesh_make(const FleshCapsule *capsules, int capsule_count, int vertex_count,
                       const Progress *progress, Mesh *mesh);
