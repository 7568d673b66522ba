/* Finds where a line first hits a surface. The triangles of the surface are sorted into a grid of cubes. */
#pragma once

#include "datasets/base/grouping.h"
#include "datasets/base/memory.h"
#include "datasets/geometry/vec3.h"

typedef struct TriangleGrid {
    const float *points;      /* [N][3], borrowed */
    const int32_t *triangles; /* [T][3], borrowed */
    Vec3 low;                 /* corner of the first cube */
    double side;              /* side length of a cube */
    int counts[3];
    Grouping cells; /* the entries of each cube, which are indices into `held`; x varies fastest */
    float *boxes;   /* [triangles][6] bounding boxes: the lowest corner, then the highest */
    int32_t *held;  /* the triangle of each entry */
} TriangleGrid;

/* Sorts triangles [triangle_count][3] into about four cubes per triangle. Their vertex numbers must be in
 * range. The arrays must outlive the grid. STATUS_SYSTEM if out of memory; the grid is then empty. */
Status triangle_grid_init(const float *points, int vertex_count, const int32_t *triangles, int triangle_count,
                          TriangleGrid *out);
void triangle_grid_clear(TriangleGrid *grid);

/* Finds where the line from `from` to `to` first hits a triangle. Triangles with a vertex in `spared` (-1:
 * none) are ignored. Returns the parameter along the line, which is above 0 and at most 1. Returns 2 if
 * nothing is hit. */
double triangle_grid_hit(const TriangleGrid *grid, Vec3 from, Vec3 to, const int32_t spared[2]);

/* Finds the triangle closest to a point, and the weights of its corners at the closest place. Returns the
 * lowest of equally close triangles, or -1 if there are none. Several threads may share a grid. */
int triangle_grid_nearest(const TriangleGrid *grid, Vec3 point, double weights[3]);
