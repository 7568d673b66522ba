/* Tests the rounds that update the rest positions and weights of vertices blended by four bones. The
 * results are compared with the limit of very many plain rounds. */
#include "methods/decomposition/coordinate-descent/vertex_update.h"

#include "methods/decomposition/coordinate-descent/transformations.h"
#include "tests/rigs.h"

enum { VERTICES = 300, BONES = 6, ROWS = 18, INFLUENCES = 4 };

/* Makes a model whose vertices move with the mean of four bones, and whose rest positions and weights are
 * unknown. */
static ReducedModel blend_make(void)
{
    static double coordinates[VERTICES * ROWS];
    ReducedModel model = {0};
    Random random = {11};
    assert_ok(reduced_model_allocate(&model, NULL, VERTICES, BONES, INFLUENCES, ROWS, 2, coordinates));
    for (int i = 0; i < 4 * BONES * ROWS; i++) /* bones with similar motions */
        model.transforms[i] = (i < 4 * ROWS ? 1.0 : 0.2) * random_signed(&random) +
                              (i < 4 * ROWS ? 0.0 : model.transforms[i % (4 * ROWS)]);
    for (int j = 0; j < VERTICES; j++) {
        double v[3];
        for (int i = 0; i < 3; i++) {
            v[i] = random_signed(&random);
            model.rest[3 * j + i] = model.first_rest[3 * j + i] = v[i] + 0.5 * random_signed(&random);
        }
        model.squared_norms[j] = 0.0;
        for (int i = 0; i < ROWS; i++) { /* the target is the mean of four bones' images */
            double value = 0.0;
            for (int k = 0; k < INFLUENCES; k++) {
                const double *map = model.transforms + (ptrdiff_t)4 * ((j + k) % BONES) * ROWS + i;
                value += 0.25 * (map[0] * v[0] + map[ROWS] * v[1] + map[2 * ROWS] * v[2] + map[3 * ROWS]);
            }
            coordinates[j * ROWS + i] = value;
            model.squared_norms[j] += value * value;
        }
        for (int k = 0; k < INFLUENCES; k++) {
            model.bones[j * INFLUENCES + k] = (j + k) % BONES;
            model.weights[j * INFLUENCES + k] = k == 0 ? 0.7 : 0.1;
        }
    }
    transformations_update_gram(&model);
    return model;
}

/* Runs some rounds from a fixed start and stores the error of every vertex in `errors`. Returns the sum of
 * these errors. */
static double errors_after(int rounds, bool extrapolate, double errors[VERTICES])
{
    CLEANUP(reduced_model_clear) ReducedModel model = blend_make();
    const VertexUpdateOptions options = {
        .choice = CHOICE_MIXED, .rest_free = true, .rounds = rounds, .extrapolate = extrapolate};
    assert_ok(vertices_update(&model, &options));
    memcpy(errors, model.errors, sizeof model.errors[0] * VERTICES);
    double sum = reduced_model_sum(&model, errors);
    return sum;
}

TEST(extrapolated_rounds_come_nearer_to_the_limit)
{
    double plain[VERTICES], extrapolated[VERTICES], first[VERTICES];
    double limit = errors_after(1000, false, plain), some = errors_after(8, false, plain);
    assert_true(errors_after(8, true, extrapolated) - limit < 0.3 * (some - limit));
    errors_after(1, true, first);
    for (int j = 0; j < VERTICES; j++)
        assert_true(extrapolated[j] <= first[j]);
}

/* Returns ||T_b v - c||^2, the squared distance of a vertex v moved by bone b from its target c. */
static double bone_miss(const ReducedModel *model, int vertex, int bone)
{
    const double *map = model->transforms + (ptrdiff_t)4 * bone * ROWS,
                 *v = model->rest + (ptrdiff_t)3 * vertex;
    double sum = 0.0;
    for (int i = 0; i < ROWS; i++) {
        double miss = map[i] * v[0] + map[ROWS + i] * v[1] + map[2 * ROWS + i] * v[2] + map[3 * ROWS + i] -
                      model->coordinates[vertex * ROWS + i];
        sum += miss * miss;
    }
    return sum;
}

/* Choosing bones one after another, each by its gain, never gives a larger error than the best single
 * bone. */
TEST(bones_by_gain_are_better_than_the_best_alone)
{
    CLEANUP(reduced_model_clear) ReducedModel model = blend_make();
    const VertexUpdateOptions options = {.choice = CHOICE_GREEDY, .rounds = 1};
    assert_ok(vertices_update(&model, &options));
    for (int j = 0; j < VERTICES; j++) {
        double min = INFINITY, sum = 0.0;
        for (int bone = 0; bone < BONES; bone++)
            min = fmin(min, bone_miss(&model, j, bone));
        assert_true(model.errors[j] <= min * (1.0 + 1e-9));
        for (int k = 0; k < INFLUENCES; k++) {
            assert_true(model.bones[j * INFLUENCES + k] >= 0 && model.bones[j * INFLUENCES + k] < BONES);
            sum += model.weights[j * INFLUENCES + k];
        }
        assert_near(sum, 1.0, 1e-12);
    }
}
