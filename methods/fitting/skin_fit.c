/* Allocates a fit of bones and weights, and measures its error. */
#include "methods/fitting/skin_fit.h"

#include "datasets/base/memory.h"

#include <omp.h>

enum { BLOCK = 256 };

Status skin_fit_make(const DecompositionInput *input, const DecompositionOptions *options, SkinFit *fit)
{
    size_t vertices = (size_t)input->mesh->vertex_count, influences = (size_t)options->influences;
    *fit = (SkinFit){.input = input,
                     .vertex_count = input->mesh->vertex_count,
                     .influence_count = options->influences,
                     .threads = options->threads};
    Status status;
    STATUS_TRY(trajectories_make(input->animation, fit->vertex_count, true, fit->threads, &fit->target));
    fit->rest = memory_table(vertices, 3, sizeof(double));
    fit->bones = memory_table(vertices, influences, sizeof(int32_t));
    fit->weights = memory_table(vertices, influences, sizeof(double));
    if (!fit->rest || !fit->bones || !fit->weights) {
        status = status_out_of_memory("the weights of the vertices");
        goto done;
    }
    fit->units = rest_normalize(input->mesh, fit->rest);
done:
    if (status.code != STATUS_OK)
        skin_fit_clear(fit);
    return status;
}

void skin_fit_clear(SkinFit *fit)
{
    trajectories_clear(&fit->target);
    memory_free(fit->rest);
    memory_free(fit->maps);
    memory_free(fit->bones);
    memory_free(fit->weights);
    *fit = (SkinFit){0};
}

/* ||sum_k w_k M_k v - a||^2 of one vertex; room [3F]. */
static double vertex_error(const SkinFit *fit, int j, double *room)
{
    int rows = fit->target.row_count, influences = fit->influence_count;
    const double *v = fit->rest + (ptrdiff_t)3 * j;
    double sum = 0.0, excess = -1.0;
    trajectories_block(&fit->target, j, 1, room);
    for (int k = 0; k < influences; k++) {
        double weight = fit->weights[(ptrdiff_t)j * influences + k];
        if (weight == 0.0)
            continue;
        const double *map = fit->maps + (ptrdiff_t)4 * fit->bones[(ptrdiff_t)j * influences + k] * rows;
        const double *map1 = map + rows, *map2 = map1 + rows, *map3 = map2 + rows;
        for (int i = 0; i < rows; i++)
            room[i] -= weight * (v[0] * map[i] + v[1] * map1[i] + v[2] * map2[i] + map3[i]);
        excess += weight;
    }
    /* Rounded weights do not quite sum to 1, and the delivered maps have the offset in them. */
    for (int i = 0; i < rows; i++)
        room[i] -= excess * fit->target.offset[i];
    for (int i = 0; i < rows; i++)
        sum += room[i] * room[i];
    return sum;
}

Status skin_fit_error(const SkinFit *fit, double *squared_error)
{
    int vertices = fit->vertex_count, blocks = (vertices + BLOCK - 1) / BLOCK;
    size_t rows = (size_t)fit->target.row_count;
    double *room = memory_table((size_t)fit->threads, rows, sizeof(double));
    double *parts = memory_array((size_t)blocks, sizeof(double));
    Status status = status_ok();
    if (!room || !parts) {
        status = status_out_of_memory("the error of the vertices");
        goto done;
    }
#pragma omp parallel for schedule(static) num_threads(fit->threads)
    for (int block = 0; block < blocks; block++)
        for (int j = block * BLOCK; j < vertices && j < (block + 1) * BLOCK; j++)
            parts[block] += vertex_error(fit, j, room + (size_t)omp_get_thread_num() * rows);
    *squared_error = 0.0;
    for (int block = 0; block < blocks; block++)
        *squared_error += parts[block];
done:
    memory_free(room);
    memory_free(parts);
    return status;
}
