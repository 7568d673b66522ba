/* Tests seeds that are chosen by motion. Every method that fits bones must find rigid shells exactly. The
 * start of a fit must not depend on the order of the vertices or the unit of length. */

#include "datasets/geometry/nearest_rotation.h"
#include "methods/fitting/seeds.h"
#include "tests/trials.h"

enum { SETS = 24, FRAMES = 7, ROWS = 4, COLUMNS = 5 };

/* Makes `shells` bent sheets of 4 x 5 vertices and random sizes, moved by `motions` random motions. Each
 * motion moves one sheet, and further sheets repeat a motion. If `near`, every second motion nearly equals
 * its predecessor. If `split`, no two triangles share a vertex. */
static Sequence shells_make(uint64_t seed, int shells, int motions, bool near, bool split)
{
    enum { CORNERS = 6 * (ROWS - 1) * (COLUMNS - 1) };
    Random random = {seed};
    CLEANUP(sequence_clear) Sequence sheet = sequence_sheet(COLUMNS, ROWS, 1, 0);
    const int each = split ? CORNERS : ROWS * COLUMNS;
    Sequence out = {0};
    assert_ok(mesh_allocate(&out.mesh, shells * each, shells * CORNERS / 3));
    assert_ok(animation_allocate(&out.animation, FRAMES, shells * each, 0));
    double turns[FRAMES][24][3][3], shifts[FRAMES][24][3];
    for (int frame = 0; frame < FRAMES; frame++)
        for (int motion = 0; motion < motions; motion++)
            for (int i = 0; i < 12; i++) {
                const bool follows = near && motion % 2;
                const double change = random_signed(&random) * (follows ? 0.01 : 1.0);
                double *value = i < 9 ? &turns[frame][motion][i / 3][i % 3] : &shifts[frame][motion][i - 9];
                *value = follows ? (i < 9 ? turns[frame][motion - 1][i / 3][i % 3]
                                          : shifts[frame][motion - 1][i - 9])
                                 : (i % 4 == 0 && i < 9 ? 1.0 : 0.0);
                *value += change;
            }
    for (int shell = 0; shell < shells; shell++) {
        double size = 0.2 + random_unit(&random), place[3];
        const int motion = shell < motions ? shell : (int)(random_unit(&random) * motions);
        for (int axis = 0; axis < 3; axis++)
            place[axis] = 6.0 * random_signed(&random);
        for (int i = 0; i < CORNERS; i++)
            out.mesh.triangles[shell * CORNERS + i] = shell * each + (split ? i : sheet.mesh.triangles[i]);
        for (int i = 0; i < each; i++) {
            const int from = split ? sheet.mesh.triangles[i] : i, vertex = shell * each + i;
            for (int axis = 0; axis < 3; axis++)
                out.mesh.rest[3 * vertex + axis] =
                    (float)(place[axis] + size * (double)sheet.mesh.rest[3 * from + axis]);
            for (int frame = 0; frame < FRAMES; frame++) {
                double turn[3][3];
                nearest_rotation((const double(*)[3])turns[frame][motion], turn);
                for (int axis = 0; axis < 3; axis++) {
                    double sum = shifts[frame][motion][axis];
                    for (int k = 0; k < 3; k++)
                        sum += turn[axis][k] * (double)out.mesh.rest[3 * vertex + k];
                    out.animation.positions[3 * (frame * shells * each + vertex) + axis] = (float)sum;
                }
            }
        }
    }
    return out;
}

TEST(rigid_shells_are_exact)
{
    static const char *const tried[][3] = {{"ssdr"},
                                           {"ssdr", "transforms=affine"},
                                           {"sma"},
                                           {"sma", "transforms=rigid"},
                                           {"sad", "preset=best"},
                                           {"coordinate-descent"},
                                           {"coordinate-descent", "transforms=rigid"}};
    static const int counts[] = {4, 6, 8, 8, 12, 20};
    for (int set = 0; set < SETS; set++) {
        const int shells = counts[set % 6], motions = set < SETS / 2 ? shells : shells / 2 + 1;
        CLEANUP(sequence_clear)
        Sequence sequence = shells_make(100 + (uint64_t)set, shells, motions, set % 3 == 1, set % 4 == 3);
        for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
            int delivered = 0;
            const int iterations = strcmp(tried[i][0], "coordinate-descent") == 0 ? 15 : 5;
            const double error = trial_check(&TRIAL(tried[i][0], motions, 4, iterations, 1, tried[i][1]),
                                             &sequence, NULL, &delivered);
            if (!(error < 5e-4))
                fail_msg("set %d, %d shells of %d motions: %s %s leaves E_RMS %g", set, shells, motions,
                         tried[i][0], tried[i][1] ? tried[i][1] : "", error);
        }
    }
}

/* Returns a copy of a sheet with its vertices in another order and in another unit of length. */
static Sequence sequence_shuffle(const Sequence *from, double unit, uint64_t seed)
{
    const int vertices = from->mesh.vertex_count, frames = from->animation.frame_count;
    Random random = {seed};
    Sequence out = {0};
    assert_ok(mesh_allocate(&out.mesh, vertices, from->mesh.triangle_count));
    assert_ok(animation_allocate(&out.animation, frames, vertices, 0));
    int32_t *order = memory_array((size_t)vertices, sizeof *order);
    for (int i = 0; i < vertices; i++) {
        const int other = (int)(random_unit(&random) * (i + 1));
        order[i] = order[other];
        order[other] = i;
    }
    for (int j = 0; j < vertices; j++)
        for (int axis = 0; axis < 3; axis++) {
            out.mesh.rest[3 * order[j] + axis] = (float)(unit * (double)from->mesh.rest[3 * j + axis]);
            for (int frame = 0; frame < frames; frame++)
                out.animation.positions[3 * (frame * vertices + order[j]) + axis] =
                    (float)(unit * (double)from->animation.positions[3 * (frame * vertices + j) + axis]);
        }
    const int triangles = from->mesh.triangle_count;
    for (int i = 0; i < 3 * triangles; i++)
        out.mesh.triangles[3 * (triangles - 1 - i / 3) + i % 3] = order[from->mesh.triangles[i]];
    memory_free(order);
    return out;
}

/* On a flat sheet many candidates are equally far away. The seeds must still be at the same places for
 * every order and unit. */
TEST(seeds_by_place_heed_neither_order_nor_unit)
{
    CLEANUP(sequence_clear) Sequence sheet = sequence_sheet(12, 12, 1, 1);
    for (uint64_t start = 0; start < 4; start++) {
        double places[2][9][3] = {{{0.0}}};
        for (int variant = 0; variant < 2; variant++) {
            CLEANUP(sequence_clear) Sequence other = sequence_shuffle(&sheet, variant ? 3.1 : 1.0, 5);
            const Sequence *used = variant ? &other : &sheet;
            CLEANUP(seeds_clear) Seeds seeds = {0};
            double rest[3 * 144];
            for (int i = 0; i < 3 * 144; i++)
                rest[i] = (double)used->mesh.rest[i] / (variant ? 3.1 : 1.0);
            assert_ok(seeds_place(&used->mesh, rest, SEEDS_BY_PLACE, 9, start, &seeds));
            assert_int_equal(seeds.count, 9);
            for (int i = 0; i < 81; i++)
                places[variant][i / 9][i % 3] += rest[3 * seeds.corners[i / 3] + i % 3];
        }
        for (int i = 0; i < 27; i++)
            assert_near(places[0][i / 3][i % 3], places[1][i / 3][i % 3], 1e-5);
    }
}

/* The error of the first stage of a fit changes by at most a per cent with another order or unit. */
TEST(first_stages_heed_neither_order_nor_unit)
{
    static const double units[] = {1000.0, 0.001, 3.0};
    CLEANUP(sequence_clear) Sequence sequence = sequence_skinned(16, 12, 8, 6, 0.2, 3);
    const Trial trial = TRIAL("coordinate-descent", 4, 4, 0, 1, NULL);
    const double expected = trial_check(&trial, &sequence, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        CLEANUP(sequence_clear) Sequence other = sequence_shuffle(&sequence, units[i], 7 + (uint64_t)i);
        assert_near(trial_check(&trial, &other, NULL, NULL), expected, 0.01 * expected);
    }
}
