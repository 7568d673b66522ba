/* Tests the volumes of surfaces whose holes are closed by caps: a regular tetrahedron of volume 8/3, a
 * sheet and a tube. */
#include "tests/metrics.h"

#include "datasets/geometry/angles.h"
#include "harness/measure/metrics/surface.h"

TEST(volume_closes_holes_and_refuses_sheets)
{
    Surface surface;
    double holes[8];
    Mesh mesh = tetrahedron;
    assert_ok(surface_init(&mesh, &surface));
    assert_int_equal(surface.edge_count, 6);
    assert_int_equal(surface.boundary_count, 0);
    assert_near(fabs(surface_volume(&surface, four_points, holes)), 8.0 / 3.0, 1e-5);
    surface_clear(&surface);
    mesh.triangle_count = 3;
    assert_ok(surface_init(&mesh, &surface));
    assert_int_equal(surface.boundary_count, 3);
    assert_int_equal(surface.hole_count, 1);
    assert_near(fabs(surface_volume(&surface, four_points, holes)), 8.0 / 3.0, 1e-5);
    surface_clear(&surface);

    static const float square[12] = {0, 0, 5, 1, 0, 5, 1, 1, 5, 0, 1, 5};
    static int32_t halves[6] = {0, 1, 2, 0, 2, 3};
    mesh = (Mesh){.vertex_count = 4, .triangle_count = 2, .rest = (float *)square, .triangles = halves};
    assert_ok(surface_init(&mesh, &surface));
    assert_true(isnan(surface_volume(&surface, square, holes)));
    surface_clear(&surface);
    halves[5] = 4;
    assert_bad_input("triangle 1 refers to vertex 4, but there are only 4 vertices",
                     surface_init(&mesh, &surface));
    surface_clear(&surface);
    halves[5] = 3;
}

/* A tube with radius 1, length 4, two open ends and 6 corners around. If both ends are closed by caps, its
 * volume is that of a prism. */
TEST(every_hole_gets_its_own_cap)
{
    enum { AROUND = 6 };
    float points[3 * 2 * AROUND];
    int32_t triangles[3 * 2 * AROUND];
    for (int i = 0; i < AROUND; i++) {
        double angle = 2.0 * PI * i / AROUND;
        int32_t a = i, b = (i + 1) % AROUND;
        for (int end = 0; end < 2; end++) {
            float *p = points + 3 * (end * AROUND + i);
            p[0] = (float)cos(angle);
            p[1] = (float)sin(angle);
            p[2] = 100.0f + 4.0f * (float)end;
        }
        memcpy(triangles + 6 * i, (int32_t[6]){a, b, b + AROUND, a, b + AROUND, a + AROUND},
               6 * sizeof *triangles);
    }
    Mesh mesh = {
        .vertex_count = 2 * AROUND, .triangle_count = 2 * AROUND, .rest = points, .triangles = triangles};
    CLEANUP(surface_clear) Surface surface = {0};
    double holes[8];
    assert_ok(surface_init(&mesh, &surface));
    assert_int_equal(surface.hole_count, 2);
    assert_near(surface_volume(&surface, points, holes), 4.0 * 1.5 * sqrt(3.0), 1e-5);
}
