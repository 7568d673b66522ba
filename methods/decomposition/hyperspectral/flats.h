/* Vertices as flats in the space of transformations (Liu, Tan, Deng and Gingold 2020): those that take a
 * vertex where it goes in every frame are a flat, and a rig of H bones moves it by a point of it in the
 * affine hull of its bones. Coordinates are those of a reduction: a map has 4 rows of d numbers. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/fitting/skin_fit.h"

typedef struct Flats {
    int vertex_count, dimension; /* N, d */
    int handle_count;            /* H: the flat has H - 1 dimensions */
    int threads;
    const double *rest;    /* [N][3] */
    const double *targets; /* [N][d] */
    double *maps;          /* [H][4][d] a point and directions; then bones */
    double *shares;        /* [N][H] of the maps, the first 1; then weights */
    int64_t singular_systems;
} Flats;

/* Takes the flat nearest to the affine maps of neighbourhoods, each a vertex and those it has an edge with
 * (corners_at_vertices), or, without corners, to the points that the shares make: its middle and its
 * directions of unit variance, as many as there are, up to H - 1. Shares are to be solved for next. */
Status flats_span(Flats *flats, const int32_t *triangles, const Grouping *corners);

/* Solves for the point of the flat that comes nearest to each vertex' own; the squared error over all. */
Status flats_shares(Flats *flats, double *squared_error);

/* Solves for the maps under the shares, whatever these are. */
Status flats_maps(Flats *flats);

/* Makes the maps and shares those of a simplex: bones, and weights that are not negative and, but for points
 * that are outside, sum to 1. The simplex of least volume around all points (Craig 1994) or, if inner, one
 * whose corners are points. */
Status flats_enclose(Flats *flats, bool inner);
