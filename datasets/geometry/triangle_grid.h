/* What a straight line meets first of a surface: its triangles, in a grid of cubes. */
#ifndef SKINBENCH_GEOMETRY_TRIANGLE_GRID_H
#define SKINBENCH_GEOMETRY_TRIANGLE_GRID_H

#include "datasets/base/grouping.h"
#include "datasets/base/memory.h"
#include "datasets/geometry/vec3.h"

typedef struct TriangleGrid {
    const float *points;      /* [N][3], borrowed */
    const int32_t *triangles; /* [T][3], borrowed */
    Vec3 low;                 /* corner of the first cube */
    double side;              /* of a cube */
    int counts[3];
    Grouping cells; /* by cube, x fastest: places in `held` */
    int32_t *held;  /* triangle of each place */
} TriangleGrid;

/* Sorts the triangles [triangle_count][3], whose vertex numbers must be in range, into cubes, about four to a
 * triangle. The arrays must outlive the grid. STATUS_SYSTEM when out of memory; the grid is empty then. */
Status triangle_grid_init(const float *points, int vertex_count, const int32_t *triangles, int triangle_count,
                          TriangleGrid *out);
void triangle_grid_clear(TriangleGrid *grid);

/* Where the line from `from` to `to` first meets a triangle that has neither of the vertices `spared` (-1:
 * none), as a share of the way, above 0 and up to 1; 2: it meets none. */
double triangle_grid_hit(const TriangleGrid *grid, Vec3 from, Vec3 to, const int32_t spared[2]);

#endif
