/* The loops around a kernel on the host. Compiled once per method and flavour, with these definitions:
 *   KERNEL_HEADER    the method's kernel            KERNEL_VERTEX   the function it defines
 *   KERNEL_OBJECT    the HostKernel to define       KERNEL_LEVEL    its level, a string
 *   KERNEL_LANES     vertices side by side; 1: no vector loops, one loop for any number of influences
 * and SKINBENCH_REAL_FLOAT in every flavour but the reference. */
#include "methods/backends/host_kernel.h"

#include <stddef.h>

#include KERNEL_HEADER

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
#define LANES_LOOP _Pragma("omp simd")
#else
#define LANES_LOOP
#endif

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
    view.joints = task->joints + task->first_slot[tile->set];
    view.weights = rest + (ptrdiff_t)(task->normals ? 6 : 3) * tile->lanes;
    view.set_values =
        (const Real *)task->set_values + (ptrdiff_t)tile->set * task->values_per_set * frame_lanes;
    view.vertex_values = view.weights + (ptrdiff_t)tile->count * tile->lanes;
    view.parameters = task->parameters;
    view.values_per_joint = task->values_per_joint * frame_lanes;
    view.stride = tile->lanes;
    return view;
}

/* Lanes are vertices. */
ALWAYS_INLINE void tile_skin(const HostTask *task, const HostTile *tile, Real *restrict out, int count,
                             int variant, bool normals)
{
    const KernelView view = view_of(task, tile, 1);
    const Real *rest = (const Real *)task->data + tile->data;
    const int stride = tile->lanes;
    const int lanes = KERNEL_LANES > 1 ? tile->lanes : tile->vertices;
    LANES_LOOP
    for (int lane = 0; lane < lanes; lane++) {
        SkinnedPoint point = point_load(rest, stride, lane, normals);
        point_store(KERNEL_VERTEX(&view, lane, 0, 1, count, variant, point), out, stride, lane, normals);
    }
}

/* Lanes are frames. */
ALWAYS_INLINE void tile_skin_frames(const HostTask *task, const HostTile *tile, Real *restrict out, int count,
                                    int variant, bool normals)
{
    KernelView view = view_of(task, tile, FRAME_LANES);
    const Real *rest = (const Real *)task->data + tile->data;
    const int components = normals ? 6 : 3;
    for (int vertex = 0; vertex < tile->vertices; vertex++) {
        const SkinnedPoint point = point_load(rest, tile->lanes, vertex, normals);
        LANES_LOOP
        for (int frame = 0; frame < FRAME_LANES; frame++)
            point_store(KERNEL_VERTEX(&view, 0, frame, FRAME_LANES, count, variant, point), out, FRAME_LANES,
                        frame, normals);
        view.weights++;
        view.vertex_values++;
        out += components * FRAME_LANES;
    }
}

/* The same loop for each variant, its number a constant. */
#define VARIANT_CASE(number, loop, count, normals)                                                           \
    case number:                                                                                             \
        loop(task, tile, out, count, (number) < KERNEL_VARIANTS ? (number) : 0, normals);                    \
        break;
#if KERNEL_VARIANTS > 1
#define VARIANTS_1(...) VARIANT_CASE(1, __VA_ARGS__)
#else
#define VARIANTS_1(...)
#endif
#if KERNEL_VARIANTS > 2
#define VARIANTS_2(...) VARIANT_CASE(2, __VA_ARGS__)
#else
#define VARIANTS_2(...)
#endif
#if KERNEL_VARIANTS > 3
#define VARIANTS_3(...) VARIANT_CASE(3, __VA_ARGS__)
#else
#define VARIANTS_3(...)
#endif
#if KERNEL_VARIANTS > 4
#define VARIANTS_4(...) VARIANT_CASE(4, __VA_ARGS__)
#else
#define VARIANTS_4(...)
#endif
#if KERNEL_VARIANTS > 5
#define VARIANTS_5(...) VARIANT_CASE(5, __VA_ARGS__) VARIANT_CASE(6, __VA_ARGS__) VARIANT_CASE(7, __VA_ARGS__)
#else
#define VARIANTS_5(...)
#endif
#define VARIANT_SWITCH(...)                                                                                  \
    switch (task->set_variants[tile->set]) {                                                                 \
        VARIANTS_1(__VA_ARGS__)                                                                              \
        VARIANTS_2(__VA_ARGS__)                                                                              \
        VARIANTS_3(__VA_ARGS__)                                                                              \
        VARIANTS_4(__VA_ARGS__)                                                                              \
        VARIANTS_5(__VA_ARGS__)                                                                              \
    default:                                                                                                 \
        loop_variant_0(__VA_ARGS__);                                                                         \
    }
#define loop_variant_0(loop, count, normals) loop(task, tile, out, count, 0, normals)

#define LOOP(name, loop, count, normals)                                                                     \
    LOOP_FUNCTION void name(const HostTask *task, const HostTile *tile, Real *restrict out)                  \
    {                                                                                                        \
        VARIANT_SWITCH(loop, count, normals)                                                                 \
    }
#define LOOPS_OF_COUNT(suffix, count)                                                                        \
    LOOP(positions_##suffix, tile_skin, count, false)                                                        \
    LOOP(normals_##suffix, tile_skin, count, true)                                                           \
    LOOP(frames_positions_##suffix, tile_skin_frames, count, false)                                          \
    LOOP(frames_normals_##suffix, tile_skin_frames, count, true)

typedef void (*Loop)(const HostTask *task, const HostTile *tile, Real *restrict out);

LOOPS_OF_COUNT(any, tile->count)
#if KERNEL_LANES > 1
LOOPS_OF_COUNT(1, 1)
LOOPS_OF_COUNT(2, 2)
LOOPS_OF_COUNT(3, 3)
LOOPS_OF_COUNT(4, 4)
#define LOOPS(kind)                                                                                          \
    {                                                                                                        \
        kind##_any, kind##_1, kind##_2, kind##_3, kind##_4                                                   \
    }
#else
#define LOOPS(kind)                                                                                          \
    {                                                                                                        \
        kind##_any, kind##_any, kind##_any, kind##_any, kind##_any                                           \
    }
#endif

static void kernel_skin(const HostTask *task)
{
    static const Loop loops[2][5] = {LOOPS(positions), LOOPS(normals)};
    const int components = task->normals ? 6 : 3;
    for (int i = 0; i < task->tile_count; i++) {
        const HostTile *tile = &task->tiles[i];
        loops[task->normals][tile->count <= 4 ? tile->count : 0](task, tile,
                                                                 (Real *)task->out + tile->lane * components);
    }
}

static void kernel_skin_frames(const HostTask *task)
{
    static const Loop loops[2][5] = {LOOPS(frames_positions), LOOPS(frames_normals)};
    const int components = task->normals ? 6 : 3;
    for (int i = 0; i < task->tile_count; i++) {
        const HostTile *tile = &task->tiles[i];
        loops[task->normals][tile->count <= 4 ? tile->count : 0](
            task, tile, (Real *)task->out + tile->vertex * components * FRAME_LANES);
    }
}

const HostKernel KERNEL_OBJECT = {
    .level = KERNEL_LEVEL,
    .variant_count = KERNEL_VARIANTS,
    .skin = kernel_skin,
    .skin_frames = kernel_skin_frames,
};
