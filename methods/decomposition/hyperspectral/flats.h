/* Vertices as flats in the space of transformations (Liu, Tan, Deng and Gingold 2020). The transformations
 * that carry a vertex to its place in every frame form a flat. A rig of H bones moves the vertex by a point
 * of that flat within the affine hull of its bones. Coordinates are those of a reduction: a map has 4 rows
 * of d numbers. */
#pragma once

#include "datasets/base/grouping.h"
#include "methods/fitting/skin_fit.h"

typedef struct Flats {
    int vertex_count, dimension; /* N, d */
    int handle_count;            /* H: the flat has H - 1 dimensions */
    int threads;
    const double *rest;    /* [N][3] */
    const double *targets; /* [N][d] */
    double *maps;   /* [H][4][d] a point of the flat and H - 1 directions; after flats_enclose the bones */
    double *shares; /* [N][H] factors of the maps, the first is 1; after flats_enclose weights */
    int64_t singular_systems;
} Flats;

/* Sets the flat nearest to the affine maps of neighbourhoods (a vertex and its edge neighbours, from
 * corners_at_vertices). Without corners, uses the points given by the shares instead. The flat is the mean
 * and up to H - 1 directions, scaled to unit variance. The shares must be solved next. */
Status flats_span(Flats *flats, const int32_t *triangles, const Grouping *corners);

/* Finds the point of the flat nearest to each vertex' own flat. Returns the squared error over all
 * vertices. */
Status flats_shares(Flats *flats, double *squared_error);

/* Solves for the maps while the shares stay fixed. */
Status flats_maps(Flats *flats);

/* Makes maps and shares those of a simplex: bones, and weights that are not negative and sum to 1, except
 * for points outside. Takes the simplex of minimum volume around all points (Craig 1994) or, if `inner`,
 * one with corners at points. */
Status flats_enclose(Flats *flats, bool inner);
