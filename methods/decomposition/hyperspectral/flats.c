/* Finds the flat (affine subspace) of the bones, starting from the principal directions of the affine maps
 * of neighbourhoods. Then alternates between two linear least-squares problems: the coordinates of the
 * vertices, and the flat itself. */
#include "methods/decomposition/hyperspectral/flats.h"

#include "datasets/geometry/topology.h"
#include "methods/reduction/dense.h"

#include <omp.h>

enum { BLOCK = 64, FLAT_SAMPLE = 16384 };
static const double RIDGE = 1e-10;

/* Fits the map a + L (x - v), stored as [4][d], to a vertex v and its neighbours v_k with targets c_k by
 * least squares:
 *   min sum |a + L (v_k - v) - c_k|^2 + flat |L|^2 r^2
 * Here r^2 is the mean squared distance of the neighbours. The last term makes L small in directions that
 * the neighbours do not determine. */
static Status neighbourhood_map(const Flats *flats, const int32_t *triangles, const Grouping *corners,
                                int vertex, double *map, bool *singular)
{
    static const double FLAT = 1e-3;
    const int d = flats->dimension;
    const double *center = flats->rest + (ptrdiff_t)3 * vertex;
    double normal[16] = {0.0}, spread = 0.0;
    memset(map, 0, 4 * (size_t)d * sizeof *map);
    for (int64_t k = 2 * corners->first[vertex] - 1; k < 2 * corners->first[vertex + 1]; k++) {
        const ptrdiff_t other =
            k < 2 * corners->first[vertex] ? vertex : vertex_neighbour(triangles, corners, k);
        const double *rest = flats->rest + 3 * other, *target = flats->targets + other * d;
        const double arm[4] = {rest[0] - center[0], rest[1] - center[1], rest[2] - center[2], 1.0};
        for (int a = 0; a < 4; a++) {
            for (int b = 0; b <= a; b++)
                normal[4 * a + b] += arm[a] * arm[b];
            for (int i = 0; i < d; i++)
                map[(ptrdiff_t)a * d + i] += arm[a] * target[i];
        }
    }
    for (int a = 0; a < 3; a++)
        spread += normal[5 * a];
    for (int a = 0; a < 3; a++)
        normal[5 * a] += FLAT * spread + 1e-12;
    STATUS_TRY(dense_solve(normal, 4, map, d, singular));
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < d; i++)
            map[(ptrdiff_t)3 * d + i] -= center[a] * map[(ptrdiff_t)a * d + i];
    return status_ok();
}

Status flats_span(Flats *flats, const int32_t *triangles, const Grouping *corners)
{
    const int size = 4 * flats->dimension, every = 1 + (flats->vertex_count - 1) / FLAT_SAMPLE,
              handles = flats->handle_count;
    LOCAL_TABLE(double, block, BLOCK, size, "the affine subspace of the bones");
    LOCAL_TABLE(double, gram, size, size, "the affine subspace of the bones");
    LOCAL_ARRAY(double, mean, size, "the affine subspace of the bones");
    LOCAL_ARRAY(double, values, size, "the affine subspace of the bones");
    OWNED double *directions = NULL;
    double samples = 0.0;
    for (int first = 0; first < flats->vertex_count; first += BLOCK * every) {
        const int count = int_min(BLOCK, (flats->vertex_count - first + every - 1) / every);
        for (int i = 0; i < count; i++) {
            double *map = block + (ptrdiff_t)i * size;
            const double *share = flats->shares + (ptrdiff_t)(first + i * every) * handles;
            bool singular = false;
            if (corners)
                STATUS_TRY(neighbourhood_map(flats, triangles, corners, first + i * every, map, &singular));
            else
                matrix_multiply(1, size, handles, 1.0, matrix_by_rows(share, handles),
                                matrix_by_rows(flats->maps, size), 0.0, map, size);
            for (int k = 0; k < size; k++)
                mean[k] += map[k];
        }
        samples += count;
        matrix_multiply(size, size, count, 1.0, matrix_transposed(block, size), matrix_by_rows(block, size),
                        1.0, gram, size);
    }
    for (int k = 0; k < size; k++)
        mean[k] /= samples;
    for (int k = 0; k < size; k++)
        for (int l = 0; l < size; l++)
            gram[(ptrdiff_t)k * size + l] = gram[(ptrdiff_t)k * size + l] / samples - mean[k] * mean[l];
    const TailRule rule = {.floor = 1e-10, .dimension_max = handles - 1};
    int count = 0;
    if (handles > 1)
        STATUS_TRY(dense_eigen(gram, size, values, tail_rule_choose, &rule, &count, &directions));
    if (!(values[0] > 1e-30))
        count = 0;
    flats->handle_count = 1 + count;
    memcpy(flats->maps, mean, (size_t)size * sizeof *mean);
    for (int h = 0; h < count; h++)
        for (int k = 0; k < size; k++)
            flats->maps[(ptrdiff_t)(1 + h) * size + k] =
                sqrt(fmax(values[h], 0.0)) * directions[(ptrdiff_t)h * size + k];
    return status_ok();
}

Status flats_shares(Flats *flats, double *squared_error)
{
    const int d = flats->dimension, handles = flats->handle_count, dims = handles - 1,
              blocks = (flats->vertex_count + BLOCK - 1) / BLOCK;
    const size_t moved_size = (size_t)handles * (size_t)d, work_size = moved_size + (size_t)(dims * dims);
    LOCAL_TABLE(double, work, flats->threads, work_size, "the weights of the vertices");
    LOCAL_ARRAY(double, errors, blocks, "the weights of the vertices");
    bool failed = false;
#pragma omp parallel for schedule(dynamic) num_threads(flats->threads)
    for (int b = 0; b < blocks; b++)
        for (int v = b * BLOCK; v < int_min(flats->vertex_count, (b + 1) * BLOCK); v++) {
            double *moved = work + (size_t)omp_get_thread_num() * work_size, *normal = moved + moved_size;
            double *share = flats->shares + (ptrdiff_t)v * handles, trace = 0.0;
            const double *rest = flats->rest + (ptrdiff_t)3 * v, *target = flats->targets + (ptrdiff_t)v * d;
            bool singular = false;
            /* compute the image of the vertex under each map; subtract the target from the first image */
            for (int h = 0; h < handles; h++) {
                const double *map = flats->maps + (ptrdiff_t)4 * h * d;
                for (int i = 0; i < d; i++)
                    moved[(ptrdiff_t)h * d + i] =
                        rest[0] * map[i] + rest[1] * map[d + i] + rest[2] * map[2 * d + i] + map[3 * d + i];
            }
            for (int i = 0; i < d; i++)
                moved[i] -= target[i];
            if (dims > 0)
                matrix_multiply(dims, dims, d, 1.0, matrix_by_rows(moved + d, d),
                                matrix_transposed(moved + d, d), 0.0, normal, dims);
            for (int h = 0; h < dims; h++)
                trace += normal[(ptrdiff_t)h * (dims + 1)];
            share[0] = 1.0;
            for (int h = 0; h < dims; h++) {
                normal[(ptrdiff_t)h * (dims + 1)] += RIDGE * trace + 1e-300;
                share[1 + h] = 0.0;
                for (int i = 0; i < d; i++)
                    share[1 + h] -= moved[i] * moved[(ptrdiff_t)(1 + h) * d + i];
            }
            if (dims > 0 && dense_solve(normal, dims, share + 1, 1, &singular).code != STATUS_OK)
#pragma omp atomic write
                failed = true;
            for (int i = 0; i < d; i++) {
                double off = moved[i];
                for (int h = 1; h < handles; h++)
                    off += share[h] * moved[(ptrdiff_t)h * d + i];
                errors[b] += off * off;
            }
        }
    if (failed)
        return status_make(STATUS_SYSTEM, "solving for the coordinates of a vertex failed");
    *squared_error = 0.0;
    for (int b = 0; b < blocks; b++)
        *squared_error += errors[b];
    return status_ok();
}

Status flats_maps(Flats *flats, double *gradient)
{
    const int d = flats->dimension, handles = flats->handle_count, size = 4 * handles;
    LOCAL_TABLE(double, block, BLOCK, size, "the affine subspace of the bones");
    LOCAL_TABLE(double, normal, size, size, "the affine subspace of the bones");
    LOCAL_TABLE(double, right, size, d, "the affine subspace of the bones");
    bool singular = false;
    for (int first = 0; first < flats->vertex_count; first += BLOCK) {
        const int count = int_min(BLOCK, flats->vertex_count - first);
        for (int i = 0; i < count; i++) {
            const double *rest = flats->rest + (ptrdiff_t)3 * (first + i);
            const double *share = flats->shares + (ptrdiff_t)(first + i) * handles;
            for (int h = 0; h < handles; h++)
                for (int a = 0; a < 4; a++)
                    block[(ptrdiff_t)i * size + 4 * h + a] = share[h] * (a < 3 ? rest[a] : 1.0);
        }
        matrix_multiply(size, size, count, 1.0, matrix_transposed(block, size), matrix_by_rows(block, size),
                        1.0, normal, size);
        matrix_multiply(size, d, count, 1.0, matrix_transposed(block, size),
                        matrix_by_rows(flats->targets + (ptrdiff_t)first * d, d), 1.0, right, d);
    }
    if (gradient) {
        memcpy(gradient, right, (size_t)size * (size_t)d * sizeof *gradient);
        matrix_multiply(size, d, size, 1.0, matrix_by_rows(normal, size), matrix_by_rows(flats->maps, d),
                        -1.0, gradient, d);
    }
    memcpy(flats->maps, right, (size_t)size * (size_t)d * sizeof *right);
    STATUS_TRY(dense_solve(normal, size, flats->maps, d, &singular));
    flats->singular_systems += singular;
    return status_ok();
}
