#include "methods/decomposition/coordinate-descent/descent.h"

#include "datasets/base/memory.h"
#include "methods/decomposition/coordinate-descent/rigid.h"

#include <cblas.h>
#include <omp.h>
#include <string.h>

enum { ERROR_BLOCK = 256, TILE = 64 };

Status descent_allocate(Descent *descent, int vertex_count, int bone_count, int influence_count,
                        int dimension, const double *coordinates)
{
    size_t vertices = (size_t)vertex_count, influences = (size_t)influence_count;
    size_t columns = 4 * (size_t)bone_count;
    *descent = (Descent){.vertex_count = vertex_count,
                         .bone_count = bone_count,
                         .influence_count = influence_count,
                         .dimension = dimension,
                         .coordinates = coordinates};
    descent->squared_norms = memory_array(vertices, sizeof(double));
    descent->rest = memory_table(vertices, 3, sizeof(double));
    descent->first_rest = memory_table(vertices, 3, sizeof(double));
    descent->bones = memory_table(vertices, influences, sizeof(int32_t));
    descent->weights = memory_table(vertices, influences, sizeof(double));
    descent->transforms = memory_table(columns, (size_t)dimension, sizeof(double));
    descent->gram = memory_table(columns, columns, sizeof(double));
    descent->errors = memory_array(vertices, sizeof(double));
    if (!descent->squared_norms || !descent->rest || !descent->first_rest || !descent->bones ||
        !descent->weights || !descent->transforms || !descent->gram || !descent->errors) {
        descent_clear(descent);
        return status_out_of_memory("the unknowns of coordinate descent");
    }
    descent_take_coordinates(descent, coordinates, dimension);
    return status_ok();
}

void descent_take_coordinates(Descent *descent, const double *coordinates, int dimension)
{
    descent->coordinates = coordinates;
    descent->dimension = dimension;
#pragma omp parallel for schedule(static)
    for (int j = 0; j < descent->vertex_count; j++) {
        const double *column = coordinates + (ptrdiff_t)j * dimension;
        double sum = 0.0;
        for (int i = 0; i < dimension; i++)
            sum += column[i] * column[i];
        descent->squared_norms[j] = sum;
    }
}

Status descent_leading(const double *coordinates, int vertex_count, int all, double allowed, int *dimension,
                       double *tail)
{
    double *energies = memory_array((size_t)all, sizeof(double));
    if (!energies)
        return status_out_of_memory("the energies of the dimensions");
    for (int j = 0; j < vertex_count; j++)
        for (int i = 0; i < all; i++) {
            double value = coordinates[(ptrdiff_t)j * all + i];
            energies[i] += value * value;
        }
    *tail = 0.0;
    *dimension = all;
    while (*dimension > 1 && *tail + energies[*dimension - 1] <= allowed)
        *tail += energies[--*dimension];
    memory_free(energies);
    return status_ok();
}

void descent_clear(Descent *descent)
{
    memory_free(descent->squared_norms);
    memory_free(descent->rest);
    memory_free(descent->first_rest);
    memory_free(descent->bones);
    memory_free(descent->weights);
    memory_free(descent->transforms);
    memory_free(descent->gram);
    memory_free(descent->errors);
    *descent = (Descent){0};
}

void descent_update_gram(Descent *descent)
{
    if (descent->rigid) {
        rigid_derive(descent);
        return;
    }
    int size = 4 * descent->bone_count, dimension = descent->dimension;
    int tiles = (size + TILE - 1) / TILE;
#pragma omp parallel for schedule(dynamic)
    for (int tile = 0; tile < tiles * tiles; tile++) {
        int row = tile / tiles * TILE, column = tile % tiles * TILE;
        int height = size - row < TILE ? size - row : TILE,
            width = size - column < TILE ? size - column : TILE;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, height, width, dimension, 1.0,
                    descent->transforms + (ptrdiff_t)row * dimension, dimension,
                    descent->transforms + (ptrdiff_t)column * dimension, dimension, 0.0,
                    descent->gram + (ptrdiff_t)row * size + column, size);
    }
}

/* ||Tr x_j - c_j||^2; room [d]. */
static double vertex_error(const Descent *descent, int j, double *room)
{
    int dimension = descent->dimension, influences = descent->influence_count;
    const double *target = descent->coordinates + (ptrdiff_t)j * dimension;
    const double *v = descent->rest + (ptrdiff_t)3 * j;
    for (int i = 0; i < dimension; i++)
        room[i] = -target[i];
    for (int k = 0; k < influences; k++) {
        double weight = descent->weights[(ptrdiff_t)j * influences + k];
        if (weight == 0.0)
            continue;
        const double *map =
            descent->transforms + (ptrdiff_t)4 * descent->bones[(ptrdiff_t)j * influences + k] * dimension;
        const double *map1 = map + dimension, *map2 = map1 + dimension, *map3 = map2 + dimension;
        for (int i = 0; i < dimension; i++)
            room[i] += weight * (v[0] * map[i] + v[1] * map1[i] + v[2] * map2[i] + map3[i]);
    }
    double sum = 0.0;
    for (int i = 0; i < dimension; i++)
        sum += room[i] * room[i];
    return sum;
}

Status descent_squared_error(const Descent *descent, double *squared_error)
{
    int vertices = descent->vertex_count, blocks = (vertices + ERROR_BLOCK - 1) / ERROR_BLOCK;
    size_t dimension = (size_t)descent->dimension;
    double *room = memory_table((size_t)omp_get_max_threads(), dimension, sizeof(double));
    double *parts = memory_array((size_t)blocks, sizeof(double));
    Status status = status_ok();
    if (!room || !parts) {
        status = status_out_of_memory("the error of the vertices");
        goto done;
    }
#pragma omp parallel for schedule(static)
    for (int block = 0; block < blocks; block++)
        for (int j = block * ERROR_BLOCK; j < vertices && j < (block + 1) * ERROR_BLOCK; j++)
            parts[block] += vertex_error(descent, j, room + (size_t)omp_get_thread_num() * dimension);
    *squared_error = 0.0;
    for (int block = 0; block < blocks; block++)
        *squared_error += parts[block];
done:
    memory_free(room);
    memory_free(parts);
    return status;
}
