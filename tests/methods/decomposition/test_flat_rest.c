/* Tests planar rest poses. Vertices are moved out of the plane, and a fit then finds the height that the
 * planar pose does not contain. */
#include "methods/decomposition/coordinate-descent/flat_rest.h"

#include "tests/trials.h"

enum { SIDE = 12, VERTICES = SIDE * SIDE, FRAMES = 10 };

/* Makes a square grid in the plane through (1, 2, 3) with the given unit normal. */
static void grid_make(const double normal[3], double *rest)
{
    const double u[3] = {normal[1], -normal[0], 0.0};
    const double v[3] = {-normal[2] * u[1], normal[2] * u[0], normal[0] * u[1] - normal[1] * u[0]};
    for (int j = 0; j < VERTICES; j++) {
        const int row = j / SIDE;
        for (int axis = 0; axis < 3; axis++)
            rest[3 * j + axis] = 1.0 + axis + (j % SIDE) * u[axis] + row * v[axis];
    }
}

TEST(vertices_leave_along_the_normal_alone)
{
    const double normal[3] = {0.48, 0.6, 0.64};
    double rest[3 * VERTICES], all[3 * VERTICES], share[3 * VERTICES], max = 0.0, min = 0.0;
    grid_make(normal, rest);
    memcpy(all, rest, sizeof all);
    flat_rest_leave(rest, VERTICES, 0, VERTICES, all);
    for (int j = 0; j < VERTICES; j++) {
        double step[3], along = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            step[axis] = all[3 * j + axis] - rest[3 * j + axis];
            along += step[axis] * normal[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            assert_near(step[axis], along * normal[axis], 1e-9);
        max = fmax(max, along);
        min = fmin(min, along);
    }
    assert_true(max > 0.01 && max < 0.1 && -min > 0.01 && -min < 0.1);
    memcpy(share, rest, sizeof share); /* a rank (process) that has only some of the vertices must move them
                                          in the same way */
    flat_rest_leave(rest, VERTICES, 100, 40, share + 300);
    assert_memory_equal(share + 300, all + 300, 120 * sizeof(double));
    assert_memory_equal(share, rest, 300 * sizeof(double));
}

TEST(what_is_not_flat_stays)
{
    const double normal[3] = {0.48, 0.6, 0.64};
    double rest[3 * VERTICES], own[3 * VERTICES];
    grid_make(normal, rest);
    rest[3 * 50 + 2] += 0.01;
    memcpy(own, rest, sizeof own);
    flat_rest_leave(rest, VERTICES, 0, VERTICES, own);
    assert_memory_equal(own, rest, sizeof rest);
}

/* One affine motion moves the points of a curved sheet, but the given rest pose is flattened. A fit within
 * the plane would lose the height. A fit that leaves the plane must find the motion and all points. */
TEST(a_fit_finds_the_height_that_the_rest_pose_lacks)
{
    CLEANUP(sequence_clear) Sequence sequence = sequence_sheet(SIDE, SIDE, FRAMES, 0);
    sequence_skin(&sequence, 1, 0.5, 3);
    for (int j = 0; j < VERTICES; j++)
        sequence.mesh.rest[3 * j + 2] = 0.0f;
    FITTED(result, &sequence, "coordinate-descent", 1, 1, 60, 1, NULL);
    assert_at_most(e_rms(&sequence, delivered_error(&sequence, &result)), 1.0);
}
