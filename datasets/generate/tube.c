/* Fills the vertices and triangles of a closed tube: rings, the bands between them, and a cap at each
 * end. */
#include "datasets/generate/tube.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"

static void triangle_set(Mesh *mesh, int *triangle, int a, int b, int c)
{
    int32_t *out = mesh->triangles + 3 * (size_t)(*triangle)++;
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

/* Computes the point at the fraction `t` of the outline, in units of the radii. */
static void outline_point(bool square, double t, double *x, double *y)
{
    if (!square) {
        *x = cos(2.0 * PI * t);
        *y = sin(2.0 * PI * t);
        return;
    }
    /* Start at the corner (1, -1), go up the right side, and continue counter-clockwise. Side 0 is x = 1,
     * side 1 is y = 1, side 2 is x = -1, side 3 is y = -1. */
    double along = 4.0 * t, side = floor(along), at = 2.0 * (along - side) - 1.0;
    const double xs[4] = {1.0, -at, -1.0, at}, ys[4] = {at, 1.0, -at, -1.0};
    *x = xs[(int)side];
    *y = ys[(int)side];
}

/* Fills the band between two rings of `a` and `b` vertices with triangles. Each new triangle advances by
 * one vertex along one of the two rings, the one of which a smaller fraction has been used. */
static void band_fill(Mesh *mesh, int first_a, int a, int first_b, int b, int *triangle)
{
    for (int i = 0, j = 0; i < a || j < b;) {
        int at_a = first_a + i % a, at_b = first_b + j % b;
        if (j == b || (i < a && (int64_t)(i + 1) * b <= (int64_t)(j + 1) * a))
            triangle_set(mesh, triangle, at_a, first_a + ++i % a, at_b);
        else
            triangle_set(mesh, triangle, at_a, first_b + ++j % b, at_b);
    }
}

void tube_fill(const TubeRing *rings, int ring_count, Mesh *mesh, int *vertex, int *triangle)
{
    int first = *vertex, next = first;
    for (int i = 0; i < ring_count; i++) {
        const TubeRing *ring = &rings[i];
        for (int k = 0; k < ring->vertices; k++) {
            double x = 0.0, y = 0.0;
            outline_point(ring->square, (double)k / ring->vertices, &x, &y);
            Vec3 p = vec3_add_scaled(ring->center, ring->u, ring->radius_u * x);
            point_set(mesh->rest, next + k, vec3_add_scaled(p, ring->v, ring->radius_v * y));
        }
        if (i + 1 < ring_count)
            band_fill(mesh, next, rings[i].vertices, next + rings[i].vertices, rings[i + 1].vertices,
                      triangle);
        next += rings[i].vertices;
    }
    const TubeRing *last_ring = &rings[ring_count - 1];
    int last = next - last_ring->vertices;
    point_set(mesh->rest, next, rings[0].center);
    point_set(mesh->rest, next + 1, last_ring->center);
    for (int i = 0; i < rings[0].vertices; i++)
        triangle_set(mesh, triangle, next, first + (i + 1) % rings[0].vertices, first + i);
    for (int i = 0; i < last_ring->vertices; i++)
        triangle_set(mesh, triangle, next + 1, last + i, last + (i + 1) % last_ring->vertices);
    *vertex = next + 2;
}

Status tube_mesh_make(const TubeRing *rings, int ring_count, Mesh *mesh)
{
    /* Each cap has a centre vertex, so the surface is topologically a sphere. */
    int vertices = 2, vertex = 0, triangle = 0;
    for (int i = 0; i < ring_count; i++)
        vertices += rings[i].vertices;
    STATUS_TRY(mesh_allocate(mesh, vertices, 2 * (vertices - 2)));
    tube_fill(rings, ring_count, mesh, &vertex, &triangle);
    return status_ok();
}
