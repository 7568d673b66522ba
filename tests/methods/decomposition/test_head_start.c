/* What a sample finds, brought to vertices whose weights are all different, so that none can start like its
 * neighbour. */
#include "methods/decomposition/coordinate-descent/head_start.h"

#include "datasets/base/clock.h"
#include "methods/decomposition/coordinate-descent/transformations.h"
#include "tests/rigs.h"

#include <string.h>

enum { VERTICES = 2000, BONES = 2, ROWS = 24, INFLUENCES = 2 };

/* Two bones blend a bar by weights drawn for each vertex, and every vertex has the bone that counts more. */
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

/* The error after what a sample of the vertices found has been spread, with no limit or past one. */
static double error_spread(bool is_late, double *before)
{
    const VertexUpdateOptions settling = {
        .choice = CHOICE_MIXED, .rest_free = true, .rounds = 8, .extrapolate = true};
    HeadStartOptions options = {.sweeps = 300,
                                .explore = 2,
                                .starts = 1,
                                .window = 5,
                                .trials = 0,
                                .trial_sweeps = 8,
                                .budget = 1e6,
                                .vertices_per_bone = 50,
                                .settling = settling};
    ReducedModel model = {0};
    HeadStart *start = NULL;
    double unit_s = 1e-6, found = 0.0, squared_error = 0.0;
    *before = bar_make(&model);
    assert_ok(head_start_search(&model, *before, &options, &start, &found, &unit_s));
    assert_non_null(start);
    options.limit_s = is_late ? clock_now_s() - 1.0 : 0.0;
    assert_ok(head_start_spread(start, &options, &model, &squared_error, &unit_s));
    head_start_free(start);
    reduced_model_clear(&model);
    return squared_error;
}

/* In time every vertex finds its own weights; past a limit there is no sweep, and what was found is
 * dropped. */
TEST(spreads_never_lose)
{
    double before = 0.0, in_time = error_spread(false, &before), late = error_spread(true, &before);
    assert_true(in_time < 1e-3 * before);
    assert_true(late <= before * (1.0 + 1e-12));
}
