/* Tests bounds, normals and areas of shapes with known values. */
#include "tests/support.h"

#include "datasets/geometry/points.h"

/* The corners of a box of 1 x 2 x 2, whose diagonal is 3, and the triangles of its sides, counter-clockwise
 * seen from outside. */
static const float box[8][3] = {{4, -1, 7}, {5, -1, 7}, {5, 1, 7}, {4, 1, 7},
                                {4, -1, 9}, {5, -1, 9}, {5, 1, 9}, {4, 1, 9}};
static const int32_t sides[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

TEST(bounds_of_a_box)
{
    const double low[3] = {4.0, -1.0, 7.0}, high[3] = {5.0, 1.0, 9.0};
    Bounds bounds = bounds_of(box[0], 8);
    assert_memory_equal(bounds.low, low, sizeof low);
    assert_memory_equal(bounds.high, high, sizeof high);
    assert_true(bounds.diagonal == 3.0);
    bounds = bounds_of(box[3], 1);
    assert_true(bounds.diagonal == 0.0 && bounds.low[2] == 7.0);
    bounds = bounds_of(NULL, 0);
    assert_true(bounds.diagonal == 0.0 && bounds.low[0] == 0.0 && bounds.high[0] == 0.0);
}

/* The cross product of two edges of a triangle points along the outward normal, and its length is twice the
 * triangle's area. On a closed surface these vectors sum to zero, and their lengths sum to twice the
 * surface's area, here 2 (2 + 2 + 4). Each vector is added to the normals of three vertices. */
TEST(normals_of_a_box)
{
    double normals[9][3], surface = 0.0;
    float points[9][3] = {{0.0f}};
    Vec3 sum = {0.0, 0.0, 0.0}, of_vertices = {0.0, 0.0, 0.0};
    memcpy(points, box, sizeof box);
    for (int t = 0; t < 12; t++) {
        Vec3 cross = triangle_cross(points[0], sides[t]);
        Vec3 outwards = vec3_sub(point_at(points[0], sides[t][0]), vec3_make(4.5, 0.0, 8.0));
        assert_true(vec3_dot(cross, outwards) > 0.0);
        sum = vec3_add(sum, cross);
        surface += 0.5 * vec3_length(cross);
    }
    assert_true(vec3_length(sum) == 0.0 && surface == 16.0);
    vertex_normals(sides[0], 12, 9, points[0], normals[0]);
    for (int v = 0; v < 8; v++) {
        Vec3 normal = vec3_make(normals[v][0], normals[v][1], normals[v][2]);
        assert_true(vec3_dot(normal, vec3_sub(point_at(box[0], v), vec3_make(4.5, 0.0, 8.0))) > 0.0);
        of_vertices = vec3_add(of_vertices, normal);
    }
    assert_true(vec3_length(of_vertices) == 0.0);
    assert_true(normals[8][0] == 0.0 && normals[8][1] == 0.0 && normals[8][2] == 0.0);
}

TEST(points_are_read_as_they_are_set)
{
    float points[6] = {0.0f};
    point_set(points, 1, vec3_make(1.0, 1.0 / 3.0, -2.0));
    assert_true(points[0] == 0.0f && points[3] == 1.0f && points[4] == 1.0f / 3.0f && points[5] == -2.0f);
    assert_true(point_at(points, 1).z == -2.0);
}
