/* Vertices as flats (affine subspaces) in the space of transformations (Liu, Tan, Deng and Gingold 2020).
 * The flat of a vertex consists of all transformations that carry the vertex to its position in every
 * frame. A rig of H bones moves the vertex by a point of the affine hull of its bones, and this point
 * should lie on the flat of the vertex. All numbers refer to the coordinates of a reduction: a map has 4
 * rows of d numbers. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/fitting/skin_fit.h"

typedef struct Flats {
    int vertex_count, dimension; /* N, d */
    int handle_count;            /* number H of bones; their flat has H - 1 dimensions */
    int threads;
    const double *rest;    /* [N][3] */
    const double *targets; /* [N][d] */
    double *maps; /* [H][4][d] a point of the flat and H - 1 directions; after flats_enclose, the maps of the
                     bones */
    double *shares; /* [N][H] coordinates of each vertex with respect to `maps`; the first coordinate is 1.
                       After flats_enclose, the weights of the vertex. */
    int64_t singular_systems;
} Flats;

/* Sets the flat (affine subspace) that lies nearest to the affine maps of all neighbourhoods. A
 * neighbourhood is a vertex with its edge neighbours; `corners` comes from corners_at_vertices. If
 * `corners` is NULL, the current points of the vertices on the flat replace these maps. The flat consists
 * of the mean and up to H - 1 principal directions, scaled to unit variance. The caller must call
 * flats_shares next. */
Status flats_span(Flats *flats, const int32_t *triangles, const Grouping *corners);

/* Finds the point on the common flat of the bones that is nearest to each vertex's own flat. *squared_error
 * receives the squared error over all vertices. */
Status flats_shares(Flats *flats, double *squared_error);

/* Solves for the maps, with the coordinates of the vertices (shares) fixed. If `gradient` is not NULL, it
 * receives half the gradient [H][4][d] of the squared error at the maps before. */
Status flats_maps(Flats *flats, double *gradient);

/* Sets the coordinates of the vertices to the H functions w, orthonormal over the vertices and the first of
 * them 1, that are linear in the vertices' trajectories and for which w (x, y, z) is closest to linear. If a
 * rig moves the vertices exactly, these are coordinates on its flat. *found is false, and nothing changes,
 * if the trajectories have fewer than H - 1 dimensions. The caller must call flats_maps next. */
Status flats_linear_shares(Flats *flats, bool *found);

/* Replaces maps and coordinates by a simplex, whose corners are the bones. The coordinates become weights
 * with sum 1, which are negative only for points outside the simplex. The simplex is the smallest one
 * around all points (Craig 1994) or, if `inner`, a simplex with corners at points. */
Status flats_enclose(Flats *flats, bool inner);
