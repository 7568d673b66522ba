/* Products with the matrix of trajectories, by blocks of a fixed size so that sums do not depend on
 * threads. */
#include "methods/reduction/trajectories.h"

#include "datasets/base/memory.h"
#include "methods/reduction/matrix_product.h"

#include <omp.h>
#include <string.h>

enum {
    BLOCK = 256, /* vertices converted at a time */
    TILE = 96    /* rows and columns of a piece of the Gram matrix */
};

static int block_count(int vertex_count)
{
    return (vertex_count + BLOCK - 1) / BLOCK;
}

static int block_size(int vertex_count, int block)
{
    int rest = vertex_count - block * BLOCK;
    return rest < BLOCK ? rest : BLOCK;
}

Status trajectories_make(const Animation *animation, int vertex_count, bool center, int threads,
                         Trajectories *out)
{
    int rows = 3 * animation->frame_count;
    *out =
        (Trajectories){.row_count = rows, .vertex_count = vertex_count, .threads = threads > 1 ? threads : 1};
    out->values = memory_table((size_t)vertex_count, (size_t)rows, sizeof(float));
    out->offset = memory_array((size_t)rows, sizeof(double));
    if (!out->values || !out->offset) {
        trajectories_clear(out);
        return status_out_of_memory("the trajectories of the vertices");
    }
#pragma omp parallel for schedule(static) num_threads(out->threads)
    for (int block = 0; block < block_count(vertex_count); block++)
        for (int frame = 0; frame < animation->frame_count; frame++) {
            const float *from = animation->positions + 3 * (size_t)frame * (size_t)vertex_count;
            for (int j = block * BLOCK; j < block * BLOCK + block_size(vertex_count, block); j++)
                memcpy(out->values + (size_t)j * (size_t)rows + 3 * (size_t)frame, from + 3 * (size_t)j,
                       3 * sizeof(float));
        }
#pragma omp parallel for schedule(static) num_threads(out->threads)
    for (int frame = 0; frame < animation->frame_count; frame++) {
        const float *from = animation->positions + 3 * (size_t)frame * (size_t)vertex_count;
        double sum[3] = {0.0, 0.0, 0.0};
        for (int j = 0; center && j < vertex_count; j++)
            for (int axis = 0; axis < 3; axis++)
                sum[axis] += (double)from[3 * (size_t)j + (size_t)axis];
        for (int axis = 0; axis < 3; axis++)
            out->offset[3 * frame + axis] = sum[axis] / vertex_count;
    }
    return status_ok();
}

void trajectories_clear(Trajectories *trajectories)
{
    memory_free(trajectories->values);
    memory_free(trajectories->offset);
    *trajectories = (Trajectories){0};
}

void trajectories_block(const Trajectories *trajectories, int first, int count, double *block)
{
    int rows = trajectories->row_count;
    const double *offset = trajectories->offset;
    for (int j = 0; j < count; j++) {
        const float *from = trajectories->values + (size_t)(first + j) * (size_t)rows;
        double *to = block + (size_t)j * (size_t)rows;
        for (int i = 0; i < rows; i++)
            to[i] = (double)from[i] - offset[i];
    }
}

static double ordered_sum(const double *values, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

double trajectories_norms(const Trajectories *trajectories, double *norms)
{
    int rows = trajectories->row_count, columns = trajectories->vertex_count;
    const double *offset = trajectories->offset;
#pragma omp parallel for schedule(static) num_threads(trajectories->threads)
    for (int j = 0; j < columns; j++) {
        const float *column = trajectories->values + (size_t)j * (size_t)rows;
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < rows; i++) {
            double value = (double)column[i] - offset[i];
            sum += value * value;
        }
        norms[j] = sum;
    }
    return ordered_sum(norms, columns);
}

void trajectories_project(const Trajectories *trajectories, const double *direction, double *products)
{
    int rows = trajectories->row_count;
    double shift = 0.0;
    for (int i = 0; i < rows; i++)
        shift += direction[i] * trajectories->offset[i];
#pragma omp parallel for schedule(static) num_threads(trajectories->threads)
    for (int j = 0; j < trajectories->vertex_count; j++) {
        const float *column = trajectories->values + (size_t)j * (size_t)rows;
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < rows; i++)
            sum += direction[i] * (double)column[i];
        products[j] = sum - shift;
    }
}

Status trajectories_combine(const Trajectories *trajectories, const double *factors, double *sum)
{
    int rows = trajectories->row_count, columns = trajectories->vertex_count, blocks = block_count(columns);
    double *parts = memory_table((size_t)blocks, (size_t)rows, sizeof(double));
    if (!parts)
        return status_out_of_memory("a combination of trajectories");
#pragma omp parallel for schedule(static) num_threads(trajectories->threads)
    for (int block = 0; block < blocks; block++) {
        double *part = parts + (size_t)block * (size_t)rows;
        for (int j = block * BLOCK; j < block * BLOCK + block_size(columns, block); j++) {
            const float *column = trajectories->values + (size_t)j * (size_t)rows;
            for (int i = 0; i < rows; i++)
                part[i] += factors[j] * ((double)column[i] - trajectories->offset[i]);
        }
    }
    memset(sum, 0, (size_t)rows * sizeof(double));
    for (int block = 0; block < blocks; block++)
        for (int i = 0; i < rows; i++)
            sum[i] += parts[(size_t)block * (size_t)rows + (size_t)i];
    memory_free(parts);
    return status_ok();
}

Status trajectories_mix(const Trajectories *trajectories, int first, int width, const double *factors,
                        int size, double *sums)
{
    int rows = trajectories->row_count, columns = trajectories->vertex_count;
    double *block = memory_table(BLOCK, (size_t)width, sizeof(double));
    if (!block)
        return status_out_of_memory("a block of trajectories");
    for (int from = 0; from < columns; from += BLOCK) {
        int count = columns - from < BLOCK ? columns - from : BLOCK;
        for (int j = 0; j < count; j++) {
            const float *column = trajectories->values + (size_t)(from + j) * (size_t)rows + first;
            for (int i = 0; i < width; i++)
                block[(ptrdiff_t)j * width + i] = (double)column[i] - trajectories->offset[first + i];
        }
        matrix_multiply(size, width, count, 1.0, matrix_transposed(factors + (ptrdiff_t)from * size, size),
                        matrix_by_rows(block, width), from == 0 ? 0.0 : 1.0, sums, rows);
    }
    memory_free(block);
    return status_ok();
}

/* The tile-th pair (row, column), column <= row, of a lower triangle. */
static void tile_find(int tile, int *row, int *column)
{
    *row = 0;
    while (tile > *row)
        tile -= ++*row;
    *column = tile;
}

static int tile_size(int size, int tile)
{
    int rest = size - tile * TILE;
    return rest < TILE ? rest : TILE;
}

/* Adds block^T block, block [count][rows], to the lower tiles of gram [rows][rows]. */
static void gram_add_rows(const double *block, int count, int rows, int threads, double *gram)
{
    int tiles = (rows + TILE - 1) / TILE;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int tile = 0; tile < tiles * (tiles + 1) / 2; tile++) {
        int row = 0, column = 0;
        tile_find(tile, &row, &column);
        matrix_multiply(tile_size(rows, row), tile_size(rows, column), count, 1.0,
                        matrix_transposed(block + (ptrdiff_t)row * TILE, rows),
                        matrix_by_rows(block + (ptrdiff_t)column * TILE, rows), 1.0,
                        gram + (ptrdiff_t)row * TILE * rows + (ptrdiff_t)column * TILE, rows);
    }
}

static Status gram_by_row(const Trajectories *trajectories, double *gram)
{
    enum { CHUNK = 4 * BLOCK };
    int rows = trajectories->row_count, columns = trajectories->vertex_count;
    double *block = memory_table(CHUNK, (size_t)rows, sizeof(double));
    if (!block)
        return status_out_of_memory("a block of trajectories");
    for (int first = 0; first < columns; first += CHUNK) {
        int count = columns - first < CHUNK ? columns - first : CHUNK;
#pragma omp parallel for schedule(static) num_threads(trajectories->threads)
        for (int j = 0; j < count; j++)
            trajectories_block(trajectories, first + j, 1, block + (ptrdiff_t)j * rows);
        gram_add_rows(block, count, rows, trajectories->threads, gram);
    }
    memory_free(block);
    return status_ok();
}

static Status gram_by_vertex(const Trajectories *trajectories, double *gram)
{
    int rows = trajectories->row_count, columns = trajectories->vertex_count;
    int tiles = (columns + TILE - 1) / TILE;
    double *all = memory_table((size_t)columns, (size_t)rows, sizeof(double));
    if (!all)
        return status_out_of_memory("the trajectories in double");
    trajectories_block(trajectories, 0, columns, all);
#pragma omp parallel for schedule(dynamic) num_threads(trajectories->threads)
    for (int tile = 0; tile < tiles * (tiles + 1) / 2; tile++) {
        int row = 0, column = 0;
        tile_find(tile, &row, &column);
        matrix_multiply(tile_size(columns, row), tile_size(columns, column), rows, 1.0,
                        matrix_by_rows(all + (ptrdiff_t)row * TILE * rows, rows),
                        matrix_transposed(all + (ptrdiff_t)column * TILE * rows, rows), 0.0,
                        gram + (ptrdiff_t)row * TILE * columns + (ptrdiff_t)column * TILE, columns);
    }
    memory_free(all);
    return status_ok();
}

Status trajectories_gram(const Trajectories *trajectories, bool by_vertex, double *gram)
{
    return by_vertex ? gram_by_vertex(trajectories, gram) : gram_by_row(trajectories, gram);
}

static double squares_sum(const double *values, ptrdiff_t count)
{
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (ptrdiff_t i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sum;
}

/* How much of a block a basis leaves. */
typedef struct BlockResidual {
    double total; /* squared norm of its columns */
    double left;  /* of what is left of them; the difference of two norms where it need not be explicit */
} BlockResidual;

/* One block: coordinates, and its residual, explicit or into `rest` unless that is NULL; workspace [BLOCK][3F]. */
static BlockResidual coordinates_block(const Trajectories *trajectories, const double *basis, int dimension,
                                       int block, bool is_explicit, double *workspace, double *coordinates,
                                       float *rest)
{
    int rows = trajectories->row_count, first = block * BLOCK;
    int count = block_size(trajectories->vertex_count, block);
    ptrdiff_t size = (ptrdiff_t)count * rows;
    double *part = coordinates + (ptrdiff_t)first * dimension;
    trajectories_block(trajectories, first, count, workspace);
    BlockResidual residual = {.total = squares_sum(workspace, size)};
    matrix_multiply(count, dimension, rows, 1.0, matrix_by_rows(workspace, rows),
                    matrix_transposed(basis, rows), 0.0, part, dimension);
    if (!is_explicit && !rest) {
        residual.left = residual.total - squares_sum(part, (ptrdiff_t)count * dimension);
        return residual;
    }
    matrix_multiply(count, rows, dimension, -1.0, matrix_by_rows(part, dimension),
                    matrix_by_rows(basis, rows), 1.0, workspace, rows);
    residual.left = squares_sum(workspace, size);
    for (ptrdiff_t i = 0; i < size && rest; i++)
        rest[(ptrdiff_t)first * rows + i] = (float)workspace[i];
    return residual;
}

static Status coordinates_fill(const Trajectories *trajectories, const double *basis, int dimension,
                               bool is_explicit, double *coordinates, BlockResidual *residual, float *rest)
{
    int blocks = block_count(trajectories->vertex_count);
    size_t workspace_size = (size_t)BLOCK * (size_t)trajectories->row_count;
    double *workspace = memory_table((size_t)trajectories->threads, workspace_size, sizeof(double));
    BlockResidual *parts = memory_array((size_t)blocks, sizeof *parts);
    Status status = status_ok();
    if (!workspace || !parts) {
        status = status_out_of_memory("blocks of trajectories");
        goto done;
    }
#pragma omp parallel for schedule(dynamic) num_threads(trajectories->threads)
    for (int block = 0; block < blocks; block++)
        parts[block] =
            coordinates_block(trajectories, basis, dimension, block, is_explicit,
                              workspace + (size_t)omp_get_thread_num() * workspace_size, coordinates, rest);
    *residual = (BlockResidual){0};
    for (int block = 0; block < blocks; block++) {
        residual->total += parts[block].total;
        residual->left += parts[block].left;
    }
done:
    memory_free(workspace);
    memory_free(parts);
    return status;
}

Status trajectories_coordinates(const Trajectories *trajectories, const double *basis, int dimension,
                                double *coordinates, double *total, double *left)
{
    const double RESOLVED = 1e-9; /* so much more than rounding is the difference of two norms */
    BlockResidual residual = {0};
    Status status = coordinates_fill(trajectories, basis, dimension, false, coordinates, &residual, NULL);
    if (status.code == STATUS_OK && !(residual.left > RESOLVED * residual.total))
        status = coordinates_fill(trajectories, basis, dimension, true, coordinates, &residual, NULL);
    *total = residual.total;
    *left = residual.left;
    return status;
}

Status trajectories_residual(const Trajectories *trajectories, const double *basis, int dimension,
                             Trajectories *out)
{
    size_t rows = (size_t)trajectories->row_count, vertices = (size_t)trajectories->vertex_count;
    BlockResidual residual = {0};
    double *coordinates = memory_table(vertices, (size_t)dimension, sizeof(double));
    *out = *trajectories;
    out->values = memory_table(vertices, rows, sizeof(float));
    out->offset = memory_array(rows, sizeof(double));
    Status status =
        coordinates && out->values && out->offset
            ? coordinates_fill(trajectories, basis, dimension, true, coordinates, &residual, out->values)
            : status_out_of_memory("the trajectories that are left");
    memory_free(coordinates);
    if (status.code != STATUS_OK)
        trajectories_clear(out);
    return status;
}
