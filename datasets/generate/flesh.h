/* Capsules blended smoothly into one surface, and the closed mesh of it. Only sums, products, quotients and
 * square roots, so that it is the same on every machine. */
#pragma once

#include "datasets/model/dataset.h"

/* All points whose distance from the segment is at most a radius that goes from `radius0` at `from` to
 * `radius1` at `to`. */
typedef struct FleshCapsule {
    Vec3 from, to;
    double radius0, radius1;
    double blend; /* width of its blend into the capsules before it, over its radius */
} FleshCapsule;

/* Makes the closed mesh, of one piece and exactly `vertex_count` vertices, of the surface of the capsules:
 * their smooth union. Triangles are the smaller the thinner the
 * capsule is. STATUS_USAGE for too few vertices, or where the capsules do not hang together; STATUS_STOPPED,
 * STATUS_SYSTEM. */
Status flesh_mesh_make(const FleshCapsule *capsules, int capsule_count, int vertex_count,
                       const Progress *progress, Mesh *mesh);
