/* Tests corners, neighbours and edges of meshes with a known Euler characteristic V - E + T. */
#include "tests/support.h"

#include "datasets/geometry/topology.h"

/* An octahedron, which is topologically a sphere: V - E + T = 2. Its poles are the vertices 4 and 5. */
static const int32_t octahedron[8][3] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4},
                                         {1, 0, 5}, {2, 1, 5}, {3, 2, 5}, {0, 3, 5}};

TEST(edges_of_a_sphere)
{
    OWNED MeshEdge *edges = NULL;
    int count = 0;
    assert_ok(mesh_edges_make(octahedron[0], 8, 6, &edges, &count));
    assert_int_equal(6 - count + 8, 2);
    for (int i = 0; i < count; i++) {
        assert_int_equal(edges[i].forwards, 1);
        assert_int_equal(edges[i].backwards, 1);
        assert_true(edges[i].low < edges[i].high);
        assert_true(i == 0 || edges[i - 1].low < edges[i].low ||
                    (edges[i - 1].low == edges[i].low && edges[i - 1].high < edges[i].high));
    }
}

/* A torus of SIDE x SIDE squares, each divided in two: V - E + T = 0. */
TEST(edges_of_a_torus)
{
    enum { SIDE = 5 };
    int32_t triangles[2 * SIDE * SIDE][3], t = 0;
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++) {
            int32_t a = x * SIDE + y, b = (x + 1) % SIDE * SIDE + y;
            int32_t c = (x + 1) % SIDE * SIDE + (y + 1) % SIDE, d = x * SIDE + (y + 1) % SIDE;
            memcpy(triangles[t++], (int32_t[]){a, b, c}, sizeof triangles[0]);
            memcpy(triangles[t++], (int32_t[]){a, c, d}, sizeof triangles[0]);
        }
    OWNED MeshEdge *edges = NULL;
    int count = 0;
    assert_ok(mesh_edges_make(triangles[0], t, SIDE * SIDE, &edges, &count));
    assert_int_equal(SIDE * SIDE - count + t, 0);
}

/* Faults are found: two triangles use an edge in the same direction, one triangle has an index out of
 * range, and one is degenerate. */
TEST(faulty_triangles)
{
    const int32_t triangles[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {3, 3, 2}};
    MeshEdge *edges = NULL;
    int count = 0;
    assert_ok(mesh_edges_make(triangles[0], 4, 4, &edges, &count));
    assert_int_equal(count, 6);
    assert_int_equal(edges[0].forwards, 2);
    assert_int_equal(edges[0].backwards, 0);
    assert_int_equal(edges[5].low, 2);
    assert_int_equal(edges[5].forwards + edges[5].backwards, 2);
    memory_free(edges);
    assert_int_equal(corner_out_of_range(triangles[0], 4, 4), 8);
    assert_int_equal(corner_out_of_range(triangles[0], 4, 5), -1);
    assert_false(triangle_in_range((const int32_t[]){0, -1, 2}, 4));
    memory_fail_after(0);
    assert_refused(STATUS_SYSTEM, "edges", mesh_edges_make(triangles[0], 4, 4, &edges, &count));
    memory_fail_after(-1);
    assert_null(edges);
}

/* Each pole belongs to four triangles. A neighbour is visited once for each triangle at the shared edge,
 * here twice. */
TEST(neighbours_of_a_vertex)
{
    CLEANUP(grouping_clear) Grouping corners = {0};
    assert_ok(corners_at_vertices(octahedron[0], 8, 6, &corners));
    for (int v = 0; v < 6; v++) {
        int met[6] = {0}, across = v < 4 ? (v + 2) % 4 : 9 - v;
        assert_int_equal(corners.first[v + 1] - corners.first[v], 4);
        for (int64_t at = 2 * corners.first[v]; at < 2 * corners.first[v + 1]; at++)
            met[vertex_neighbour(octahedron[0], &corners, at)]++;
        for (int other = 0; other < 6; other++)
            assert_int_equal(met[other], other == v || other == across ? 0 : 2);
    }
}
