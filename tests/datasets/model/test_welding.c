/* Tests the welding of vertices. Twins along a seam become one vertex. Vertices of lips, layers and
 * touching solids stay separate. */
#include "tests/rigs.h"

#include "datasets/model/welding.h"

/* Makes two triangles, 0 1 2 and 3 4 5, with their corners at the given places. All vertices belong to
 * joint 0. */
static Dataset *two_triangles(const float places[6][3])
{
    Dataset *dataset = dataset_made("two", 24.0, 6, 2, 2, 1, 1);
    for (int v = 0; v < 6; v++) {
        memcpy(dataset->mesh.rest + 3 * v, places[v], sizeof places[v]);
        dataset->mesh.triangles[v] = v;
        dataset->rig.weight_values[v] = 1.0f;
    }
    return dataset;
}

static int welded_count(const Dataset *dataset, bool rigged)
{
    CLEANUP(welding_clear) Welding welding = {0};
    assert_ok(welding_find(&dataset->mesh, rigged ? &dataset->rig : NULL, &welding));
    assert_int_equal(welding.vertex_count, dataset->mesh.vertex_count);
    for (int v = 0; v < welding.vertex_count; v++) {
        const int32_t w = welding.welded_of[v];
        assert_true(welding_lowest(&welding, v) <= v);
        assert_memory_equal(welding.mesh.rest + 3 * w, dataset->mesh.rest + 3 * v, 3 * sizeof(float));
    }
    return welding.mesh.vertex_count;
}

static const float SEAM[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}};

TEST(a_seam_is_welded)
{
    OWNED_BY(dataset_free) Dataset *dataset = two_triangles(SEAM);
    assert_int_equal(welded_count(dataset, true), 4);
    assert_int_equal(welded_count(dataset, false), 4);
    /* the order of unused slots and a negative zero do not matter */
    dataset->mesh.rest[3 * 4] = -0.0f;
    dataset->rig.weight_joints[0] = 0;
    CLEANUP(welding_clear) Welding welding = {0};
    assert_ok(welding_find(&dataset->mesh, &dataset->rig, &welding));
    assert_int_equal(welding.mesh.vertex_count, 4);
    assert_int_equal(welding.welded_of[4], 2);
    assert_int_equal(welding.mesh.triangles[5], 1);
}

/* Vertices of lips coincide in the rest pose but have different weights, so they stay separate. */
TEST(other_weights_stay_apart)
{
    OWNED_BY(dataset_free) Dataset *dataset = two_triangles(SEAM);
    for (int v = 3; v < 6; v++)
        dataset->rig.weight_joints[v] = 1;
    assert_int_equal(welded_count(dataset, true), 6);
    assert_int_equal(welded_count(dataset, false), 4);
    dataset->rig.weight_joints[5] = 0; /* the edges have only one end in common, so they are not a seam */
    assert_int_equal(welded_count(dataset, true), 6);
}

/* Two layers stay separate because a triangle of one overlaps a triangle of the other. The second triangle
 * equals the first, is turned over, or lies on the same side of a shared edge. */
TEST(layers_stay_apart)
{
    static const float layers[][6][3] = {
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}},
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0.25f, 2, 0}},
    };
    for (int i = 0; i < 3; i++) {
        OWNED_BY(dataset_free) Dataset *dataset = two_triangles(layers[i]);
        assert_int_equal(welded_count(dataset, true), 6);
    }
}

/* Two tetrahedra with a common side stay separate, because neither has open edges. */
TEST(closed_solids_stay_apart)
{
    static const int32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    static const float places[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
    OWNED_BY(dataset_free) Dataset *dataset = dataset_made("solids", 24.0, 8, 8, 1, 1, 1);
    for (int v = 0; v < 8; v++) {
        memcpy(dataset->mesh.rest + 3 * v, places[v < 7 ? v % 4 : 4], sizeof places[0]);
        dataset->rig.weight_values[v] = 1.0f;
    }
    for (int i = 0; i < 24; i++)
        dataset->mesh.triangles[i] = faces[i / 3 % 4][i % 3] + (i < 12 ? 0 : 4);
    assert_int_equal(welded_count(dataset, true), 8);
}

/* A tetrahedron whose four triangles have separate vertices, 12 at 4 places, is welded to 4 vertices. */
TEST(a_soup_is_welded)
{
    static const int32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    static const float places[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    OWNED_BY(dataset_free) Dataset *dataset = dataset_made("soup", 24.0, 12, 4, 1, 1, 1);
    for (int i = 0; i < 12; i++) {
        memcpy(dataset->mesh.rest + 3 * i, places[faces[i / 3][i % 3]], sizeof places[0]);
        dataset->mesh.triangles[i] = i;
        dataset->rig.weight_values[i] = 1.0f;
    }
    assert_int_equal(welded_count(dataset, true), 4);
}

/* Animations to be fitted have no rig. Their vertices are twins if they coincide in every frame. */
TEST(motion_tells_lips_from_seams)
{
    OWNED_BY(dataset_free) Dataset *dataset = two_triangles(SEAM);
    float positions[2][6][3];
    memcpy(positions[0], SEAM, sizeof SEAM);
    memcpy(positions[1], SEAM, sizeof SEAM);
    positions[1][5][2] = 0.5f;
    const Animation animation = {.frame_count = 2, .positions = positions[0][0]};
    CLEANUP(welding_clear) Welding welding = {0};
    assert_ok(welding_find_in_motion(&dataset->mesh, &animation, NULL, &welding));
    assert_int_equal(welding.mesh.vertex_count, 5);
    assert_int_equal(welding.welded_of[4], 2);
    assert_int_equal(welding.vertex_of[welding.welded_of[5]], 5);
}
