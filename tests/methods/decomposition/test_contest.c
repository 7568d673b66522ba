/* A contest of starts on four heaps of points that move apart from each other: what has a bone for each of
 * them is exact. */
#include "methods/decomposition/coordinate-descent/contest.h"

#include "datasets/base/clock.h"
#include "methods/decomposition/coordinate-descent/reseed.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "tests/rigs.h"
#include "tests/sequences.h"

enum { HEAPS = 4, HEAP = 30, VERTICES = HEAPS * HEAP, ROWS = 18 };

typedef struct Heaps {
    double coordinates[VERTICES * ROWS];
    ReducedModel model;
    Alternation alternation;
} Heaps;

/* Two bones share the first heap, one has two heaps: no sweep gets them out of there. */
static void heaps_make(Heaps *heaps, int threads)
{
    static const int misled[HEAPS] = {0, 2, 3, 3};
    double maps[HEAPS][ROWS][4], squared_error = 0.0;
    Random random = {7};
    ReducedModel *model = &heaps->model;
    assert_ok(reduced_model_allocate(model, NULL, VERTICES, HEAPS, 1, ROWS, threads, heaps->coordinates));
    for (int i = 0; i < HEAPS * ROWS * 4; i++)
        maps[i / 4 / ROWS][i / 4 % ROWS][i % 4] = random_signed(&random);
    for (int j = 0; j < VERTICES; j++) {
        double *v = model->rest + 3 * j;
        for (int axis = 0; axis < 3; axis++)
            v[axis] = model->first_rest[3 * j + axis] =
                0.2 * random_signed(&random) + (axis == j / HEAP % 2 ? (j / HEAP < 2 ? -1.0 : 1.0) : 0.0);
        model->squared_norms[j] = 0.0;
        for (int i = 0; i < ROWS; i++) {
            const double *row = maps[j / HEAP][i];
            double value = row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3];
            heaps->coordinates[j * ROWS + i] = value;
            model->squared_norms[j] += value * value;
        }
        model->bones[j] = j < HEAP ? j % 2 : misled[j / HEAP];
        model->weights[j] = 1.0;
    }
    assert_ok(transformations_solve(model, &squared_error));
    assert_ok(alternation_make(&heaps->alternation, model, squared_error, 5));
}

static void heaps_clear(Heaps *heaps)
{
    alternation_clear(&heaps->alternation);
    reduced_model_clear(&heaps->model);
}

static bool end_never(const void *context, double share)
{
    (void)context;
    (void)share;
    return true;
}

static ContestOptions options_of(int starts)
{
    return (ContestOptions){.starts = starts,
                            .sweeps = 6,
                            .explore = 2,
                            .window = 5,
                            .may_go_on = end_never,
                            .settling = {.choice = CHOICE_MIXED, .rounds = 1}};
}

TEST(other_starts_find_what_the_first_misses)
{
    Heaps heaps = {0};
    double errors[3], transforms[2][4 * HEAPS * ROWS];
    heaps_make(&heaps, 1);
    double first = heaps.alternation.squared_error;
    const ContestOptions alone = options_of(1), many = options_of(6);
    assert_ok(contest_run(&heaps.alternation, &alone));
    errors[0] = heaps.alternation.squared_error;
    heaps_clear(&heaps);
    for (int i = 0; i < 2; i++) {
        heaps_make(&heaps, 1 + 2 * i);
        assert_ok(contest_run(&heaps.alternation, &many));
        errors[1 + i] = heaps.alternation.squared_error;
        memcpy(transforms[i], heaps.model.transforms, sizeof transforms[i]);
        for (int j = 0; j < VERTICES; j++) /* a heap, a bone */
            assert_int_equal(heaps.model.bones[j], heaps.model.bones[j / HEAP * HEAP]);
        heaps_clear(&heaps);
    }
    assert_true(errors[0] > 0.1 * first);
    assert_true(errors[1] < 1e-9 * first);
    assert_memory_equal(transforms[0], transforms[1], sizeof transforms[0]); /* whatever the threads */
}

/* Generations of two, four and eight starts: each that more time allows leaves the winner as it is, or a
 * better one. */
TEST(more_generations_never_lose)
{
    Heaps heaps = {0};
    const int starts[] = {1, 2, 6, 14};
    double least = INFINITY, first = 0.0;
    for (int i = 0; i < 4; i++) {
        ContestOptions options = options_of(starts[i]);
        options.entry_s = clock_now_s() + 1e6;
        heaps_make(&heaps, 2);
        first = heaps.alternation.squared_error;
        assert_ok(contest_run(&heaps.alternation, &options));
        assert_true(heaps.alternation.squared_error <= least);
        least = heaps.alternation.squared_error;
        heaps_clear(&heaps);
    }
    assert_true(least < 1e-9 * first);
}

/* Past both deadlines the first start is all there is, as it was. */
TEST(late_contest_changes_nothing)
{
    Heaps heaps = {0};
    ContestOptions late = options_of(6);
    late.entry_s = late.deadline_s = 1e-9;
    heaps_make(&heaps, 2);
    double before = heaps.alternation.squared_error;
    assert_ok(contest_run(&heaps.alternation, &late));
    assert_near(heaps.alternation.squared_error, before, 0.0);
    assert_int_equal(heaps.model.bones[VERTICES - 1], 3);
    heaps_clear(&heaps);
}

static bool sweeps_count(const void *context, double share)
{
    int *asked = *(int *const *)context;
    assert_true(share >= 0.0 && share <= 1.0);
    ++*asked;
    return false;
}

/* Trials keep to their sweeps, and more of these never leave more error. */
TEST(more_sweeps_of_trials_never_lose)
{
    const VertexUpdateOptions settling = {.choice = CHOICE_MIXED, .rounds = 1};
    const int sweeps[] = {1, 4, 12, 40};
    double least = INFINITY;
    for (int i = 0; i < 4; i++) {
        Heaps heaps = {0};
        Reseed reseed;
        int asked = 0, made = 0, *counter = &asked;
        const ReseedPlan plan = {.trials = 3,
                                 .sweeps = sweeps[i],
                                 .trial_sweeps = 4,
                                 .settling = &settling,
                                 .must_end = sweeps_count,
                                 .context = &counter};
        heaps_make(&heaps, 1);
        assert_ok(reseed_make(&reseed, &heaps.alternation));
        assert_ok(reseed_run(&reseed, &plan, &made));
        assert_true(made >= 1 && made <= sweeps[i] && asked <= made + 1);
        assert_true(heaps.alternation.squared_error <= least);
        least = heaps.alternation.squared_error;
        reseed_clear(&reseed);
        heaps_clear(&heaps);
    }
}
