/* Finds weights that are linear functions of the trajectories (flats_linear_shares). A rig of H bones with
 * maps M_h moves vertex v to the sum of M_h w_h (v, 1). If the 4 H columns of all M_h, over all frames, are
 * linearly independent, each number w_h and w_h v is a linear function of the trajectory. The functions w
 * for which w v is linear, too, are the null space of a small symmetric matrix. They span the weights, and
 * the maps follow by least squares, without a search. On other animations, the H eigenvectors of the
 * smallest eigenvalues are a good start. */
#include "methods/decomposition/hyperspectral/flats.h"

#include "methods/reduction/dense.h"

enum { WEIGHT_SAMPLE = 16384 };

static int choose_count(const double *values, int n, const void *count)
{
    (void)values;
    return int_min(n, *(const int *)count);
}

/* Fills a row with the leading coordinates of a vertex and its rest position, minus `mean`. */
static void features_fill(const Flats *flats, ptrdiff_t vertex, int leading, double rest_scale,
                          const double *mean, double *row)
{
    for (int i = 0; i < leading; i++)
        row[i] = flats->targets[vertex * flats->dimension + i] - mean[i];
    for (int axis = 0; axis < 3; axis++)
        row[leading + axis] = rest_scale * flats->rest[3 * vertex + axis] - mean[leading + axis];
}

Status flats_linear_shares(Flats *flats, bool *found)
{
    static const char what[] = "weights that are linear in the trajectories";
    const int handles = flats->handle_count, wanted = handles - 1,
              leading = int_min(flats->dimension, 4 * handles - 1), features = leading + 3,
              every = 1 + (flats->vertex_count - 1) / WEIGHT_SAMPLE,
              samples = (flats->vertex_count + every - 1) / every;
    *found = false;
    if (wanted < 1)
        return status_ok();
    LOCAL_TABLE(double, rows, samples, features, what);
    LOCAL_TABLE(double, gram, features, features, what);
    LOCAL_ARRAY(double, mean, features, what);
    LOCAL_ARRAY(double, values, features, what);
    OWNED double *directions = NULL;
    /* The rest pose counts as much as all frames together, so that it is among the principal directions. */
    double scale = 0.0, spread = 0.0;
    for (ptrdiff_t v = 0; v < flats->vertex_count; v++) {
        for (int i = 0; i < leading; i++)
            scale += flats->targets[v * flats->dimension + i] * flats->targets[v * flats->dimension + i];
        for (int axis = 0; axis < 3; axis++)
            spread += flats->rest[3 * v + axis] * flats->rest[3 * v + axis];
    }
    scale = sqrt(scale / fmax(spread, 1e-300));
    LOCAL_ARRAY(double, none, features, what);
    for (int i = 0; i < samples; i++) {
        features_fill(flats, (ptrdiff_t)i * every, leading, scale, none, rows + (ptrdiff_t)i * features);
        for (int k = 0; k < features; k++)
            mean[k] += rows[(ptrdiff_t)i * features + k] / samples;
    }
    for (int i = 0; i < samples; i++)
        for (int k = 0; k < features; k++)
            rows[(ptrdiff_t)i * features + k] -= mean[k];
    matrix_multiply(features, features, samples, 1.0, matrix_transposed(rows, features),
                    matrix_by_rows(rows, features), 0.0, gram, features);
    const TailRule rule = {.floor = 1e-11, .dimension_max = int_min(4 * handles - 1, features)};
    int count = 0;
    STATUS_TRY(dense_eigen(gram, features, values, tail_rule_choose, &rule, &count, &directions));
    if (count < wanted || !(values[0] > 0.0))
        return status_ok();
    /* orthonormal functions of the vertices: u = W^T (features - mean) */
    for (int k = 0; k < count; k++)
        for (int i = 0; i < features; i++)
            directions[(ptrdiff_t)k * features + i] /= sqrt(values[k]);
    LOCAL_TABLE(double, u, samples, count, what);
    LOCAL_TABLE(double, turned, samples, count, what);
    LOCAL_TABLE(double, product, count, count, what);
    LOCAL_TABLE(double, left, count, count, what);
    LOCAL_ARRAY(double, sums, count, what);
    matrix_multiply(samples, count, features, 1.0, matrix_by_rows(rows, features),
                    matrix_transposed(directions, features), 0.0, u, count);
    /* left = sum over the axes a of P_a P_a + q_a q_a^T - U^T D_a^2 U, with P_a = U^T D_a U and
     * q_a = U^T D_a 1: minus the squared length of the part of w a that is not linear in the trajectories */
    for (int axis = 0; axis < 3; axis++) {
        memset(sums, 0, (size_t)count * sizeof *sums);
        for (ptrdiff_t i = 0; i < samples; i++)
            for (int k = 0; k < count; k++) {
                turned[i * count + k] = flats->rest[3 * i * every + axis] * u[i * count + k];
                sums[k] += turned[i * count + k];
            }
        matrix_multiply(count, count, samples, 1.0, matrix_transposed(u, count),
                        matrix_by_rows(turned, count), 0.0, product, count);
        matrix_multiply(count, count, samples, -1.0, matrix_transposed(turned, count),
                        matrix_by_rows(turned, count), 1.0, left, count);
        matrix_multiply(count, count, count, 1.0, matrix_by_rows(product, count),
                        matrix_transposed(product, count), 1.0, left, count);
        for (int k = 0; k < count; k++)
            for (int l = 0; l < count; l++)
                left[(ptrdiff_t)k * count + l] += sums[k] * sums[l] / samples;
    }
    OWNED double *functions = NULL;
    int functions_count = 0;
    STATUS_TRY(dense_eigen(left, count, values, choose_count, &wanted, &functions_count, &functions));
    for (ptrdiff_t v = 0; v < flats->vertex_count; v++) {
        double *share = flats->shares + v * handles;
        features_fill(flats, v, leading, scale, mean, none);
        for (int k = 0; k < count; k++) {
            sums[k] = 0.0;
            for (int i = 0; i < features; i++)
                sums[k] += directions[(ptrdiff_t)k * features + i] * none[i];
        }
        share[0] = 1.0;
        for (int h = 0; h < wanted; h++) {
            share[1 + h] = 0.0;
            for (int k = 0; k < count; k++)
                share[1 + h] += sqrt(samples) * functions[(ptrdiff_t)h * count + k] * sums[k];
        }
    }
    *found = true;
    return status_ok();
}
