/* Packs the results of the loops, which are stored lane by lane, into points in file order. Included by
 * host_loops.c, which is compiled per method and flavour and defines Real and KERNEL_LANES. */
#pragma once

#include "methods/runtime/backends/host_kernel.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline, unused))
/* Every loop is a separate function, because compilers honour `restrict` only on arguments. */
#define LOOP_FUNCTION static __attribute__((noinline))

#if KERNEL_LANES > 1
#define KERNEL_VECTOR 1
#define LANES_LOOP _Pragma("omp simd")
#else
#define KERNEL_VECTOR 0
#define LANES_LOOP
#endif

#if defined(__AVX512VL__) && KERNEL_LANES % 16 == 0
#define ROWS_OF_16 1
#include <immintrin.h>
#else
#define ROWS_OF_16 0
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#endif

#if KERNEL_VECTOR

/* Number of lanes that are transposed together: as many as one register holds. x, y and z each fill one
 * register, which may be loaded from any address. Values that were just computed need not be read again.
 * QUADS lists the indices of a shuffle of four lanes, repeated for each group of four. */
#if ROWS_OF_16
#define ROW_LANES 16
#define ROWS_UNROLL
#define QUADS(a, b, c, d)                                                                                    \
    (a), (b), (c), (d), (a) + 4, (b) + 4, (c) + 4, (d) + 4, (a) + 8, (b) + 8, (c) + 8, (d) + 8, (a) + 12,    \
        (b) + 12, (c) + 12, (d) + 12
#elif defined(__AVX2__) && KERNEL_LANES % 8 == 0
#define ROW_LANES 8
#define ROWS_UNROLL _Pragma("GCC unroll 8")
#define QUADS(a, b, c, d) (a), (b), (c), (d), (a) + 4, (b) + 4, (c) + 4, (d) + 4
#else
#define ROW_LANES 4
#define ROWS_UNROLL _Pragma("GCC unroll 4")
#define QUADS(a, b, c, d) (a), (b), (c), (d)
#endif
typedef float RowVector __attribute__((vector_size(4 * ROW_LANES), aligned(4)));

/* Transposes ROW_LANES lanes into rows of x, y, z and an arbitrary fourth value. Lane i goes to row
 * turned_row(i, ROW_LANES). */
ALWAYS_INLINE void rows_transpose(const Real *lanes, int stride, Real rows[ROW_LANES][ROW_REALS])
{
    enum { OTHER = ROW_LANES };
    const RowVector x = *(const RowVector *)lanes, y = *(const RowVector *)(lanes + stride),
                    z = *(const RowVector *)(lanes + 2 * (ptrdiff_t)stride);
    RowVector *out = (RowVector *)rows;
    const RowVector low = __builtin_shufflevector(x, y, QUADS(0, OTHER, 1, OTHER + 1)),
                    high = __builtin_shufflevector(x, y, QUADS(2, OTHER + 2, 3, OTHER + 3));
    out[0] = __builtin_shufflevector(low, z, QUADS(0, 1, OTHER, OTHER));
    out[1] = __builtin_shufflevector(low, z, QUADS(2, 3, OTHER + 1, OTHER + 1));
    out[2] = __builtin_shufflevector(high, z, QUADS(0, 1, OTHER + 2, OTHER + 2));
    out[3] = __builtin_shufflevector(high, z, QUADS(2, 3, OTHER + 3, OTHER + 3));
}

/* Stores one point, exactly twelve bytes. */
ALWAYS_INLINE void row_store(const Real row[4], float *point)
{
#if ROWS_OF_16
    _mm_mask_storeu_ps(point, 7, _mm_load_ps(row));
#else
    memcpy(point, row, 3 * sizeof *point);
#endif
}

/* Packs ROW_LANES points one after another, without gaps. */
ALWAYS_INLINE void rows_pack(const Real *lanes, int stride, float *points)
{
    const RowVector x = *(const RowVector *)lanes, y = *(const RowVector *)(lanes + stride),
                    z = *(const RowVector *)(lanes + 2 * (ptrdiff_t)stride);
    RowVector *out = (RowVector *)points;
#if ROWS_OF_16
    const RowVector one = __builtin_shufflevector(x, y, 0, 16, 0, 1, 17, 1, 2, 18, 2, 3, 19, 3, 4, 20, 4, 5);
    const RowVector two =
        __builtin_shufflevector(x, y, 21, 5, 6, 22, 6, 7, 23, 7, 8, 24, 8, 9, 25, 9, 10, 26);
    const RowVector three =
        __builtin_shufflevector(x, y, 10, 11, 27, 11, 12, 28, 12, 13, 29, 13, 14, 30, 14, 15, 31, 15);
    out[0] = __builtin_shufflevector(one, z, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
    out[1] = __builtin_shufflevector(two, z, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
    out[2] = __builtin_shufflevector(three, z, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
#else
    /* Shuffle each group of four lanes to x0 x2 y0 y2, y1 y3 z1 z3 and z0 z2 x1 x3. Then shuffle these
     * vectors to twelve floats in order. */
    enum { OTHER = ROW_LANES };
    const RowVector xy = __builtin_shufflevector(x, y, QUADS(0, 2, OTHER, OTHER + 2));
    const RowVector yz = __builtin_shufflevector(y, z, QUADS(1, 3, OTHER + 1, OTHER + 3));
    const RowVector zx = __builtin_shufflevector(z, x, QUADS(0, 2, OTHER + 1, OTHER + 3));
    const RowVector one = __builtin_shufflevector(xy, zx, QUADS(0, 2, OTHER, OTHER + 2));
    const RowVector two = __builtin_shufflevector(yz, xy, QUADS(0, 2, OTHER + 1, OTHER + 3));
    const RowVector three = __builtin_shufflevector(zx, yz, QUADS(1, 3, OTHER + 1, OTHER + 3));
#if ROW_LANES == 8
    out[0] = __builtin_shufflevector(one, two, 0, 1, 2, 3, 8, 9, 10, 11);
    out[1] = __builtin_shufflevector(three, one, 0, 1, 2, 3, 12, 13, 14, 15);
    out[2] = __builtin_shufflevector(two, three, 4, 5, 6, 7, 12, 13, 14, 15);
#else
    out[0] = one;
    out[1] = two;
    out[2] = three;
#endif
#endif
}

#if !ROWS_OF_16
typedef float QuadVector __attribute__((vector_size(16)));
typedef double QuadPairs __attribute__((vector_size(16)));
typedef double PairInMemory __attribute__((aligned(4), may_alias));

/* Stores four points at the indices `vertices`. `low` and `high` each hold x and y of two points. */
ALWAYS_INLINE void quad_scatter(QuadVector low, QuadVector high, QuadVector z, const int32_t *vertices,
                                float *points)
{
    const QuadPairs xy[2] = {(QuadPairs)low, (QuadPairs)high};
    ROWS_UNROLL
    for (int i = 0; i < 4; i++) {
        float *point = points + 3 * (ptrdiff_t)vertices[i];
        *(PairInMemory *)point = xy[i / 2][i % 2];
        point[2] = z[i];
    }
}

/* Stores ROW_LANES points at the indices `vertices`, directly from registers. It would be slow to store a
 * whole row in memory and then read parts of it. */
ALWAYS_INLINE void whole_rows_scatter(const Real *lanes, int stride, const int32_t *vertices, float *points)
{
    enum { OTHER = ROW_LANES };
    const RowVector x = *(const RowVector *)lanes, y = *(const RowVector *)(lanes + stride),
                    z = *(const RowVector *)(lanes + 2 * (ptrdiff_t)stride);
    const RowVector low = __builtin_shufflevector(x, y, QUADS(0, OTHER, 1, OTHER + 1)),
                    high = __builtin_shufflevector(x, y, QUADS(2, OTHER + 2, 3, OTHER + 3));
#define ROWS_QUAD(rows, first)                                                                               \
    __builtin_shufflevector(rows, rows, first, (first) + 1, (first) + 2, (first) + 3)
    quad_scatter(ROWS_QUAD(low, 0), ROWS_QUAD(high, 0), ROWS_QUAD(z, 0), vertices, points);
#if ROW_LANES == 8
    quad_scatter(ROWS_QUAD(low, 4), ROWS_QUAD(high, 4), ROWS_QUAD(z, 4), vertices + 4, points);
#endif
}
#endif

/* Stores the first `count` of ROW_LANES points at the indices `vertices`. */
ALWAYS_INLINE void rows_scatter(const Real *lanes, int stride, int count, const int32_t *vertices,
                                float *points)
{
    _Alignas(64) Real rows[ROW_LANES][4];
#if !ROWS_OF_16
    if (count == ROW_LANES) {
        whole_rows_scatter(lanes, stride, vertices, points);
        return;
    }
#endif
    rows_transpose(lanes, stride, rows);
    ROWS_UNROLL
    for (int i = 0; i < count; i++)
        row_store(rows[turned_row(i, ROW_LANES)], points + 3 * (ptrdiff_t)vertices[i]);
}

/* Packs the first `count` of ROW_LANES points one after another, without gaps. */
ALWAYS_INLINE void rows_pack_some(const Real *lanes, int stride, int count, float *points)
{
#if ROWS_OF_16
    _Alignas(64) float packed[3 * ROW_LANES];
    const uint64_t mask = ((uint64_t)1 << 3 * count) - 1;
    rows_pack(lanes, stride, packed);
    for (int i = 0; i < 3; i++)
        _mm512_mask_storeu_ps(points + 16 * i, (__mmask16)(mask >> 16 * i), _mm512_load_ps(packed + 16 * i));
#else
    static const int32_t indices[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    rows_scatter(lanes, stride, count, indices, points);
#endif
}

/* Stores the `count` vertices of a block as points. `vertex` is the index of the first one in
 * rows->vertices. */
ALWAYS_INLINE void block_store(const HostRows *rows, int vertex, int count, const Real *lanes, float *points)
{
    const int32_t *vertices = rows->vertices + vertex;
    float *run = points + 3 * ((ptrdiff_t)rows->vertices[0] + vertex);
    for (int first = 0; first < KERNEL_LANES && first < count; first += ROW_LANES) {
        const bool all = count - first >= ROW_LANES;
        if (rows->contiguous && all)
            rows_pack(lanes + first, KERNEL_LANES, run + 3 * first);
        else if (rows->contiguous)
            rows_pack_some(lanes + first, KERNEL_LANES, count - first, run + 3 * first);
        else if (all)
            rows_scatter(lanes + first, KERNEL_LANES, ROW_LANES, vertices + first, points);
        else
            rows_scatter(lanes + first, KERNEL_LANES, count - first, vertices + first, points);
    }
}

/* Copies results as whole vectors, so that values that were just stored in `lanes` are taken from
 * registers. */
ALWAYS_INLINE void lanes_copy(const Real *lanes, int count, Real *out)
{
    for (int i = 0; i < count; i += ROW_LANES)
        *(RowVector *)(out + i) = *(const RowVector *)(lanes + i);
}

/* Prefetches an address, which is given as an integer because it may lie outside all arrays. */
ALWAYS_INLINE void line_fetch(uintptr_t address)
{
    __builtin_prefetch((const void *)address, 1); // NOLINT(performance-no-int-to-ptr)
}

/* Prefetches the cache lines of a block's points in the next frame, which will be written soon. The
 * addresses may lie outside the array, because a prefetch reads nothing. */
ALWAYS_INLINE void next_frame_fetch(const HostRows *rows, int vertex, const float *points)
{
    const uintptr_t next = (uintptr_t)points + rows->frame_reals * sizeof *points;
    if (rows->contiguous) {
        const uintptr_t run = next + 3 * sizeof *points * (uintptr_t)(rows->vertices[0] + vertex);
        for (int i = 0; i < 3 * KERNEL_LANES; i += LINE_REALS)
            line_fetch(run + (uintptr_t)i * sizeof *points);
    } else {
        for (int i = 0; i < KERNEL_LANES; i++)
            line_fetch(next + 3 * sizeof *points * (uintptr_t)rows->vertices[vertex + i]);
    }
}

ALWAYS_INLINE void whole_block_store(const HostRows *rows, int vertex, const Real *lanes, float *points)
{
    for (int first = 0; first < KERNEL_LANES; first += ROW_LANES)
        if (rows->contiguous)
            rows_pack(lanes + first, KERNEL_LANES,
                      points + 3 * ((ptrdiff_t)rows->vertices[0] + vertex + first));
        else
            rows_scatter(lanes + first, KERNEL_LANES, ROW_LANES, rows->vertices + vertex + first, points);
}

/* Stores each lane of a block in its row. */
ALWAYS_INLINE void block_rows_store(const HostBlock *block, const Real *lanes, float *rows)
{
    for (int first = 0; first < KERNEL_LANES; first += ROW_LANES)
        rows_transpose(lanes + first, KERNEL_LANES, (Real(*)[ROW_REALS])rows + block->lane + first);
}

/* Stores the results of a block that was just skinned. With `by_lane`, they go to the block's rows.
 * Otherwise the results of a full block go to its points. All other results stay in `out` and are stored at
 * the end of the frame, so that the loop makes no calls and few tests. */
ALWAYS_INLINE void block_deliver(const HostTask *task, const HostBlock *block, const Real *lanes,
                                 bool normals, Real *out)
{
    if (task->rows && task->rows->by_lane) {
        block_rows_store(block, lanes, task->positions);
        if (normals && task->normals_out)
            block_rows_store(block, lanes + 3 * KERNEL_LANES, task->normals_out);
        return;
    }
    if (!task->rows || block->vertex_count < KERNEL_LANES) {
        lanes_copy(lanes, (normals ? 6 : 3) * KERNEL_LANES, out);
        return;
    }
    if (task->positions)
        whole_block_store(task->rows, block->first_vertex, lanes, task->positions);
    if (normals && task->normals_out)
        whole_block_store(task->rows, block->first_vertex, lanes + 3 * KERNEL_LANES, task->normals_out);
    if (task->rows->fetch && task->positions)
        next_frame_fetch(task->rows, block->first_vertex, task->positions);
}

/* Stores the vertices of blocks that have unused lanes. */
LOOP_FUNCTION void tails_store(const HostRows *rows, const HostBlock *blocks, int block_count,
                               const Real *out, int components, float *points)
{
    for (int i = 0; i < block_count; i++)
        if (blocks[i].vertex_count < KERNEL_LANES)
            block_store(rows, blocks[i].first_vertex, blocks[i].vertex_count,
                        out + (ptrdiff_t)blocks[i].lane * components, points);
}

/* Ends a frame of a run: stores the vertices of blocks that are not full, and advances the task to the next
 * frame. */
ALWAYS_INLINE void frame_end(HostTask *task, const HostRun *run, const Real *out, bool normals)
{
    const HostBlock *tails = task->blocks + run->first_block + run->whole_count;
    const int tail_count = run->block_count - run->whole_count, components = normals ? 6 : 3;
    if (!task->rows || task->rows->by_lane)
        return;
    if (task->positions && tail_count > 0)
        tails_store(task->rows, tails, tail_count, out, components, task->positions);
    if (normals && task->normals_out && tail_count > 0)
        tails_store(task->rows, tails, tail_count, out + 3 * KERNEL_LANES, components, task->normals_out);
    task->joint_values = (const Real *)task->joint_values + task->joint_step;
    task->set_values = (const Real *)task->set_values + task->set_step;
    if (task->positions)
        task->positions += task->rows->frame_reals;
    if (normals && task->normals_out)
        task->normals_out += task->rows->frame_reals;
}

ALWAYS_INLINE void blocks_store(const HostRows *rows, const Real *lanes, int components, float *points)
{
    for (int vertex = 0, block = 0; vertex < rows->vertex_count; vertex += rows->block_vertices[block++])
        block_store(rows, vertex, rows->block_vertices[block],
                    lanes + (ptrdiff_t)block * components * KERNEL_LANES, points);
}

#endif

/* Defines a function that stores lanes as points of a given type, one after another. */
#define POINTS_STORE(name, Target)                                                                           \
    ALWAYS_INLINE void name(const HostRows *rows, const Real *lanes, int components, Target *points)         \
    {                                                                                                        \
        for (int vertex = 0, block = 0, end = 0; vertex < rows->vertex_count; block++) {                     \
            const Real *own = lanes + (ptrdiff_t)block * components * KERNEL_LANES;                          \
            for (end += rows->block_vertices[block]; vertex < end; vertex++, own++)                          \
                for (int axis = 0; axis < 3; axis++)                                                         \
                    points[3 * (ptrdiff_t)rows->vertices[vertex] + axis] = (Target)own[axis * KERNEL_LANES]; \
        }                                                                                                    \
    }
#if !KERNEL_VECTOR
POINTS_STORE(floats_store, float)
#endif
POINTS_STORE(doubles_store, double)

/* Stores positions or normals; `lanes` points to their first component. */
ALWAYS_INLINE void points_store(const HostRows *rows, const Real *lanes, int components, void *points)
{
    if (!points)
        return;
    if (rows->doubles)
        doubles_store(rows, lanes, components, points);
    else
#if KERNEL_VECTOR
        blocks_store(rows, lanes, components, points);
#else
        floats_store(rows, lanes, components, points);
#endif
}

static void kernel_rows(const HostRows *rows)
{
    const Real *lanes = rows->results;
    const int components = rows->normals ? 6 : 3;
    points_store(rows, lanes, components, rows->positions);
    if (rows->normals)
        points_store(rows, lanes + 3 * KERNEL_LANES, components, rows->normals_out);
}
