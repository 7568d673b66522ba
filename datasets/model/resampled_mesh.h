/* Makes copies of a surface that have other vertices and triangles. */
#pragma once

#include "datasets/model/dataset.h"

typedef enum Resampling {
    RESAMPLE_DECIMATE, /* keeps some of the vertices where they are */
    RESAMPLE_REMESH    /* places new vertices all over the surface */
} Resampling;

/* Fills an empty mesh with a copy of the surface. It has about `share` times as many vertices as the surface
 * has without its seams, or more if no other edge can collapse. Boundaries stay boundaries, and pieces stay
 * pieces of the same genus. STATUS_USAGE unless `share` is above 0 and at most 1. */
Status mesh_resample(const Mesh *mesh, Resampling resampling, double share, Mesh *out);
