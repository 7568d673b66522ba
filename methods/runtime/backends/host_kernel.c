/* The loops around a kernel on the host. Compiled once per method and flavour, with these definitions:
 *   KERNEL_HEADER       the method's kernel            KERNEL_VERTEX   the function it defines
 *   KERNEL_OBJECT       the HostKernel to define       KERNEL_LEVEL    its level, a string
 *   KERNEL_LANES        vertices side by side; 1: no vector loops, one loop for any number of influences
 *   KERNEL_FRAME_LANES  frames side by side, where lanes are frames: a divisor of FRAME_LANES
 *   KERNEL_ONE_LOOP     (optional) the loop for any number of influences stands in for those of one number each
 * and SKINBENCH_REAL_FLOAT in every flavour but the reference. */
#include "methods/runtime/backends/host_kernel.h"

#include <stddef.h>

#include KERNEL_HEADER

#include "methods/kernel/iterate.kernel.h"

#ifndef KERNEL_VARIANTS
#define KERNEL_VARIANTS 1
#endif
#if KERNEL_VARIANTS > 5
#error "a kernel has at most KERNEL_VARIANTS_MAX variants"
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline, unused))
/* Every loop is a function of its own: the compiler trusts `restrict` only on arguments. */
#define LOOP_FUNCTION static __attribute__((noinline))

#if KERNEL_LANES > 1
#define KERNEL_VECTOR 1
#define LANES_LOOP _Pragma("omp simd")
#else
#define KERNEL_VECTOR 0
#define LANES_LOOP
#endif

#include "methods/runtime/backends/host_rows.h"

/* Hides where a value comes from. Without it compilers broadcast a tile's whole palette before its loop, more
 * than there are registers for, and most of it goes to the stack and comes back; and they unroll the loop over
 * the parts of a block of frames, which only makes code. */
#define READ_ANEW(value) __asm__("" : "+r"(value))

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

/* What the kernel reads of a tile's first block of `lanes`; frame_lanes is 1 where lanes are vertices. */
ALWAYS_INLINE KernelView view_of(const HostTask *task, const HostTile *tile, int lanes, int count,
                                 bool normals, int frame_lanes)
{
    const Real *rest = (const Real *)task->data + tile->data;
    KernelView view;
    view.joint_values = task->joint_values;
    view.joints = task->joints + tile->slot;
    view.weights = rest + (ptrdiff_t)(normals ? 6 : 3) * lanes;
    view.set_values =
        (const Real *)task->set_values + (ptrdiff_t)tile->set * task->values_per_set * frame_lanes;
    view.vertex_values = view.weights + (ptrdiff_t)count * lanes;
    view.parameters = task->parameters;
    view.values_per_joint = task->values_per_joint * frame_lanes;
    view.stride = lanes;
    return view;
}

/* KERNEL_LANES points side by side: vertices, or the frames of one vertex. Lane i's rest point is
 * rest + i * rest_step, whose components lie rest_stride apart. */
typedef struct Points {
    const Real *rest;
    int rest_stride, rest_step;
    bool frames, normals;
    int out_stride;
} Points;

#define KERNEL_LANE(points, i)                                                                               \
    (points)->frames ? 0 : (i), (points)->frames ? (i) : 0, (points)->frames ? FRAME_LANES : 1

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

/* Lanes are vertices. Rest positions and normals are as bound, or as the first phase of two-phase skinning
 * left them. */
ALWAYS_INLINE void vertices_skin(const HostTask *task, const HostTile *tile, Real *restrict out, int count,
                                 int variant, bool normals)
{
    const int components = normals ? 6 : 3;
    const ptrdiff_t block = (ptrdiff_t)KERNEL_LANES * (components + count + task->values_per_vertex);
    KernelView view = view_of(task, tile, KERNEL_LANES, count, normals, 1);
    const ptrdiff_t lane = tile->lane - task->tiles->lane;
    Points points = {.rest = task->scaled ? (const Real *)task->scaled + lane * components
                                          : (const Real *)task->data + tile->data,
                     .rest_stride = KERNEL_LANES,
                     .rest_step = 1,
                     .normals = normals,
                     .out_stride = KERNEL_LANES};
    for (int first = 0; first < tile->lanes; first += KERNEL_LANES) {
        READ_ANEW(view.joint_values);
        READ_ANEW(view.joints);
        lanes_skin(&view, &points, out, KERNEL_LANES, count, variant);
        view.weights += block;
        view.vertex_values += block;
        points.rest += task->scaled ? components * KERNEL_LANES : block;
        out += components * KERNEL_LANES;
    }
}

/* Lanes are frames. The first phase, where `scaled`, has moved the vertex differently in each frame. */
ALWAYS_INLINE void frames_skin(const HostTask *task, const HostTile *tile, Real *restrict out, int count,
                               int variant, bool normals, bool scaled)
{
    const int components = normals ? 6 : 3;
    const ptrdiff_t vertex_reals = components + count + task->values_per_vertex;
    KernelView view = view_of(task, tile, 1, count, normals, FRAME_LANES);
    const ptrdiff_t lane = tile->lane - task->tiles->lane;
    Points points = {.rest = scaled ? (const Real *)task->scaled + lane * components * FRAME_LANES
                                    : (const Real *)task->data + tile->data,
                     .rest_stride = scaled ? FRAME_LANES : 1,
                     .rest_step = scaled ? 1 : 0,
                     .frames = true,
                     .normals = normals,
                     .out_stride = FRAME_LANES};
    for (int first = 0; first < FRAME_LANES; first += KERNEL_FRAME_LANES) {
        KernelView own = view;
        Points own_points = points;
        Real *restrict own_out = out + first;
        if (KERNEL_FRAME_LANES < FRAME_LANES)
            READ_ANEW(first);
        own.joint_values += first;
        own.set_values += first;
        own_points.rest += scaled ? first : 0;
        for (int vertex = 0; vertex < tile->vertices; vertex++) {
            lanes_skin(&own, &own_points, own_out, KERNEL_FRAME_LANES, count, variant);
            own.weights += vertex_reals;
            own.vertex_values += vertex_reals;
            own_points.rest += scaled ? components * FRAME_LANES : vertex_reals;
            own_out += components * FRAME_LANES;
        }
    }
}

ALWAYS_INLINE void variant_skin(const HostTask *task, const HostTile *tile, Real *restrict out, bool frames,
                                bool normals, int count, int variant, bool scaled)
{
    if (frames)
        frames_skin(task, tile, out, count, variant, normals, scaled);
    else
        vertices_skin(task, tile, out, count, variant, normals);
}

/* Counts of influences up to this have their loop in every variant; more influences of a variant other than 0 are
 * rare and share loop 0, in which the variant is no constant. So do, as they would take long to compile, kernels
 * that iterate, and blocks of frames. */
ALWAYS_INLINE int counts_of_variants(bool frames)
{
#ifdef KERNEL_ITERATES
    (void)frames;
    return 0;
#else
    return frames ? 0 : 4;
#endif
}

/* `count` influences and, where lanes are frames, no first phase; 0: any number of them, any variant, either
 * phase. */
ALWAYS_INLINE void tile_skin(const HostTask *task, const HostTile *tile, int variant, Real *restrict out,
                             bool frames, bool normals, int count)
{
    const int influences = count > 0 ? count : tile->count;
    const bool scaled = count == 0 && task->scaled;
    if (KERNEL_VARIANTS == 1 || variant == 0 || count > counts_of_variants(frames))
        variant_skin(task, tile, out, frames, normals, influences, 0, scaled);
    else if (count == 0)
        variant_skin(task, tile, out, frames, normals, influences, variant, scaled);
    else if (variant == 1)
        variant_skin(task, tile, out, frames, normals, influences, 1, scaled);
    else if (KERNEL_VARIANTS > 2 && variant == 2)
        variant_skin(task, tile, out, frames, normals, influences, 2, scaled);
    else if (KERNEL_VARIANTS > 3 && variant == 3)
        variant_skin(task, tile, out, frames, normals, influences, 3, scaled);
    else if (KERNEL_VARIANTS > 4)
        variant_skin(task, tile, out, frames, normals, influences, 4, scaled);
}

typedef void (*Loop)(const HostTask *task, const HostTile *tile, int variant, Real *restrict out);

/* The loops of a count of influences, and their row in the table: [frames][normals]. */
#define LOOP(name, frames, normals, count)                                                                   \
    LOOP_FUNCTION void name(const HostTask *task, const HostTile *tile, int variant, Real *restrict out)     \
    {                                                                                                        \
        tile_skin(task, tile, variant, out, frames, normals, count);                                         \
    }
#define LOOPS_OF(count)                                                                                      \
    LOOP(positions_##count, false, false, count)                                                             \
    LOOP(normals_##count, false, true, count)                                                                \
    LOOP(frames_positions_##count, true, false, count)                                                       \
    LOOP(frames_normals_##count, true, true, count)
#define LOOP_ROW(count)                                                                                      \
    {{positions_##count, normals_##count}, {frames_positions_##count, frames_normals_##count}},

#if KERNEL_VECTOR && !defined(KERNEL_ONE_LOOP)
#define KERNEL_LOOPS LOOP_COUNTS
#else
#define KERNEL_LOOPS(X) X(0)
#endif
KERNEL_LOOPS(LOOPS_OF)
static const Loop loops[][2][2] = {KERNEL_LOOPS(LOOP_ROW)};

/* That of a tile's joint sets; of several the greatest, which leaves least to the palette. */
ALWAYS_INLINE int variant_of(const HostTask *task, const HostTile *tile)
{
    int variant = 0;
    for (int i = 0; KERNEL_VARIANTS > 1 && i < tile->set_count; i++)
        variant = task->set_variants[tile->set + i] > variant ? task->set_variants[tile->set + i] : variant;
    return variant;
}

ALWAYS_INLINE void tiles_skin(const HostTask *task, bool frames)
{
    const int components = (task->normals ? 6 : 3) * (frames ? FRAME_LANES : 1);
    const int loop_count = (int)(sizeof loops / sizeof *loops);
    for (int i = 0; i < task->tile_count; i++) {
        const HostTile *tile = &task->tiles[i];
        const int variant = variant_of(task, tile);
        const bool any = (variant > 0 && tile->loop > counts_of_variants(frames)) || (frames && task->scaled);
        const Loop loop = loops[any || tile->loop >= loop_count ? 0 : tile->loop][frames][task->normals];
        loop(task, tile, variant, (Real *)task->out + (tile->lane - task->tiles->lane) * components);
    }
}

static void kernel_skin(const HostTask *task)
{
    tiles_skin(task, false);
}

static void kernel_skin_frames(const HostTask *task)
{
    tiles_skin(task, true);
}

static void kernel_rows(const HostRows *rows)
{
    rows_put(rows, false);
}

static void kernel_rows_frames(const HostRows *rows)
{
    rows_put(rows, true);
}

const HostKernel KERNEL_OBJECT = {
    .level = KERNEL_LEVEL,
    .variant_count = KERNEL_VARIANTS,
    .lanes = KERNEL_LANES,
    .skin = kernel_skin,
    .skin_frames = kernel_skin_frames,
    .rows = kernel_rows,
    .rows_frames = kernel_rows_frames,
};
