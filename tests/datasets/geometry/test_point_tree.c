/* Compares a tree of points with a search of all points. */
#include "datasets/geometry/point_tree.h"
#include "tests/support.h"

TEST(the_nearest_point_is_found)
{
    enum { POINTS = 700 };
    Random random = {5};
    Vec3 points[POINTS];
    for (int count = 0; count <= POINTS; count += count < 20 ? 1 : 170)
        for (int grid = 0; grid < 3; grid++) { /* random points, points in few places, and all in one place */
            CLEANUP(point_tree_clear) PointTree tree = {0};
            for (int i = 0; i < count; i++) {
                double x[3];
                for (int k = 0; k < 3; k++)
                    x[k] = grid == 0   ? random_signed(&random)
                           : grid == 1 ? floor(4.0 * random_unit(&random))
                                       : 1.0;
                points[i] = vec3_make(x[0], x[1], x[2]);
            }
            assert_ok(point_tree_init(points, count, &tree));
            for (int turn = 0; turn < 40; turn++) {
                const Vec3 query =
                    vec3_make(floor(5.0 * random_unit(&random)), floor(5.0 * random_unit(&random)),
                              grid == 0 ? random_signed(&random) : 2.0);
                int32_t nearest = -1;
                double least = INFINITY, distance = 0.0;
                for (int i = 0; i < count; i++)
                    if (vec3_length(vec3_sub(points[i], query)) < least) {
                        least = vec3_length(vec3_sub(points[i], query));
                        nearest = i;
                    }
                assert_int_equal(point_tree_nearest(&tree, query, &distance), nearest);
                assert_true(distance == least);
            }
        }
}
