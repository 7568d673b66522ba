/* The loops around a kernel on the host. Compiled once per method and flavour, with these definitions:
 *   KERNEL_HEADER    the method's kernel            KERNEL_VERTEX   the function it defines
 *   KERNEL_OBJECT    the HostKernel to define       KERNEL_LEVEL    its level, a string
 *   KERNEL_LANES     vertices side by side; 1: no vector loops, one loop for any number of influences
 *   KERNEL_ONE_LOOP  (optional) the loop for any number of influences stands in for those of one number each
 * and SKINBENCH_REAL_FLOAT in every flavour but the reference. */
#include "methods/runtime/backends/host_kernel.h"

#include <stddef.h>

#include KERNEL_HEADER

#include "methods/kernel/iterate.kernel.h"

#ifndef KERNEL_VARIANTS
#define KERNEL_VARIANTS 1
#endif
#if KERNEL_VARIANTS > 8
#error "a kernel has at most KERNEL_VARIANTS_MAX variants"
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline, unused))
/* Every loop is a function of its own: the compiler trusts `restrict` only on arguments. */
#define LOOP_FUNCTION static __attribute__((noinline))

#if KERNEL_LANES > 1
#define KERNEL_VECTOR 1
#else
#define KERNEL_VECTOR 0
#endif

#if KERNEL_VECTOR
#define LANES_LOOP _Pragma("omp simd")
#else
#define LANES_LOOP
#endif

/* Hides where a pointer comes from. Without it compilers broadcast a tile's whole palette before its loop,
 * more than there are registers for, and most of it goes to the stack and comes back. */
#define READ_ANEW(pointer) __asm__("" : "+r"(pointer))

ALWAYS_INLINE SkinnedPoint point_load(const Real *rest, int stride, int lane, bool normals)
{
    SkinnedPoint point = {{rest[lane], rest[stride + lane], rest[2 * stride + lane]},
                          {REAL(0.0), REAL(0.0), REAL(0.0)}};
    if (normals)
        point.normal = vec3_make(rest[3 * stride + lane], rest[4 * stride + lane], rest[5 * stride + lane]);
    return point;
}

ALWAYS_INLINE void point_store(SkinnedPoint point, Real *out, int stride, int lane, bool normals)
{
    out[lane] = point.position.x;
    out[stride + lane] = point.position.y;
    out[2 * stride + lane] = point.position.z;
    if (normals) {
        out[3 * stride + lane] = point.normal.x;
        out[4 * stride + lane] = point.normal.y;
        out[5 * stride + lane] = point.normal.z;
    }
}

/* What the kernel reads of a tile; frame_lanes is 1 where lanes are vertices. */
ALWAYS_INLINE KernelView view_of(const HostTask *task, const HostTile *tile, int frame_lanes)
{
    const Real *rest = (const Real *)task->data + tile->data;
    KernelView view;
    view.joint_values = task->joint_values;
    view.joints = task->joints + tile->slot;
    view.weights = rest + (ptrdiff_t)(task->normals ? 6 : 3) * tile->lanes;
    view.set_values =
        (const Real *)task->set_values + (ptrdiff_t)tile->set * task->values_per_set * frame_lanes;
    view.vertex_values = view.weights + (ptrdiff_t)tile->count * tile->lanes;
    view.parameters = task->parameters;
    view.values_per_joint = task->values_per_joint * frame_lanes;
    view.stride = tile->lanes;
    return view;
}

/* The rest positions and normals of a tile whose lanes are vertices: as bound, or as the first phase of
 * two-phase skinning left them. */
ALWAYS_INLINE const Real *points_of(const HostTask *task, const HostTile *tile)
{
    return task->scaled ? (const Real *)task->scaled + tile->lane * (task->normals ? 6 : 3)
                        : (const Real *)task->data + tile->data;
}

/* Points side by side: from rest + i * rest_step to out + i, i < lanes. Lanes are vertices, or the frames of
 * one vertex. `lanes` is a constant, so that nothing is left over for loops of narrower vectors. */
typedef struct Points {
    const Real *rest;
    int rest_stride, rest_step;
    int first_vertex; /* of the view, where lanes are vertices */
    bool frames, normals;
    int out_stride;
} Points;

#define KERNEL_LANE(points, i)                                                                               \
    (points)->frames ? 0 : (points)->first_vertex + (i), (points)->frames ? (i) : 0,                         \
        (points)->frames ? FRAME_LANES : 1

#if KERNEL_VECTOR && defined(KERNEL_ITERATES)

/* The states of the lanes, value by value. */
#define STATE_COUNT_ONE(index, member) +1
enum { STATE_VALUES = 0 KERNEL_STATE_VALUES(STATE_COUNT_ONE) };

ALWAYS_INLINE KERNEL_STATE state_load(Real (*values)[FRAME_LANES], int i)
{
    KERNEL_STATE state;
#define STATE_LOAD(index, member) state.member = values[index][i];
    KERNEL_STATE_VALUES(STATE_LOAD)
    return state;
}

ALWAYS_INLINE void state_store(KERNEL_STATE state, Real (*values)[FRAME_LANES], int i)
{
#define STATE_STORE(index, member) values[index][i] = state.member;
    KERNEL_STATE_VALUES(STATE_STORE)
}

/* All lanes step until none moves. */
ALWAYS_INLINE void lanes_skin(const KernelView *view, const Points *points, Real *restrict out, int lanes,
                              int count, int variant)
{
    const KernelView *const kernel_view = view; /* for KERNEL_STEPS */
    const int most = (int)KERNEL_STEPS;
    _Alignas(64) Real values[STATE_VALUES][FRAME_LANES];
    Real moving = REAL(0.0);
#pragma omp simd reduction(+ : moving)
    for (int i = 0; i < lanes; i++) {
        const KERNEL_STATE state = KERNEL_START(view, KERNEL_LANE(points, i), count, variant);
        state_store(state, values, i);
        moving += state.moves;
    }
    for (int step = 0; step < most && moving > REAL(0.0); step++) {
        moving = REAL(0.0);
#pragma omp simd reduction(+ : moving)
        for (int i = 0; i < lanes; i++) {
            const KERNEL_STATE state =
                KERNEL_STEP(view, KERNEL_LANE(points, i), count, variant, state_load(values, i));
            state_store(state, values, i);
            moving += state.moves;
        }
    }
#pragma omp simd
    for (int i = 0; i < lanes; i++) {
        const SkinnedPoint rest =
            point_load(points->rest, points->rest_stride, i * points->rest_step, points->normals);
        point_store(KERNEL_FINISH(view, KERNEL_LANE(points, i), count, variant, state_load(values, i), rest),
                    out, points->out_stride, i, points->normals);
    }
}

#else

ALWAYS_INLINE void lanes_skin(const KernelView *view, const Points *points, Real *restrict out, int lanes,
                              int count, int variant)
{
    LANES_LOOP
    for (int i = 0; i < lanes; i++) {
        const SkinnedPoint rest =
            point_load(points->rest, points->rest_stride, i * points->rest_step, points->normals);
        point_store(KERNEL_VERTEX(view, KERNEL_LANE(points, i), count, variant, rest), out,
                    points->out_stride, i, points->normals);
    }
}

#endif

/* Lanes are vertices. */
ALWAYS_INLINE void tile_skin(const HostTask *task, const HostTile *tile, Real *restrict out, int count,
                             int variant, bool normals)
{
    KernelView view = view_of(task, tile, 1);
    Points points = {.rest = points_of(task, tile),
                     .rest_stride = tile->lanes,
                     .rest_step = 1,
                     .normals = normals,
                     .out_stride = tile->lanes};
    for (int first = 0; first < tile->lanes; first += KERNEL_LANES) {
        READ_ANEW(view.joint_values);
        READ_ANEW(view.joints);
        lanes_skin(&view, &points, out, KERNEL_LANES, count, variant);
        points.first_vertex += KERNEL_LANES;
        points.rest += KERNEL_LANES;
        out += KERNEL_LANES;
    }
}

/* Lanes are frames. */
ALWAYS_INLINE void tile_skin_frames(const HostTask *task, const HostTile *tile, Real *restrict out, int count,
                                    int variant, bool normals)
{
    KernelView view = view_of(task, tile, FRAME_LANES);
    Points points = {.rest = (const Real *)task->data + tile->data,
                     .rest_stride = tile->lanes,
                     .frames = true,
                     .normals = normals,
                     .out_stride = FRAME_LANES};
    for (int vertex = 0; vertex < tile->vertices; vertex++) {
        lanes_skin(&view, &points, out, FRAME_LANES, count, variant);
        view.weights++;
        view.vertex_values++;
        points.rest++;
        out += (normals ? 6 : 3) * FRAME_LANES;
    }
}

/* Likewise after the first phase, which has moved the vertex differently in each frame. */
ALWAYS_INLINE void tile_skin_scaled_frames(const HostTask *task, const HostTile *tile, Real *restrict out,
                                           int count, int variant, bool normals)
{
    KernelView view = view_of(task, tile, FRAME_LANES);
    const int components = normals ? 6 : 3;
    Points points = {.rest = (const Real *)task->scaled + tile->vertex * components * FRAME_LANES,
                     .rest_stride = FRAME_LANES,
                     .rest_step = 1,
                     .frames = true,
                     .normals = normals,
                     .out_stride = FRAME_LANES};
    for (int vertex = 0; vertex < tile->vertices; vertex++) {
        lanes_skin(&view, &points, out, FRAME_LANES, count, variant);
        view.weights++;
        view.vertex_values++;
        points.rest += components * FRAME_LANES;
        out += components * FRAME_LANES;
    }
}

typedef void (*Loop)(const HostTask *task, const HostTile *tile, Real *restrict out);

/* The same loop for each variant, its number a constant. */
#define VARIANT_CASE(number, loop, count, normals)                                                           \
    case number:                                                                                             \
        if ((number) < KERNEL_VARIANTS)                                                                      \
            loop(task, tile, out, count, (number), normals);                                                 \
        break;
#define LOOP_OF_ALL_VARIANTS(name, loop, count, normals)                                                     \
    LOOP_FUNCTION void name(const HostTask *task, const HostTile *tile, Real *restrict out)                  \
    {                                                                                                        \
        switch (task->set_variants[tile->set]) {                                                             \
            VARIANT_CASE(0, loop, count, normals)                                                            \
            VARIANT_CASE(1, loop, count, normals)                                                            \
            VARIANT_CASE(2, loop, count, normals)                                                            \
            VARIANT_CASE(3, loop, count, normals)                                                            \
            VARIANT_CASE(4, loop, count, normals)                                                            \
            VARIANT_CASE(5, loop, count, normals)                                                            \
            VARIANT_CASE(6, loop, count, normals)                                                            \
            VARIANT_CASE(7, loop, count, normals)                                                            \
        }                                                                                                    \
    }
/* Variant 0 alone, the others by the loop for any count: a method's rare variants are not worth the minutes
 * that a compiler takes to unroll them 16 times. */
#define LOOP_OF_VARIANT_0(name, loop, count, normals, any)                                                   \
    LOOP_FUNCTION void name(const HostTask *task, const HostTile *tile, Real *restrict out)                  \
    {                                                                                                        \
        if (task->set_variants[tile->set] == 0)                                                              \
            loop(task, tile, out, count, 0, normals);                                                        \
        else                                                                                                 \
            any(task, tile, out);                                                                            \
    }
#define LOOPS_OF_FEW(suffix, count)                                                                          \
    LOOP_OF_ALL_VARIANTS(positions_##suffix, tile_skin, count, false)                                        \
    LOOP_OF_ALL_VARIANTS(normals_##suffix, tile_skin, count, true)                                           \
    LOOP_OF_ALL_VARIANTS(frames_positions_##suffix, tile_skin_frames, count, false)                          \
    LOOP_OF_ALL_VARIANTS(frames_normals_##suffix, tile_skin_frames, count, true)
#define LOOPS_OF_MANY(count)                                                                                 \
    LOOP_OF_VARIANT_0(positions_##count, tile_skin, count, false, positions_any)                             \
    LOOP_OF_VARIANT_0(normals_##count, tile_skin, count, true, normals_any)                                  \
    LOOP_OF_VARIANT_0(frames_positions_##count, tile_skin_frames, count, false, frames_positions_any)        \
    LOOP_OF_VARIANT_0(frames_normals_##count, tile_skin_frames, count, true, frames_normals_any)

LOOPS_OF_FEW(any, tile->count)
LOOP_OF_ALL_VARIANTS(scaled_frames_positions, tile_skin_scaled_frames, tile->count, false)
LOOP_OF_ALL_VARIANTS(scaled_frames_normals, tile_skin_scaled_frames, tile->count, true)
#if KERNEL_VECTOR && !defined(KERNEL_ONE_LOOP)
#ifdef KERNEL_ITERATES /* long as it is, it takes minutes with as few as 4 */
LOOPS_OF_MANY(1)
LOOPS_OF_MANY(2)
LOOPS_OF_MANY(3)
LOOPS_OF_MANY(4)
#else
LOOPS_OF_FEW(1, 1)
LOOPS_OF_FEW(2, 2)
LOOPS_OF_FEW(3, 3)
LOOPS_OF_FEW(4, 4)
#endif
LOOPS_OF_MANY(6)
LOOPS_OF_MANY(8)
LOOPS_OF_MANY(12)
LOOPS_OF_MANY(16)
#define LOOPS(kind)                                                                                          \
    {                                                                                                        \
        kind##_any, kind##_1, kind##_2, kind##_3, kind##_4, kind##_6, kind##_8, kind##_12, kind##_16         \
    }
#else
#define LOOPS(kind)                                                                                          \
    {                                                                                                        \
        kind##_any, kind##_any, kind##_any, kind##_any, kind##_any, kind##_any, kind##_any, kind##_any,      \
            kind##_any                                                                                       \
    }
#endif

static void kernel_skin(const HostTask *task)
{
    static const Loop loops[2][LOOP_COUNT] = {LOOPS(positions), LOOPS(normals)};
    const int components = task->normals ? 6 : 3;
    for (int i = 0; i < task->tile_count; i++) {
        const HostTile *tile = &task->tiles[i];
        loops[task->normals][tile->loop](task, tile, (Real *)task->out + tile->lane * components);
    }
}

static void kernel_skin_frames(const HostTask *task)
{
    static const Loop loops[2][LOOP_COUNT] = {LOOPS(frames_positions), LOOPS(frames_normals)};
    static const Loop scaled[2] = {scaled_frames_positions, scaled_frames_normals};
    const int components = task->normals ? 6 : 3;
    for (int i = 0; i < task->tile_count; i++) {
        const HostTile *tile = &task->tiles[i];
        const Loop loop = task->scaled ? scaled[task->normals] : loops[task->normals][tile->loop];
        loop(task, tile, (Real *)task->out + tile->vertex * components * FRAME_LANES);
    }
}

const HostKernel KERNEL_OBJECT = {
    .level = KERNEL_LEVEL,
    .variant_count = KERNEL_VARIANTS,
    .lanes = KERNEL_LANES,
    .skin = kernel_skin,
    .skin_frames = kernel_skin_frames,
};
