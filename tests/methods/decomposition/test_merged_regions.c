/* Tests hierarchical clustering on sheets whose parts move rigidly, so that the right regions are known. */
#include "methods/decomposition/coordinate-descent/merged_regions.h"

#include "datasets/geometry/turn.h"
#include "tests/trials.h"

enum { WIDTH = 16, HEIGHT = 12, FRAMES = 7, VERTICES = WIDTH * HEIGHT };

/* Returns the quarter of the sheet to which a vertex belongs. */
static int quarter_of(const Sequence *sequence, int j)
{
    return (sequence->mesh.rest[3 * j] > WIDTH / 2 - 0.5f) +
           2 * (sequence->mesh.rest[3 * j + 1] > HEIGHT / 2 - 0.5f);
}

/* Returns a sheet whose quarters rotate about different axes. */
static Sequence quarters_make(void)
{
    Sequence sequence = sequence_sheet(WIDTH, HEIGHT, FRAMES, 0);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < VERTICES; j++) {
            static const Vec3 axes[4] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
            const int quarter = quarter_of(&sequence, j);
            const Transform motion = transform_rotate_about(axes[quarter], 0.15 * f * (quarter + 1),
                                                            vec3_make(3, 3, 0), vec3_make(0, 0, f));
            point_set(sequence.animation.positions, (ptrdiff_t)f * VERTICES + j,
                      transform_point(motion, point_at(sequence.mesh.rest, j)));
        }
    return sequence;
}

/* Checks that the four regions are the four quarters. */
static void quarters_check(const Sequence *sequence)
{
    int32_t regions[VERTICES], region_of[4] = {-1, -1, -1, -1};
    int count = 0;
    assert_ok(merged_regions_make(&sequence->mesh, &sequence->animation, 4, regions, &count));
    assert_int_equal(count, 4);
    for (int j = 0; j < VERTICES; j++) {
        int32_t *region = &region_of[quarter_of(sequence, j)];
        *region = *region < 0 ? regions[j] : *region;
        assert_int_equal(regions[j], *region);
    }
    for (int i = 1; i < 4; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(region_of[i], region_of[k]);
}

TEST(rigid_parts_are_regions)
{
    CLEANUP(sequence_clear) Sequence sequence = quarters_make();
    quarters_check(&sequence);
}

/* Halves that no triangle connects, or vertices without any triangle, count as adjacent pieces. */
TEST(pieces_are_regions)
{
    CLEANUP(sequence_clear) Sequence sequence = quarters_make();
    sequence_part(&sequence, WIDTH);
    quarters_check(&sequence);
    sequence.mesh.triangle_count = 0;
    int32_t regions[VERTICES];
    int count = 0;
    assert_ok(merged_regions_make(&sequence.mesh, &sequence.animation, 5, regions, &count));
    assert_int_equal(count, 5);
}

/* With as many regions as vertices nothing is merged, and one region takes all vertices. */
TEST(bounds_of_the_number)
{
    CLEANUP(sequence_clear) Sequence sequence = quarters_make();
    int32_t regions[VERTICES];
    int count = 0;
    assert_ok(merged_regions_make(&sequence.mesh, &sequence.animation, 2 * VERTICES, regions, &count));
    assert_int_equal(count, VERTICES);
    for (int j = 0; j < VERTICES; j++)
        assert_int_equal(regions[j], j);
    assert_ok(merged_regions_make(&sequence.mesh, &sequence.animation, 1, regions, &count));
    assert_int_equal(count, 1);
    for (int j = 0; j < VERTICES; j++)
        assert_int_equal(regions[j], 0);
}

/* A fit from these regions reproduces the quarters, up to the error of its reduction. */
TEST(fits_start_from_merged_regions)
{
    CLEANUP(sequence_clear) Sequence sequence = quarters_make();
    assert_at_most(trial_check(&TRIAL("coordinate-descent", 4, 4, 3, 1, "preset=paper", "regions=merged"),
                               &sequence, NULL, NULL),
                   0.5);
}
