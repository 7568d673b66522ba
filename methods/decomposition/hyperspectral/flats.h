/* Vertices as flats (affine subspaces) in the space of transformations (Liu, Tan, Deng and Gingold 2020).
 * All transformations that carry a vertex to its positions in every frame form its flat. A rig of H bones
 * moves the vertex by a point of that flat within the affine hull of its bones. Coordinates are those of a
 * reduction: a map has 4 rows of d numbers. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/fitting/skin_fit.h"

typedef struct Flats {
    int vertex_count, dimension; /* N, d */
    int handle_count;            /* number H of bones; their flat has H - 1 dimensions */
    int threads;
    const double *rest;    /* [N][3] */
    const double *targets; /* [N][d] */
    double *maps;   /* [H][4][d] a point of the flat and H - 1 directions; after flats_enclose, the bones */
    double *shares; /* [N][H] coordinates of each vertex in `maps`, the first is 1; after flats_enclose, its
                       weights */
    int64_t singular_systems;
} Flats;

/* Sets the flat nearest to the affine maps of the neighbourhoods (a vertex and its edge neighbours;
 * `corners` from corners_at_vertices). If `corners` is NULL, the points given by the shares are used
 * instead. The flat is the mean and up to H - 1 principal directions, scaled to unit variance. The caller
 * must call flats_shares next. */
Status flats_span(Flats *flats, const int32_t *triangles, const Grouping *corners);

/* Finds for each vertex the point of the flat that is nearest to the vertex's own flat. Returns the squared
 * error over all vertices in *squared_error. */
Status flats_shares(Flats *flats, double *squared_error);

/* Solves for the maps with the shares fixed. */
Status flats_maps(Flats *flats);

/* Replaces maps and shares by those of a simplex: its corners are the bones, and the shares are weights
 * with sum 1, negative only for points outside. The simplex is the one of minimum volume around all points
 * (Craig 1994) or, if `inner`, one with corners at points. */
Status flats_enclose(Flats *flats, bool inner);
