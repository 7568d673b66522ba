/* Copies trajectories into memory, and computes the products that FESAM Algorithm 1 needs from a matrix in
 * memory. Passes over the matrix are in trajectory_pass.c. */
#include "methods/reduction/trajectories.h"

enum { COPY_BLOCK = 256 /* number of vertices whose trajectories are copied together */ };

/* Copies the trajectories from an animation in memory in blocks of vertices, or else frame by frame. */
static Status values_gather(const Animation *animation, Trajectories *out)
{
    const int vertices = out->vertex_count, frames = animation->frame_count;
    const size_t rows = (size_t)out->row_count;
    LOCAL_TABLE(float, read, animation->positions ? 0 : vertices, 3, "a frame");
    ALLOCATE_TABLE(out->values, vertices, rows, "the trajectories of the vertices");
    for (int f = 0; f < frames && !animation->positions; f++) {
        STATUS_TRY(animation_block(animation, vertices, (PositionBlock){f, 1, 0, vertices}, read));
        for (size_t j = 0; j < (size_t)vertices; j++)
            memcpy(out->values + j * rows + 3 * (size_t)f, read + 3 * j, 3 * sizeof(float));
    }
#pragma omp parallel for schedule(static) num_threads(out->threads)
    for (int first = 0; first < (animation->positions ? vertices : 0); first += COPY_BLOCK)
        for (int f = 0; f < frames; f++) {
            const float *from = animation->positions + 3 * (size_t)f * (size_t)vertices;
            for (int j = first; j < vertices && j < first + COPY_BLOCK; j++)
                memcpy(out->values + (size_t)j * rows + 3 * (size_t)f, from + 3 * (size_t)j,
                       3 * sizeof(float));
        }
    return status_ok();
}

Status trajectories_init(const Animation *animation, int vertex_count, bool center, bool passes_alone,
                         int threads, const Ranks *ranks, const Progress *progress, Trajectories *out)
{
    const int rows = 3 * animation->frame_count;
    *out = (Trajectories){.row_count = rows,
                          .vertex_count = ranks_share(ranks, vertex_count).count,
                          .threads = threads > 1 ? threads : 1,
                          .all_count = vertex_count,
                          .ranks = ranks,
                          .animation = animation,
                          .offset_unknown = center,
                          .progress = progress};
    ALLOCATE(out->offset, rows, "the mean trajectory");
    if ((animation->positions && !passes_alone) || vertex_count < rows) {
        STATUS_TRY(values_gather(animation, out));
        if (center)
            STATUS_TRY(trajectories_pass(out, &(TrajectoryPass){0}));
    }
    return status_ok();
}

void trajectories_block(const Trajectories *trajectories, int first, int count, double *block)
{
    int rows = trajectories->row_count;
    const double *offset = trajectories->offset;
    for (int j = 0; j < count; j++) {
        const float *from = trajectories->values + (size_t)(first + j) * (size_t)rows;
        double *column = block + (size_t)j * (size_t)rows;
        for (int i = 0; i < rows; i++)
            column[i] = (double)from[i] - offset[i];
    }
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
    double sum = 0.0;
    for (int i = 0; i < columns; i++)
        sum += norms[i];
    return sum;
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
    int rows = trajectories->row_count, columns = trajectories->vertex_count,
        blocks = (columns + COPY_BLOCK - 1) / COPY_BLOCK;
    LOCAL_TABLE(double, parts, blocks, rows, "a combination of trajectories");
#pragma omp parallel for schedule(static) num_threads(trajectories->threads)
    for (int block = 0; block < blocks; block++) {
        double *part = parts + (size_t)block * (size_t)rows;
        for (int j = block * COPY_BLOCK; j < columns && j < (block + 1) * COPY_BLOCK; j++) {
            const float *column = trajectories->values + (size_t)j * (size_t)rows;
            for (int i = 0; i < rows; i++)
                part[i] += factors[j] * ((double)column[i] - trajectories->offset[i]);
        }
    }
    memset(sum, 0, (size_t)rows * sizeof(double));
    for (int block = 0; block < blocks; block++)
        for (int i = 0; i < rows; i++)
            sum[i] += parts[(size_t)block * (size_t)rows + (size_t)i];
    return status_ok();
}
