/* Tests transfers of weights on flat sheets, where the closest point and the smoothest weights are known. */
#include "datasets/geometry/triangle_grid.h"
#include "datasets/rigging/transfer.h"
#include "tests/rigs.h"

/* A sheet of `count` by `count` vertices over the square from 0 to `side`, at height z. Weights of joint 1
 * are x / side. */
static Dataset *sheet(int count, double side, double z)
{
    Dataset *data = dataset_made("sheet", 0.0, count * count, 2 * (count - 1) * (count - 1), 2, 0, 2);
    int32_t *corner = data->mesh.triangles;
    for (int v = 0; v < count * count; v++) {
        const int row = v / count;
        const float x = (float)(side * (v % count) / (count - 1));
        data->mesh.rest[3 * v] = x;
        data->mesh.rest[3 * v + 1] = (float)(side * row / (count - 1));
        data->mesh.rest[3 * v + 2] = (float)z;
        data->rig.weight_joints[2 * v + 1] = 1;
        data->rig.weight_values[2 * v] = 1.0f - x / (float)side;
        data->rig.weight_values[2 * v + 1] = x / (float)side;
    }
    for (int y = 0; y + 1 < count; y++)
        for (int x = 0; x + 1 < count; x++) {
            const int32_t a = y * count + x,
                          square[] = {a, a + 1, a + count, a + 1, a + count + 1, a + count};
            memcpy(corner, square, sizeof square);
            corner += 6;
        }
    data->rig.parents[0] = -1;
    data->rig.rest[0] = data->rig.rest[1] = transform_identity();
    return data;
}

static double second_weight(const Dataset *data, int vertex)
{
    double weight = 0.0;
    for (int k = 0; k < data->rig.influence_count; k++) {
        const int slot = vertex * data->rig.influence_count + k;
        weight += data->rig.weight_joints[slot] == 1 ? (double)data->rig.weight_values[slot] : 0.0;
    }
    return weight;
}

static TransferCounts transferred(const Dataset *from, Dataset *to, double inpaint, double distance,
                                  double angle)
{
    TransferCounts counts;
    assert_ok(weights_transfer(from, (double[]){inpaint, distance, angle, 0.0}, 4, NULL, to, &counts));
    return counts;
}

TEST(the_closest_triangle_is_that_of_all_triangles)
{
    Random random = {7};
    float points[3 * 60];
    int32_t triangles[3 * 40];
    CLEANUP(triangle_grid_clear) TriangleGrid grid = {0};
    for (int i = 0; i < 180; i++)
        points[i] = (float)random_signed(&random);
    for (int i = 0; i < 120; i++)
        triangles[i] = i % 60;
    assert_ok(triangle_grid_init(points, 60, triangles, 40, &grid));
    for (int query = 0; query < 500; query++) {
        const double far = query % 5 == 0 ? 20.0 : 1.5;
        const double x = far * random_signed(&random), y = far * random_signed(&random);
        const Vec3 p = vec3_make(x, y, far * random_signed(&random));
        double least = HUGE_VAL, weights[3] = {0.0};
        for (int t = -1; t < 40; t++) { /* -1: the answer of the grid */
            const int triangle = t < 0 ? triangle_grid_nearest(&grid, p, weights) : t;
            Vec3 corner[3], off = vec3_scale(p, -1.0);
            for (int c = 0; c < 3; c++)
                corner[c] = point_at(points, triangles[3 * triangle + c]);
            if (t >= 0)
                triangle_nearest(p, corner, weights);
            for (int c = 0; c < 3; c++)
                off = vec3_add_scaled(off, corner[c], weights[c]);
            if (t < 0)
                least = vec3_length(off);
            else
                assert_true(vec3_length(off) >= least - 1e-12);
        }
    }
}

TEST(another_mesh_gets_the_weights_of_the_closest_points)
{
    OWNED_BY(dataset_free) Dataset *from = sheet(9, 1.0, 0.0), *to = sheet(14, 1.0, 0.01);
    const TransferCounts counts = transferred(from, to, 1.0, 0.05, 30.0);
    assert_int_equal(counts.matched, 14 * 14);
    assert_int_equal(counts.inpainted, 0);
    for (int v = 0; v < 14 * 14; v++)
        assert_near(second_weight(to, v), (double)to->mesh.rest[3 * v], 1e-6);
}

TEST(a_flap_without_a_match_continues_the_weights)
{
    /* The middle of the sheet is bent away. Weights that are linear in x have hardly any energy, so the bent
     * vertices must get x again. */
    OWNED_BY(dataset_free) Dataset *from = sheet(9, 1.0, 0.0), *to = sheet(21, 1.0, 0.0);
    for (int v = 0; v < 21 * 21; v++) {
        const int column = v % 21, row = v / 21;
        to->mesh.rest[3 * v + 2] = column > 5 && column < 15 && row > 5 && row < 15 ? 0.001f : 0.0f;
    }
    const TransferCounts counts = transferred(from, to, 1.0, 0.0005 / sqrt(2.0), 180.0);
    assert_int_equal(counts.inpainted, 81);
    for (int v = 0; v < 21 * 21; v++)
        assert_near(second_weight(to, v), (double)to->mesh.rest[3 * v], 2e-3);
}

TEST(seams_of_the_source_do_not_change_its_normals)
{
    /* A roof whose triangles share no vertices, as in a file with flat shading. Its two sides stand at 90
     * degrees, so the normals of the triangles are 45 degrees from those of the surface without seams. */
    enum { SIDE = 7, CORNERS = 6 * (SIDE - 1) * (SIDE - 1) };
    OWNED_BY(dataset_free) Dataset *whole = sheet(SIDE, 1.0, 0.0);
    OWNED_BY(dataset_free) Dataset *from = dataset_made("roof", 0.0, CORNERS, CORNERS / 3, 2, 0, 2);
    OWNED_BY(dataset_free) Dataset *to = dataset_made("roof", 0.0, CORNERS, CORNERS / 3, 2, 0, 2);
    for (int c = 0; c < CORNERS; c++) {
        const int32_t v = whole->mesh.triangles[c];
        const float x = whole->mesh.rest[3 * v];
        from->mesh.triangles[c] = to->mesh.triangles[c] = c;
        point_set(from->mesh.rest, c,
                  vec3_make((double)x, (double)whole->mesh.rest[3 * v + 1], fabs((double)x - 0.5)));
        memcpy(from->rig.weight_joints + 2 * c, whole->rig.weight_joints + 2 * v, 2 * sizeof(int32_t));
        memcpy(from->rig.weight_values + 2 * c, whole->rig.weight_values + 2 * v, 2 * sizeof(float));
    }
    memcpy(to->mesh.rest, from->mesh.rest, 3 * CORNERS * sizeof(float));
    memcpy(from->rig.rest, whole->rig.rest, 2 * sizeof *from->rig.rest);
    memcpy(from->rig.parents, whole->rig.parents, 2 * sizeof *from->rig.parents);
    const TransferCounts counts = transferred(from, to, 1.0, 0.05, 30.0);
    assert_int_equal(counts.matched, SIDE * SIDE);
    for (int c = 0; c < CORNERS; c++)
        assert_near(second_weight(to, c), (double)to->mesh.rest[3 * c], 1e-6);
}

TEST(the_last_step_smooths_near_inpainted_vertices)
{
    /* Weights step from 0 to 1 in the middle of a sheet of 9 x 9 vertices. The vertex beside the step is
     * too far from the source, so it alone is inpainted, and its six neighbours are matched. One step of
     * smoothing moves it by a fifth to their average. The third sheet has a bump. Its slopes are inpainted,
     * because their normals differ, and vertices within 0.2 of a slope are smoothed, too. */
    enum { SIDE = 9, CENTER = 4 * SIDE + 4 };
    static const int around[] = {-1, 1, -SIDE, SIDE, -SIDE + 1, SIDE - 1};
    OWNED_BY(dataset_free) Dataset *from = sheet(SIDE, 1.0, 0.0);
    Dataset *to[3];
    for (int v = 0; v < SIDE * SIDE; v++) {
        from->rig.weight_values[2 * v + 1] = v % SIDE > 4 ? 1.0f : 0.0f;
        from->rig.weight_values[2 * v] = 1.0f - from->rig.weight_values[2 * v + 1];
    }
    for (int i = 0; i < 3; i++) {
        const bool bump = i == 2;
        const double parameters[] = {1.0, (bump ? 0.2 : 0.01) / sqrt(2.0), bump ? 5.0 : 180.0, i > 0};
        TransferCounts counts;
        to[i] = sheet(SIDE, 1.0, 0.0);
        to[i]->mesh.rest[3 * CENTER + 2] = bump ? 0.05f : 0.02f;
        assert_ok(weights_transfer(from, parameters, 4, NULL, to[i], &counts));
        assert_int_equal(counts.inpainted, bump ? 6 : 1);
    }
    double mean = 0.0;
    for (int i = 0; i < 6; i++)
        mean += second_weight(to[0], CENTER + around[i]) / 6.0;
    assert_near(mean, 2.0 / 6.0, 1e-7);
    assert_near(second_weight(to[1], CENTER), 0.8 * second_weight(to[0], CENTER) + 0.2 * mean, 1e-6);
    for (int v = 0; v < SIDE * SIDE; v++)
        if (v != CENTER)
            assert_near(second_weight(to[1], v), second_weight(from, v), 1e-7);
    assert_true(second_weight(to[2], CENTER - 2 * SIDE) > 0.06); /* two of its six neighbours have 1 */
    assert_near(second_weight(to[2], CENTER - 3 * SIDE), 0.0, 1e-7);
    for (int i = 0; i < 3; i++)
        dataset_free(to[i]);
}

TEST(a_piece_without_a_match_takes_the_closest_weights)
{
    OWNED_BY(dataset_free) Dataset *from = sheet(9, 1.0, 0.0), *to = sheet(5, 1.0, 5.0);
    const TransferCounts counts = transferred(from, to, 1.0, 0.05, 30.0);
    assert_int_equal(counts.unmatched, 25);
    for (int v = 0; v < 25; v++)
        assert_near(second_weight(to, v), (double)to->mesh.rest[3 * v], 1e-6);
}

TEST(normals_at_an_angle_are_no_match)
{
    /* The edge of an upright sheet stands on the source, all within reach but at 90 degrees. */
    OWNED_BY(dataset_free) Dataset *from = sheet(9, 1.0, 0.0), *to = sheet(5, 1.0, 0.0);
    for (int v = 0; v < 25; v++) {
        to->mesh.rest[3 * v + 2] = 0.01f * to->mesh.rest[3 * v + 1];
        to->mesh.rest[3 * v + 1] = 0.5f;
    }
    assert_int_equal(transferred(from, to, 1.0, 0.5, 30.0).matched, 0);
    assert_int_equal(transferred(from, to, 1.0, 0.5, 91.0).matched, 25);
    assert_int_equal(transferred(from, to, 0.0, 0.5, 30.0).matched, 25);
}

TEST(a_source_without_triangles_is_refused)
{
    OWNED_BY(dataset_free) Dataset *from = sheet(9, 1.0, 0.0), *to = sheet(5, 1.0, 0.0);
    TransferCounts counts;
    from->mesh.triangle_count = 0;
    assert_bad_input("has no triangles",
                     weights_transfer(from, (double[]){1.0, 0.05, 30.0, 0.0}, 4, NULL, to, &counts));
}
