/* Makes copies of a surface that have other vertices and triangles. */
#pragma once

#include "datasets/model/dataset.h"

typedef enum Resampling {
    RESAMPLE_DECIMATE, /* has some of the vertices, at their places */
    RESAMPLE_REMESH    /* has new vertices, spread evenly over the surface */
} Resampling;

/* Fills an empty mesh with a copy of the surface. It has about `share` times as many vertices as the surface
 * has without its seams, or more if no other edge can collapse. Boundaries stay boundaries, and pieces stay
 * pieces of the same genus. STATUS_USAGE unless `share` is above 0 and at most 1. */
Status mesh_resample(const Mesh *mesh, Resampling resampling, double share, Mesh *out);
