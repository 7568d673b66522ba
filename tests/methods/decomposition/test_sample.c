/* Tests fits on a sample of the vertices, which are then spread to all vertices. All vertices have
 * different weights, so that none can start from the weights of its neighbour. */
#include "methods/decomposition/coordinate-descent/sample.h"

#include "methods/decomposition/coordinate-descent/alternation.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "tests/rigs.h"

enum { VERTICES = 2000, BONES = 2, ROWS = 24, INFLUENCES = 2 };

/* Makes a bar. Each vertex blends two bones with random weights, and starts with the heavier of them. */
static double bar_make(ReducedModel *model)
{
    static double coordinates[VERTICES * ROWS];
    double maps[BONES][ROWS][4], squared_error = 0.0;
    Random random = {5};
    assert_ok(reduced_model_allocate(model, NULL, VERTICES, BONES, INFLUENCES, ROWS, 2, coordinates));
    for (int i = 0; i < BONES * ROWS * 4; i++)
        maps[i / 4 / ROWS][i / 4 % ROWS][i % 4] = random_signed(&random);
    for (int j = 0; j < VERTICES; j++) {
        double *v = model->rest + (ptrdiff_t)3 * j, share = 0.5 + 0.5 * random_signed(&random);
        v[0] = 2.0 * j / VERTICES - 1.0;
        v[1] = 0.2 * random_signed(&random);
        v[2] = 0.2 * random_signed(&random);
        memcpy(model->first_rest + (ptrdiff_t)3 * j, v, 3 * sizeof *v);
        model->squared_norms[j] = 0.0;
        for (int i = 0; i < ROWS; i++) {
            double value = 0.0;
            for (int bone = 0; bone < BONES; bone++) {
                const double *row = maps[bone][i];
                value += (bone == 0 ? 1.0 - share : share) *
                         (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3]);
            }
            coordinates[j * ROWS + i] = value;
            model->squared_norms[j] += value * value;
        }
        model->bones[j * INFLUENCES] = share < 0.5 ? 0 : 1;
        model->weights[j * INFLUENCES] = 1.0;
    }
    assert_ok(transformations_solve(model, &squared_error));
    return squared_error;
}

/* After a fit of a sample, its result is spread to all vertices, and every vertex must find its own
 * weights. This must hold on one thread and on two, whether or not a vertex also starts from its previous
 * state. */
TEST(spread_finds_every_vertex)
{
    const VertexUpdateOptions update = {
        .choice = CHOICE_MIXED, .rest_free = true, .rounds = 8, .extrapolate = true};
    for (int from_own = 0; from_own < 2; from_own++) {
        CLEANUP(reduced_model_clear) ReducedModel model = {0};
        CLEANUP(sample_clear) Sample sample = {0};
        CLEANUP(alternation_clear) Alternation alternation = {0};
        double squared_error = 0.0, before = bar_make(&model), found = 0.0;
        assert_ok(sample_init(&sample, &model, 50, 0.0, 0.0));
        assert_in_range(sample.count, 90, 110);
        assert_ok(transformations_solve(&sample.model, &found));
        assert_ok(alternation_make(&alternation, &sample.model, found, 5));
        for (int sweep = 0; sweep < 300; sweep++)
            assert_ok(alternation_sweep(&alternation, &update, true));
        alternation_undo_acceleration(&alternation);
        assert_ok(sample_spread(&sample, &update, from_own, &model, &squared_error));
        assert_true(squared_error < 1e-3 * before);
    }
}

/* A sample with another phase has other vertices, but about as many of every region. */
TEST(phases_choose_other_vertices)
{
    CLEANUP(reduced_model_clear) ReducedModel model = {0};
    CLEANUP(sample_clear) Sample first = {0}, second = {0};
    int common = 0;
    bar_make(&model);
    assert_ok(sample_init(&first, &model, 50, 0.0, 0.0));
    assert_ok(sample_init(&second, &model, 50, 0.5, 0.0));
    assert_in_range(second.count, first.count - 2, first.count + 2);
    for (int i = 0, k = 0; i < first.count && k < second.count;)
        if (first.vertices[i] == second.vertices[k])
            common++, i++, k++;
        else if (first.vertices[i] < second.vertices[k])
            i++;
        else
            k++;
    assert_in_range(common, 0, first.count / 4);
}
