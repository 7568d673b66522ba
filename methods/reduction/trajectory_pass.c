/* Passes over the trajectories, slab by slab. Threads share the work by tiles of rows and blocks of
 * vertices. The sums of fixed blocks of vertices are added in twice the precision. All results are computed
 * in this file, because one pass may compute several of them. */
#include "methods/reduction/trajectories.h"

#include "datasets/base/exact_sum.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/slabs.h"

#include <omp.h>

enum {
    PASS_BLOCK = 256, /* number of vertices converted to double together */
    TILE = 96         /* rows in one tile of a product; a multiple of 3, so that frames stay whole */
};

static int sum_block(const Trajectories *trajectories)
{
    return ranks_block_size(trajectories->all_count > 0 ? trajectories->all_count
                                                        : trajectories->vertex_count);
}

/* Copies columns `first` to first + count - 1 of a slab [F][slab count][3] to a block whose columns are
 * `stride` numbers apart, and subtracts `shift`. Only `width` rows are copied, starting at `row`. A few
 * frames are copied together, so that writes are close to each other in memory. */
static void frames_transpose(const Slab *slab, int first, int count, int row, int width, const double *shift,
                             double *block, int stride)
{
    const float *frames =
        slab->positions + 3 * ((size_t)(row / 3) * (size_t)slab->count + (size_t)(first - slab->first));
    for (int j = 0; j < count; j++) {
        const float *from = frames + 3 * (size_t)j;
        double *column = block + (ptrdiff_t)j * stride;
        for (int i = 0; i < width; i += 3, from += 3 * (size_t)slab->count)
            for (int axis = 0; axis < 3; axis++)
                column[i + axis] = (double)from[axis] - shift[i + axis];
    }
}

/* Copies rows `row` to row + width - 1 of columns `first` to first + count - 1 to `block` [count][width].
 * Subtracts the offset (if not NULL) and the projection on the known basis. The columns come from the
 * matrix if it is in memory, otherwise from the slab. */
static void columns_gather(const Trajectories *trajectories, const Slab *slab, int first, int count, int row,
                           int width, const double *offset, double *block)
{
    static const double zeros[TILE];
    const size_t rows = (size_t)trajectories->row_count;
    if (slab->positions)
        for (int i = 0; i < width; i += TILE)
            frames_transpose(slab, first, count, row + i, int_min(TILE, width - i),
                             offset ? offset + row + i : zeros, block + i, width);
    else
        for (int j = 0; j < count; j++) {
            const float *from = trajectories->values + (size_t)(first + j) * rows + row;
            double *column = block + (ptrdiff_t)j * width;
            for (int i = 0; i < width; i++)
                column[i] = offset ? (double)from[i] - offset[row + i] : (double)from[i];
        }
    if (trajectories->known > 0 && offset)
        matrix_multiply(
            count, width, trajectories->known, -1.0,
            matrix_by_rows(trajectories->known_coordinates + (ptrdiff_t)first * trajectories->known,
                           trajectories->known),
            matrix_by_rows(trajectories->known_basis + row, trajectories->row_count), 1.0, block, width);
}

/* State of a pass between slabs. */
typedef struct PassState {
    TrajectoryPass *pass;
    double *sums,
        *rests; /* [size + 1][3F] sums and their rounding errors: `size` rows for the pass, and one more
                             row for the sum of all columns */
    int size;
    double *gram_rests;
    ExactSum residual[2]; /* exact sums of `total` and `left` of the pass */
} PassState;

/* ---- sums [d][3F], and means ---- */

/* Adds the contributions of a slab's vertices to the sums of the pass, in tiles of rows. */
static Status slab_sums(const Trajectories *trajectories, const Slab *slab, const PassState *state)
{
    const TrajectoryPass *pass = state->pass;
    const int size = state->size, step = sum_block(trajectories), end = slab->first + slab->count;
    const int rows = trajectories->row_count, all = size + (trajectories->offset_unknown ? 1 : 0);
    const double *offset = trajectories->offset_unknown || pass->is_sketch ? NULL : trajectories->offset;
    const size_t workspace_size = ((size_t)PASS_BLOCK + (size_t)size + 1) * TILE;
    LOCAL_TABLE(double, workspace, trajectories->threads, workspace_size, "blocks of trajectories");
#pragma omp parallel for schedule(dynamic) num_threads(trajectories->threads)
    for (int row = 0; row < rows; row += TILE) {
        const int width = int_min(TILE, rows - row);
        double *block = workspace + (size_t)omp_get_thread_num() * workspace_size;
        double *terms = block + (ptrdiff_t)PASS_BLOCK * width, *ones = terms + (ptrdiff_t)size * width;
        for (int start = slab->first; start < end; start += step) {
            const int stop = int_min(start + step, end);
            memset(ones, 0, (size_t)width * sizeof *ones);
            for (int first = start; first < stop; first += PASS_BLOCK) {
                const int count = int_min(PASS_BLOCK, stop - first);
                columns_gather(trajectories, slab, first, count, row, width, offset, block);
                if (size > 0)
                    matrix_multiply(size, width, count, 1.0,
                                    matrix_transposed(pass->coordinates + (ptrdiff_t)first * size, size),
                                    matrix_by_rows(block, width), first == start ? 0.0 : 1.0, terms, width);
                for (int j = 0; j < count && trajectories->offset_unknown; j++)
                    for (int i = 0; i < width; i++)
                        ones[i] += block[(ptrdiff_t)j * width + i];
            }
            for (int k = 0; k < all; k++) {
                const ptrdiff_t entry = (ptrdiff_t)k * rows + row;
                exact_sums_add(state->sums + entry, state->rests + entry, terms + (ptrdiff_t)k * width,
                               width);
            }
        }
    }
    return status_ok();
}

/* Computes the offset if it was unknown, and subtracts it from the sums of a sketch. */
static Status sums_finish(Trajectories *trajectories, const PassState *state)
{
    const TrajectoryPass *pass = state->pass;
    const int rows = trajectories->row_count, size = state->size, step = sum_block(trajectories);
    const ptrdiff_t ones = (ptrdiff_t)size * rows;
    LOCAL_ARRAY(double, weights, size, "the mean trajectory");
    LOCAL_ARRAY(double, rests, size, "the mean trajectory");
    LOCAL_ARRAY(double, terms, size, "the mean trajectory");
    ranks_sum(trajectories->ranks, state->sums, state->rests, ones + rows);
    if (trajectories->offset_unknown)
        for (int i = 0; i < rows; i++)
            trajectories->offset[i] = state->sums[ones + i] / trajectories->all_count;
    trajectories->offset_unknown = false;
    if (!pass->sums)
        return status_ok();
    memcpy(pass->sums, state->sums, (size_t)ones * sizeof *pass->sums);
    for (int start = 0; start < trajectories->vertex_count && pass->is_sketch; start += step) {
        memset(terms, 0, (size_t)size * sizeof *terms);
        for (int j = start; j < int_min(start + step, trajectories->vertex_count); j++)
            for (int k = 0; k < size; k++)
                terms[k] += pass->coordinates[(ptrdiff_t)j * size + k];
        exact_sums_add(weights, rests, terms, size);
    }
    if (pass->is_sketch)
        ranks_sum(trajectories->ranks, weights, rests, size);
    for (int k = 0; k < size && pass->is_sketch; k++)
        for (int i = 0; i < rows; i++)
            pass->sums[(ptrdiff_t)k * rows + i] -= weights[k] * trajectories->offset[i];
    return status_ok();
}

/* ---- coordinates ---- */

static double squares_sum(const double *values, ptrdiff_t count)
{
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (ptrdiff_t i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sum;
}

/* Computes coordinates of a slab's vertices, and adds the squared norms of their columns before and after
 * projection on the basis to `total` and `left`. */
static Status slab_coordinates(const Trajectories *trajectories, const Slab *slab, PassState *state)
{
    enum { NUMBERS = 1 << 16, LEAST = 16 };
    const TrajectoryPass *pass = state->pass;
    const int rows = trajectories->row_count, dimension = pass->dimension;
    const int end = slab->first + slab->count, blocks = (slab->count + PASS_BLOCK - 1) / PASS_BLOCK;
    int chunk = PASS_BLOCK;
    while (chunk > LEAST && chunk > NUMBERS / rows)
        chunk /= 2;
    const size_t workspace_size = (size_t)chunk * (size_t)rows;
    LOCAL_TABLE(double, workspace, trajectories->threads, workspace_size, "blocks of trajectories");
    LOCAL_TABLE(double, parts, blocks, 2, "blocks of trajectories");
#pragma omp parallel for schedule(dynamic) num_threads(trajectories->threads)
    for (int block = 0; block < blocks; block++) {
        const int last = int_min(slab->first + (block + 1) * PASS_BLOCK, end);
        double *columns = workspace + (size_t)omp_get_thread_num() * workspace_size;
        for (int first = slab->first + block * PASS_BLOCK; first < last; first += chunk) {
            const int count = int_min(chunk, last - first);
            double *part = pass->coordinates + (ptrdiff_t)first * dimension;
            columns_gather(trajectories, slab, first, count, 0, rows, trajectories->offset, columns);
            const double total = squares_sum(columns, (ptrdiff_t)count * rows);
            matrix_multiply(count, dimension, rows, 1.0, matrix_by_rows(columns, rows),
                            matrix_transposed(pass->basis, rows), 0.0, part, dimension);
            if (pass->is_explicit)
                matrix_multiply(count, rows, dimension, -1.0, matrix_by_rows(part, dimension),
                                matrix_by_rows(pass->basis, rows), 1.0, columns, rows);
            parts[2 * block] += total;
            parts[2 * block + 1] += pass->is_explicit
                                        ? squares_sum(columns, (ptrdiff_t)count * rows)
                                        : total - squares_sum(part, (ptrdiff_t)count * dimension);
        }
    }
    for (int i = 0; i < 2 * blocks; i++)
        exact_sum_add(&state->residual[i % 2], parts[i]);
    return status_ok();
}

/* ---- Gram matrices ---- */

/* Converts the index of a tile of a lower triangle to its row and column, column <= row. */
static void tile_find(int tile, int *row, int *column)
{
    *row = 0;
    while (tile > *row)
        tile -= ++*row;
    *column = tile;
}

/* Adds columns^T columns, for columns [count][rows], to the lower tiles of gram [rows][rows]. The product
 * is summed in blocks of `step` columns, and the rounding errors are added to `rests`. */
static Status gram_add(const double *columns, int count, int step, int rows, int threads, double *gram,
                       double *rests)
{
    const int tiles = (rows + TILE - 1) / TILE;
    LOCAL_TABLE(double, workspace, threads, TILE *TILE, "the Gram matrix");
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int tile = 0; tile < tiles * (tiles + 1) / 2; tile++) {
        double *terms = workspace + (ptrdiff_t)omp_get_thread_num() * TILE * TILE;
        int row = 0, column = 0;
        tile_find(tile, &row, &column);
        const int height = int_min(TILE, rows - row * TILE), width = int_min(TILE, rows - column * TILE);
        for (int first = 0; first < count; first += step) {
            const double *block = columns + (ptrdiff_t)first * rows;
            matrix_multiply(height, width, int_min(step, count - first), 1.0,
                            matrix_transposed(block + (ptrdiff_t)row * TILE, rows),
                            matrix_by_rows(block + (ptrdiff_t)column * TILE, rows), 0.0, terms, width);
            for (int i = 0; i < height; i++) {
                const ptrdiff_t entry = ((ptrdiff_t)row * TILE + i) * rows + (ptrdiff_t)column * TILE;
                exact_sums_add(gram + entry, rests + entry, terms + (ptrdiff_t)i * width, width);
            }
        }
    }
    return status_ok();
}

static Status slab_gram(const Trajectories *trajectories, const Slab *slab, const TrajectoryPass *pass,
                        double *rests)
{
    enum { COLUMNS = 2048 }; /* number of columns converted together, a multiple of the block */
    const int rows = trajectories->row_count, step = sum_block(trajectories), end = slab->first + slab->count;
    const int together = 32, max = int_min(COLUMNS / step * step, slab->count);
    LOCAL_TABLE(double, columns, max, rows, "a block of trajectories");
    for (int start = slab->first; start < end; start += max) {
        const int count = int_min(max, end - start);
#pragma omp parallel for schedule(static) num_threads(trajectories->threads)
        for (int j = 0; j < count; j += together)
            columns_gather(trajectories, slab, start + j, int_min(together, count - j), 0, rows,
                           trajectories->offset, columns + (ptrdiff_t)j * rows);
        STATUS_TRY(gram_add(columns, count, step, rows, trajectories->threads, pass->gram, rests));
    }
    return status_ok();
}

Status coordinates_gram(const Trajectories *trajectories, const double *coordinates, int dimension,
                        double *gram)
{
    const size_t size = (size_t)dimension * (size_t)dimension;
    LOCAL_ARRAY(double, rests, size, "the Gram matrix");
    memset(gram, 0, size * sizeof *gram);
    STATUS_TRY(gram_add(coordinates, trajectories->vertex_count, sum_block(trajectories), dimension,
                        trajectories->threads, gram, rests));
    ranks_sum(trajectories->ranks, gram, rests, (ptrdiff_t)size);
    return status_ok();
}

/* The sums are formed for PIECE rows together. For these rows, every rank collects the values of all
 * vertices. */
Status trajectories_gram_by_vertex(const Trajectories *trajectories, double *gram)
{
    enum { PIECE = 8 * TILE };
    const int rows = trajectories->row_count, vertices = trajectories->vertex_count;
    const int all = trajectories->all_count > 0 ? trajectories->all_count : vertices;
    const int tiles = (all + TILE - 1) / TILE;
    const Slab slab = {.count = vertices};
    LOCAL_TABLE(double, part, vertices, PIECE, "the trajectories in double precision");
    LOCAL_TABLE(double, piece, all, PIECE, "the trajectories in double precision");
    for (int row = 0; row < rows; row += PIECE) {
        const int width = int_min(PIECE, rows - row);
#pragma omp parallel for schedule(static) num_threads(trajectories->threads)
        for (int j = 0; j < vertices; j += 32)
            columns_gather(trajectories, &slab, j, int_min(32, vertices - j), row, width,
                           trajectories->offset, part + (ptrdiff_t)j * width);
        ranks_gather(trajectories->ranks, all, (size_t)width * sizeof *part, part, piece);
#pragma omp parallel for schedule(dynamic) num_threads(trajectories->threads)
        for (int tile = 0; tile < tiles * (tiles + 1) / 2; tile++) {
            int i = 0, j = 0;
            tile_find(tile, &i, &j);
            matrix_multiply(int_min(TILE, all - i * TILE), int_min(TILE, all - j * TILE), width, 1.0,
                            matrix_by_rows(piece + (ptrdiff_t)i * TILE * width, width),
                            matrix_transposed(piece + (ptrdiff_t)j * TILE * width, width),
                            row == 0 ? 0.0 : 1.0, gram + (ptrdiff_t)i * TILE * all + (ptrdiff_t)j * TILE,
                            all);
        }
    }
    return status_ok();
}

/* ---- a pass ---- */

static Status slab_process(const Trajectories *trajectories, const Slab *slab, PassState *state)
{
    const TrajectoryPass *pass = state->pass;
    if (pass->basis)
        STATUS_TRY(slab_coordinates(trajectories, slab, state));
    if (state->sums)
        STATUS_TRY(slab_sums(trajectories, slab, state));
    if (pass->gram)
        STATUS_TRY(slab_gram(trajectories, slab, pass, state->gram_rests));
    if (pass->some) {
        const int before = ranks_share(trajectories->ranks, trajectories->all_count).first + slab->first;
        const int every = pass->every, first = (before + every - 1) / every,
                  end = (before + slab->count + every - 1) / every;
        const size_t rows = (size_t)trajectories->row_count;
#pragma omp parallel for schedule(static) num_threads(trajectories->threads)
        for (int frame = 0; frame < trajectories->row_count / 3; frame++) {
            const float *from = slab->positions + 3 * (size_t)frame * (size_t)slab->count;
            for (int some = first; some < end; some++)
                memcpy(pass->some + (size_t)some * rows + 3 * (size_t)frame,
                       from + 3 * ((size_t)some * (size_t)every - (size_t)before), 3 * sizeof(float));
        }
    }
    return status_ok();
}

static Status slabs_process(Trajectories *trajectories, PassState *state)
{
    OWNED_BY(slabs_close) Slabs *slabs = NULL;
    Slab slab = {.count = trajectories->vertex_count};
    double read_s = 0.0, waited_s = 0.0;
    if (trajectories->values)
        return slab_process(trajectories, &slab, state);
    STATUS_TRY(
        slabs_open(trajectories->animation, trajectories->vertex_count, sum_block(trajectories), &slabs));
    trajectories->passes += trajectories->animation->positions ? 0 : 1;
    for (;;) {
        STATUS_TRY(slabs_next(slabs, &slab));
        if (slab.count == 0)
            break;
        STATUS_TRY(slab_process(trajectories, &slab, state));
        if (!trajectories->animation->positions && progress_stopped(trajectories->progress))
            return status_make(STATUS_STOPPED, "stopped during the reduction, before there was a model");
    }
    slabs_times(slabs, &read_s, &waited_s);
    trajectories->read_s += read_s;
    trajectories->waited_s += waited_s;
    return status_ok();
}

static void pass_state_clear(PassState *state)
{
    FREE_ALL(state->sums, state->gram_rests);
}

Status trajectories_pass(Trajectories *trajectories, TrajectoryPass *pass)
{
    const size_t rows = (size_t)trajectories->row_count;
    CLEANUP(pass_state_clear)
    PassState state = {.pass = pass, .size = pass->sums ? pass->dimension : 0};
    if (trajectories->all_count == 0)
        trajectories->all_count = trajectories->vertex_count;
    if (trajectories->offset_unknown && (pass->basis || pass->gram || (pass->sums && !pass->is_sketch)))
        STATUS_TRY(trajectories_pass(trajectories, &(TrajectoryPass){0}));
    if (pass->sums || trajectories->offset_unknown) {
        ALLOCATE_TABLE(state.sums, 2 * ((size_t)state.size + 1), rows, "sums of trajectories");
        state.rests = state.sums + ((size_t)state.size + 1) * rows;
    }
    if (pass->gram) {
        ALLOCATE_TABLE(state.gram_rests, rows, rows, "the Gram matrix");
        memset(pass->gram, 0, rows * rows * sizeof(double));
    }
    STATUS_TRY(slabs_process(trajectories, &state));
    if (state.sums)
        STATUS_TRY(sums_finish(trajectories, &state));
    if (pass->gram)
        ranks_sum(trajectories->ranks, pass->gram, state.gram_rests, (ptrdiff_t)(rows * rows));
    double values[2] = {state.residual[0].sum, state.residual[1].sum};
    double rests[2] = {state.residual[0].rest, state.residual[1].rest};
    if (pass->basis)
        ranks_sum(trajectories->ranks, values, rests, 2);
    pass->total = values[0];
    pass->left = values[1];
    return status_ok();
}

void trajectories_clear(Trajectories *trajectories)
{
    FREE_ALL(trajectories->values, trajectories->offset, trajectories->known_coordinates);
    *trajectories = (Trajectories){0};
}

Status trajectories_some(Trajectories *all, int every, Trajectories *out)
{
    UNDO_ON_FAILURE(trajectories_clear) Trajectories *unfinished = out;
    const int count = (all->all_count - 1) / every + 1;
    *out = (Trajectories){.row_count = all->row_count,
                          .vertex_count = count,
                          .all_count = count,
                          .threads = all->threads,
                          .offset_unknown = all->offset_unknown};
    ALLOCATE(out->offset, all->row_count, "a sample of the trajectories");
    ALLOCATE_TABLE(out->values, count, all->row_count, "a sample of the trajectories");
    STATUS_TRY(
        slabs_process(all, &(PassState){.pass = &(TrajectoryPass){.some = out->values, .every = every}}));
    if (ranks_are_many(all->ranks)) {
        /* each rank fills in its own columns and leaves the others zero */
        const size_t rows = (size_t)all->row_count;
        LOCAL_TABLE(double, sums, 2, rows, "a sample of the trajectories");
        for (size_t j = 0; j < (size_t)count; j++) {
            for (size_t i = 0; i < rows; i++)
                sums[i] = (double)out->values[j * rows + i];
            memset(sums + rows, 0, rows * sizeof *sums);
            ranks_sum(all->ranks, sums, sums + rows, (ptrdiff_t)rows);
            for (size_t i = 0; i < rows; i++)
                out->values[j * rows + i] = (float)sums[i];
        }
    }
    if (out->offset_unknown)
        STATUS_TRY(trajectories_pass(out, &(TrajectoryPass){0}));
    unfinished = NULL;
    return status_ok();
}

Status trajectories_coordinates(Trajectories *trajectories, const double *basis, int dimension,
                                double *coordinates, double *total, double *left)
{
    TrajectoryPass pass = {.basis = basis, .dimension = dimension, .coordinates = coordinates};
    STATUS_TRY(trajectories_pass(trajectories, &pass));
    pass.is_explicit = true;
    if (!(pass.left > TRAJECTORIES_RESOLVED * pass.total))
        STATUS_TRY(trajectories_pass(trajectories, &pass));
    *total = pass.total;
    *left = pass.left;
    return status_ok();
}

Status trajectories_deflate(Trajectories *trajectories, const double *basis, int dimension)
{
    double total = 0.0, left = 0.0, *coordinates;
    memory_release(&trajectories->known_coordinates);
    trajectories->known = 0;
    if (dimension == 0)
        return status_ok();
    coordinates = memory_table((size_t)trajectories->vertex_count, (size_t)dimension, sizeof *coordinates);
    Status status = coordinates
                        ? trajectories_coordinates(trajectories, basis, dimension, coordinates, &total, &left)
                        : status_out_of_memory("the remaining trajectories");
    trajectories->known_basis = basis;
    trajectories->known_coordinates = coordinates;
    trajectories->known = status.code == STATUS_OK ? dimension : 0;
    return status;
}
