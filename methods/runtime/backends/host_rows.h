/* Results of the loops, lanes side by side, as packed points in file order. Part of host_kernel.c, compiled per
 * method and flavour: Real, KERNEL_LANES and KERNEL_VECTOR are its own. */
#ifndef SKINBENCH_BACKENDS_HOST_ROWS_H
#define SKINBENCH_BACKENDS_HOST_ROWS_H

#include <string.h>

#if defined(__AVX512VL__) && KERNEL_LANES % 16 == 0
#define ROWS_OF_16 1
#include <immintrin.h>
#else
#define ROWS_OF_16 0
#endif

#if KERNEL_VECTOR

/* Lanes that are turned at a time: of each of three components a vector, which may lie anywhere. */
#if ROWS_OF_16
enum { ROW_LANES = 16 };
#else
enum { ROW_LANES = 4 };
#endif
typedef float RowVector __attribute__((vector_size(4 * ROW_LANES), aligned(4), may_alias));

/* The points of ROW_LANES lanes, x, y, z and any fourth value each; that of lane i stands at turned_row(i). */
ALWAYS_INLINE void rows_turn(const Real *lanes, int stride, Real rows[ROW_LANES][4])
{
    const RowVector x = *(const RowVector *)lanes, y = *(const RowVector *)(lanes + stride),
                    z = *(const RowVector *)(lanes + 2 * (ptrdiff_t)stride);
    RowVector *out = (RowVector *)rows;
#if ROWS_OF_16
    const RowVector low =
        __builtin_shufflevector(x, y, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    const RowVector high =
        __builtin_shufflevector(x, y, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    out[0] = __builtin_shufflevector(low, z, 0, 1, 16, 16, 4, 5, 20, 20, 8, 9, 24, 24, 12, 13, 28, 28);
    out[1] = __builtin_shufflevector(low, z, 2, 3, 17, 17, 6, 7, 21, 21, 10, 11, 25, 25, 14, 15, 29, 29);
    out[2] = __builtin_shufflevector(high, z, 0, 1, 18, 18, 4, 5, 22, 22, 8, 9, 26, 26, 12, 13, 30, 30);
    out[3] = __builtin_shufflevector(high, z, 2, 3, 19, 19, 6, 7, 23, 23, 10, 11, 27, 27, 14, 15, 31, 31);
#else
    const RowVector low = __builtin_shufflevector(x, y, 0, 4, 1, 5),
                    high = __builtin_shufflevector(x, y, 2, 6, 3, 7);
    out[0] = __builtin_shufflevector(low, z, 0, 1, 4, 4);
    out[1] = __builtin_shufflevector(low, z, 2, 3, 5, 5);
    out[2] = __builtin_shufflevector(high, z, 0, 1, 6, 6);
    out[3] = __builtin_shufflevector(high, z, 2, 3, 7, 7);
#endif
}

ALWAYS_INLINE int turned_row(int lane)
{
    return lane % 4 * (ROW_LANES / 4) + lane / 4;
}

/* One point: twelve bytes, none beside them. */
ALWAYS_INLINE void row_put(const Real row[4], float *point)
{
#if ROWS_OF_16
    _mm_mask_storeu_ps(point, 7, _mm_load_ps(row));
#else
    memcpy(point, row, 3 * sizeof *point);
#endif
}

/* ROW_LANES points in one run. */
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
    const RowVector low = __builtin_shufflevector(x, y, 0, 4, 1, 5),
                    high = __builtin_shufflevector(x, y, 2, 6, 3, 7);
    const RowVector second = __builtin_shufflevector(low, z, 3, 5, 3, 5);
    out[0] = __builtin_shufflevector(low, z, 0, 1, 4, 2);
    out[1] = __builtin_shufflevector(second, high, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(high, z, 6, 2, 3, 7);
#endif
}

/* Points of a block that are vertices, three components of it. */
ALWAYS_INLINE void block_scatter(const Real *lanes, int stride, int count, const int32_t *vertices,
                                 float *points)
{
    for (int first = 0; first < count; first += ROW_LANES) {
        _Alignas(64) Real rows[ROW_LANES][4];
        rows_turn(lanes + first, stride, rows);
        const int left = count - first, own = left < ROW_LANES ? left : ROW_LANES;
        for (int i = 0; i < own; i++)
            row_put(rows[turned_row(i)], points + 3 * (ptrdiff_t)vertices[first + i]);
    }
}

/* A run of points, block by block: what a block's last lanes write past its vertices, the next block's first ones
 * write again. The last points go one by one. Nothing that is written may alias what the loop reads of `rows`: twice
 * as fast. */
ALWAYS_INLINE void blocks_pack(const HostRows *rows, const Real *lanes, int components, float *points)
{
    int32_t own[KERNEL_LANES];
    for (int i = 0; i < KERNEL_LANES; i++)
        own[i] = i;
    const uint8_t *count = rows->block_vertices;
    float *point = points + 3 * (ptrdiff_t)rows->vertices[0];
    float *const end = point + 3 * (ptrdiff_t)rows->vertex_count;
    for (; end - point >= 3 * KERNEL_LANES;
         lanes += components * KERNEL_LANES, point += 3 * (ptrdiff_t)*count++)
        for (int first = 0; first < KERNEL_LANES; first += ROW_LANES)
            rows_pack(lanes + first, KERNEL_LANES, point + 3 * first);
    for (; point < end; lanes += components * KERNEL_LANES, point += 3 * (ptrdiff_t)*count++)
        block_scatter(lanes, KERNEL_LANES, *count, own, point);
}

ALWAYS_INLINE void blocks_scatter(const HostRows *rows, const Real *lanes, int components, float *points)
{
    const uint8_t *count = rows->block_vertices;
    const int32_t *vertex = rows->vertices, *const end = vertex + rows->vertex_count;
    for (; vertex < end; lanes += components * KERNEL_LANES, vertex += *count++)
        if (*count == KERNEL_LANES)
            block_scatter(lanes, KERNEL_LANES, KERNEL_LANES, vertex, points);
        else
            block_scatter(lanes, KERNEL_LANES, *count, vertex, points);
}

/* Lanes are frames, all of a block. */
ALWAYS_INLINE void frames_scatter(const HostRows *rows, const Real *lanes, int components, float *points)
{
    for (int vertex = 0; vertex < rows->vertex_count; vertex++, lanes += components * FRAME_LANES) {
        float *point = points + 3 * (ptrdiff_t)rows->vertices[vertex];
        for (int first = 0; first < FRAME_LANES; first += ROW_LANES) {
            _Alignas(64) Real turned[ROW_LANES][4];
            rows_turn(lanes + first, FRAME_LANES, turned);
            for (int i = 0; i < ROW_LANES; i++, point += rows->frame_reals)
                row_put(turned[turned_row(i)], point);
        }
    }
}

#endif

/* Any lanes to points of any type, one by one. */
#define POINTS_PUT(name, Target)                                                                             \
    ALWAYS_INLINE void name(const HostRows *rows, const Real *lanes, int components, bool frames,            \
                            Target *points)                                                                  \
    {                                                                                                        \
        const int stride = frames ? FRAME_LANES : KERNEL_LANES;                                              \
        for (int vertex = 0, block = 0, end = 0; vertex < rows->vertex_count; block++) {                     \
            const Real *own =                                                                                \
                lanes + (ptrdiff_t)block * components * stride + (frames ? rows->first_lane : 0);            \
            for (end += frames ? 1 : rows->block_vertices[block]; vertex < end; vertex++, own++) {           \
                Target *point = points + 3 * (ptrdiff_t)rows->vertices[vertex];                              \
                for (int frame = 0; frame < rows->frame_count; frame++, point += rows->frame_reals)          \
                    for (int axis = 0; axis < 3; axis++)                                                     \
                        point[axis] = (Target)own[axis * stride + frame];                                    \
            }                                                                                                \
        }                                                                                                    \
    }
POINTS_PUT(floats_put, float)
POINTS_PUT(doubles_put, double)

/* Positions or normals, whose lanes come first. */
ALWAYS_INLINE void points_put(const HostRows *rows, const Real *lanes, int components, bool frames,
                              void *points)
{
    if (!points)
        return;
    if (rows->doubles)
        doubles_put(rows, lanes, components, frames, points);
#if KERNEL_VECTOR
    else if (frames && rows->first_lane == 0 && rows->frame_count == FRAME_LANES)
        frames_scatter(rows, lanes, components, points);
    else if (!frames && rows->straight)
        blocks_pack(rows, lanes, components, points);
    else if (!frames)
        blocks_scatter(rows, lanes, components, points);
#endif
    else
        floats_put(rows, lanes, components, frames, points);
}

ALWAYS_INLINE void rows_put(const HostRows *rows, bool frames)
{
    const Real *lanes = rows->results;
    const int stride = frames ? FRAME_LANES : KERNEL_LANES;
    if (rows->normals) {
        points_put(rows, lanes, 6, frames, rows->positions);
        points_put(rows, lanes + 3 * stride, 6, frames, rows->normals_out);
    } else {
        points_put(rows, lanes, 3, frames, rows->positions);
    }
}

#endif
