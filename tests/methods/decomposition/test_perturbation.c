/* Tests moves of bones on trial, in a model of four clusters of points that move apart. One bone per
 * cluster would be exact. */
#include "methods/decomposition/coordinate-descent/perturbation.h"

#include "methods/decomposition/coordinate-descent/transformations.h"
#include "tests/rigs.h"

enum { HEAPS = 4, HEAP = 30, VERTICES = HEAPS * HEAP, ROWS = 18 };

typedef struct Heaps {
    double coordinates[VERTICES * ROWS];
    ReducedModel model;
    Alternation alternation;
} Heaps;

/* Sets up a model in which two bones share the first heap and one bone serves two heaps. Sweeps alone
 * cannot change that. */
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

static bool sweeps_count(void *context)
{
    ++*(int *)context;
    return false;
}

static bool heaps_stop(UNUSED void *context)
{
    return true;
}

static void heaps_perturb(Heaps *heaps, int sweeps, bool (*must_stop)(void *context), int *asked)
{
    const VertexUpdateOptions update = {.choice = CHOICE_MIXED, .rounds = 1};
    const PerturbationPlan plan = {
        .sweeps = sweeps, .trial_sweeps = 4, .update = &update, .must_stop = must_stop, .context = asked};
    CLEANUP(perturbation_clear) Perturbation perturbation = {0};
    assert_ok(perturbation_init(&perturbation, HEAPS));
    assert_ok(perturbation_run(&perturbation, &heaps->alternation, &plan));
}

/* A redundant bone is moved to a cluster that has no bone of its own, whatever the number of threads. */
TEST(moved_bones_find_what_sweeps_miss)
{
    double transforms[2][4 * HEAPS * ROWS];
    for (int i = 0; i < 2; i++) {
        CLEANUP(heaps_clear) Heaps heaps = {0};
        int asked = 0;
        heaps_make(&heaps, 1 + 2 * i);
        const double first = heaps.alternation.squared_error;
        heaps_perturb(&heaps, 60, sweeps_count, &asked);
        assert_true(heaps.alternation.squared_error < 1e-9 * first);
        memcpy(transforms[i], heaps.model.transforms, sizeof transforms[i]);
        for (int j = 0; j < VERTICES; j++) /* each cluster has exactly one bone */
            assert_int_equal(heaps.model.bones[j], heaps.model.bones[j / HEAP * HEAP]);
    }
    assert_memory_equal(transforms[0], transforms[1], sizeof transforms[0]);
}

/* A trial makes the requested number of sweeps, and more sweeps never increase the error. */
TEST(more_sweeps_of_trials_never_lose)
{
    const int sweeps[] = {1, 4, 12, 40};
    double min = INFINITY;
    for (int i = 0; i < 4; i++) {
        CLEANUP(heaps_clear) Heaps heaps = {0};
        int asked = 0;
        heaps_make(&heaps, 1);
        const double first = heaps.alternation.squared_error;
        heaps_perturb(&heaps, sweeps[i], sweeps_count, &asked);
        assert_in_range(asked, 1, sweeps[i] + 1);
        assert_true(heaps.alternation.squared_error <=
                    min + 1e-12 * first); /* allows for the rounding of an exact fit */
        min = heaps.alternation.squared_error;
    }
}

TEST(a_stop_changes_nothing)
{
    CLEANUP(heaps_clear) Heaps heaps = {0};
    heaps_make(&heaps, 2);
    const double before = heaps.alternation.squared_error;
    heaps_perturb(&heaps, 40, heaps_stop, NULL);
    assert_near(heaps.alternation.squared_error, before, 0.0);
    assert_int_equal(heaps.model.bones[VERTICES - 1], 3);
}
