/* Tests decimated and remeshed copies of a sphere and of a sheet, whose areas and boundaries are known. */
#include "datasets/model/resampled_mesh.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/topology.h"
#include "tests/support.h"

enum { RINGS = 24, AROUND = 48 };

/* A sphere of radius 1. Its first meridian is stored twice, as a seam of texture coordinates would be. */
static void sphere_make(Mesh *out)
{
    assert_ok(mesh_allocate(out, (RINGS - 1) * (AROUND + 1) + 2, 2 * AROUND * (RINGS - 1)));
    const int32_t north = out->vertex_count - 2, south = out->vertex_count - 1;
    int32_t *corner = out->triangles;
    for (int ring = 0; ring < RINGS - 1; ring++)
        for (int i = 0; i <= AROUND; i++) {
            const double down = PI * (ring + 1) / RINGS, turn = 2.0 * PI * (i % AROUND) / AROUND;
            const int32_t a = ring * (AROUND + 1) + i, b = a + AROUND + 1;
            point_set(out->rest, a, vec3_make(sin(down) * cos(turn), sin(down) * sin(turn), cos(down)));
            if (i == AROUND)
                continue;
            const int32_t square[] = {a, b, a + 1, b, b + 1, a + 1},
                          caps[] = {north, i, i + 1, south, a + 1, a};
            memcpy(corner, ring + 2 < RINGS ? square : caps, sizeof square);
            corner += 6;
        }
    point_set(out->rest, north, vec3_make(0.0, 0.0, 1.0));
    point_set(out->rest, south, vec3_make(0.0, 0.0, -1.0));
}

static double area_of(const Mesh *mesh)
{
    double area = 0.0;
    for (int t = 0; t < mesh->triangle_count; t++)
        area += 0.5 * vec3_length(triangle_cross(mesh->rest, mesh->triangles + 3 * (ptrdiff_t)t));
    return area;
}

/* A closed surface of genus 0 has V - E + T = 2, and each edge once in each direction. */
static void assert_sphere(const Mesh *mesh)
{
    OWNED MeshEdge *edges = NULL;
    int count = 0;
    assert_ok(mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &edges, &count));
    assert_int_equal(mesh->vertex_count - count + mesh->triangle_count, 2);
    for (int e = 0; e < count; e++)
        assert_true(edges[e].forwards == 1 && edges[e].backwards == 1);
    for (int t = 0; t < mesh->triangle_count; t++) /* no triangle faces inwards */
        assert_true(vec3_dot(triangle_cross(mesh->rest, mesh->triangles + 3 * (ptrdiff_t)t),
                             point_at(mesh->rest, mesh->triangles[3 * t])) > 0.0);
}

/* How many vertices of a copy are vertices of the mesh. */
static int common_count(const Mesh *mesh, const Mesh *copy)
{
    int count = 0;
    for (int v = 0; v < copy->vertex_count; v++)
        for (int i = 0; i < mesh->vertex_count; i++)
            if (vec3_length(vec3_sub(point_at(mesh->rest, i), point_at(copy->rest, v))) == 0.0) {
                count++;
                break;
            }
    return count;
}

TEST(a_decimated_sphere_keeps_vertices_and_stays_closed)
{
    Mesh mesh = {0}, copy = {0};
    sphere_make(&mesh);
    assert_ok(mesh_resample(&mesh, RESAMPLE_DECIMATE, 0.25, &copy));
    const int welded = (RINGS - 1) * AROUND + 2;
    assert_int_equal(copy.vertex_count, (welded + 3) / 4);
    assert_int_equal(common_count(&mesh, &copy), copy.vertex_count);
    assert_sphere(&copy);
    assert_near(area_of(&copy), 4.0 * PI, 0.05 * 4.0 * PI);
    mesh_clear(&copy);
    assert_ok(mesh_resample(&mesh, RESAMPLE_DECIMATE, 1.0, &copy));
    assert_int_equal(copy.vertex_count, welded);
    assert_near(area_of(&copy), area_of(&mesh), 1e-9);
    mesh_clear(&copy);
    mesh_clear(&mesh);
}

TEST(a_remeshed_sphere_has_new_vertices_on_the_surface)
{
    Mesh mesh = {0}, copy = {0};
    sphere_make(&mesh);
    assert_ok(mesh_resample(&mesh, RESAMPLE_REMESH, 1.0, &copy));
    assert_int_equal(copy.vertex_count, (RINGS - 1) * AROUND + 2);
    assert_true(common_count(&mesh, &copy) < copy.vertex_count / 50);
    assert_sphere(&copy);
    assert_near(area_of(&copy), 4.0 * PI, 0.02 * 4.0 * PI);
    for (int v = 0; v < copy.vertex_count;
         v++) /* the flat triangles of the sphere are up to 0.0086 below it */
        assert_near(vec3_length(point_at(copy.rest, v)), 1.0, 0.009);
    for (int t = 0; t < copy.triangle_count; t++) /* no triangle is much larger than the others */
        assert_true(0.5 * vec3_length(triangle_cross(copy.rest, copy.triangles + 3 * (ptrdiff_t)t)) <
                    5.0 * 4.0 * PI / copy.triangle_count);
    mesh_clear(&copy);
    mesh_clear(&mesh);
}

TEST(the_boundary_of_a_sheet_stays)
{
    enum { SIDE = 20 };
    Mesh mesh = {0}, copy = {0};
    assert_ok(mesh_allocate(&mesh, (SIDE + 1) * (SIDE + 1), 2 * SIDE * SIDE));
    int32_t *corner = mesh.triangles;
    for (int y = 0; y <= SIDE; y++)
        for (int x = 0; x <= SIDE; x++) {
            const int32_t a = y * (SIDE + 1) + x, b = a + SIDE + 1;
            point_set(mesh.rest, a, vec3_make((double)x / SIDE, (double)y / SIDE, 0.0));
            const int32_t square[] = {a, a + 1, b, a + 1, b + 1, b};
            if (x < SIDE && y < SIDE) {
                memcpy(corner, square, sizeof square);
                corner += 6;
            }
        }
    for (int kind = 0; kind < 2; kind++) {
        assert_ok(mesh_resample(&mesh, kind ? RESAMPLE_REMESH : RESAMPLE_DECIMATE, 0.3, &copy));
        const Bounds box = bounds_of(copy.rest, copy.vertex_count);
        assert_near(area_of(&copy), 1.0, 0.04); /* corners are cut off */
        assert_near(box.high[0] - box.low[0], 1.0, 1e-6);
        assert_near(box.high[2], 0.0, 1e-6);
        mesh_clear(&copy);
    }
    mesh_clear(&mesh);
    assert_int_equal(mesh_resample(&mesh, RESAMPLE_REMESH, 0.0, &copy).code, STATUS_USAGE);
}
