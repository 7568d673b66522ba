/* The kernel language: the common subset of C11, OpenCL C 1.2 and CUDA C, with the words below. A kernel
 * defines one function:
 *
 *   KERNEL_FUNCTION SkinnedPoint <name>_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
 *
 * It skins the vertex `rest` with `count` influences. If a backend wants no normals, it ignores the
 * result's normal and the compiler drops that arithmetic. `variant` is a constant. In the vector loops,
 * `count` is a constant, too. There, influences of weight 0 that repeat the first joint may follow the
 * vertex's own, so a kernel must not rely on the number of influences. A kernel with several variants says
 * so with `#define KERNEL_VARIANTS n` and in its method's table. Helper functions take KERNEL_ARGUMENTS and
 * are called with KERNEL_PASS. All of these can use the functions below and these words:
 *
 *   PALETTE(k, i)          value i of the joint of influence k, written by the method's pose stage
 *   PALETTE_ROW(k, i)      palette values i to i + 3, i a multiple of 4: a single load on some devices
 *   WEIGHT(k)              weight of influence k
 *   SET_VALUE(i)           value i of the vertex's joint set, written by the pose stage
 *   VERTEX_VALUE(i)        value i of the vertex, written by the bind stage
 *   INFLUENCE_VALUE(k, i)  value i of influence k, written by `influences`; 0 for padding
 *   PARAMETER(i)           parameter i of the method; 0 in the first of two phases
 *   NORMAL_WANTED          constant; if false, the result's normal is dropped
 *
 * A kernel that uses INFLUENCE_VALUE defines KERNEL_INFLUENCE_VALUES as the number of values per influence,
 * and KERNEL_VERTEX_VALUES as the number of values per vertex.
 *
 * KERNEL_SUMS: a kernel whose position, without normals, is the sum of its results for each influence alone
 * (count 1) says so by `#define KERNEL_SUMS`. On processors with few registers, vector loops then take one
 * influence after another.
 *
 * KERNEL_MIXED_SET_VALUES n and KERNEL_MIXED_SET_JOINTS m: a kernel may define these if, for joint sets of
 * at least m joints, it reads only the first n values per set, and reads them as
 *
 *   VERTEX_SET_VALUE(i)    value i of the vertex's own joint set, even beside vertices of other sets
 *
 * Vector loops then skin vertices of several such sets side by side, as with allows_zero_weight_padding.
 *
 * KERNEL_APART: without allows_zero_weight_padding many blocks of vertices are not full. With this
 * definition, wide vectors skin only the half of a block that has vertices.
 *
 * KERNEL_ADDS: a kernel that adds many influences one after another defines, instead of <name>_vertex,
 * `#define KERNEL_ADDS <name>`, KERNEL_STATE and KERNEL_STATE_VALUES as below, and
 *
 *   KERNEL_FUNCTION T <name>_start(KERNEL_ARGUMENTS, int variant)
 *   KERNEL_FUNCTION T <name>_add(KERNEL_ARGUMENTS, int k, int variant, T state)
 *   KERNEL_FUNCTION SkinnedPoint <name>_finish(KERNEL_ARGUMENTS, int variant, T state, SkinnedPoint rest)
 *
 * KERNEL_ITERATES: a kernel that iterates until a vertex has converged defines, instead of <name>_vertex,
 *
 *   #define KERNEL_ITERATES <name>
 *   #define KERNEL_STATE T            a struct of Reals, one of them `moves`: 0 when the vertex is done
 *   #define KERNEL_STATE_VALUES(X)    X(0, member) X(1, member) and so on for all members
 *   #define KERNEL_STEPS n            largest number of steps
 *   KERNEL_FUNCTION T <name>_start(KERNEL_ARGUMENTS, int count, int variant)
 *   KERNEL_FUNCTION T <name>_step(KERNEL_ARGUMENTS, int count, int variant, T state)
 *   KERNEL_FUNCTION SkinnedPoint <name>_finish(KERNEL_ARGUMENTS, int count, int variant, T state,
 *                                              SkinnedPoint rest)
 *
 * Vertices can then step side by side. Lanes that are done keep stepping while others move, so a step must
 * not change a state whose `moves` is 0. Kernels must not use arrays, which are slow on every backend. */
#ifndef SKINBENCH_KERNEL_KERNEL_H
#define SKINBENCH_KERNEL_KERNEL_H

#include "datasets/geometry/dialect.h"
#include "datasets/geometry/dual_quat.h"
#include "datasets/geometry/transform.h"
#include "datasets/geometry/vec3.h"

typedef struct SkinnedPoint {
    Vec3 position, normal;
} SkinnedPoint;

#if KERNEL_ON_DEVICE

#include "methods/kernel/device_reals.h"

/* One vertex in one frame. */
typedef struct KernelView {
    KERNEL_GLOBAL const float *joint_values; /* palette of the frame */
    KERNEL_GLOBAL const int *joints;         /* joints of the vertex's joint set */
    KERNEL_GLOBAL const DeviceReals *weights;
    KERNEL_GLOBAL const float *set_values; /* values of the joint set in this frame */
    KERNEL_GLOBAL const DeviceReals *vertex_values;
    KERNEL_GLOBAL const float *parameters;
    int values_per_joint, stride;
    int at; /* index of the vertex among the Reals of its tile */
} KernelView;

#define KERNEL_ARGUMENTS const KernelView kernel_view
#define KERNEL_PASS kernel_view
#define PALETTE_AT(k, i)                                                                                     \
    (kernel_view.joint_values + (size_t)kernel_view.joints[k] * kernel_view.values_per_joint + (i))
#define PALETTE(k, i) ((Real)*PALETTE_AT(k, i))
#define WEIGHT(k) kernel_view.weights[(size_t)(k) * (size_t)kernel_view.stride].at[kernel_view.at]
#define SET_VALUE(i) ((Real)kernel_view.set_values[i])
#define VERTEX_SET_VALUE(i) SET_VALUE(i)
#define VERTEX_VALUE(i) kernel_view.vertex_values[(size_t)(i) * (size_t)kernel_view.stride].at[kernel_view.at]
/* KERNEL_DEFAULTS is 1 during the compilation of a first phase, because parameters belong to the second
 * phase */
#if !defined(KERNEL_DEFAULTS)
#define KERNEL_DEFAULTS 0
#endif
#define PARAMETER(i) (KERNEL_DEFAULTS ? 0.0f : kernel_view.parameters[i])
/* Programs without DEVICE_NORMALS want normals. */
#if !defined(DEVICE_NORMALS)
#define DEVICE_NORMALS 1
#endif
#define NORMAL_WANTED DEVICE_NORMALS
/* Whether one tile may hold vertices of several joint sets. Each vertex then has weight 0 for the joints of
 * the other sets. */
#define KERNEL_SETS_MIX (DEVICE_LANES > 1)

#else

#include <stddef.h>
#include <stdint.h>

#include "methods/kernel/kernel_reads.h"

/* One block of vertices in one frame. */
typedef struct KernelView {
    const Real *joint_values;
    const int32_t *joints; /* joints of the block's set */
    const Real *weights;   /* weights of the vertex in the block's first lane */
    const Real *set_values;
    const Real *vertex_set_values; /* values of each lane's own joint set, if the block has vertices of
                                      several sets */
    const Real *vertex_values;
    const Real *parameters;
    int values_per_joint;
    int stride; /* distance between the weights of two successive influences */
    int normal_wanted;
#if defined(KERNEL_CHECKS)
    int counts[READS_COUNT]; /* of values */
    KernelMisread *misread;
#endif
} KernelView;

/* Arguments of every kernel function: the view of a block, and the lane of the vertex in it
 * (kernel_vertex). */
#define KERNEL_ARGUMENTS const KernelView *const kernel_view, const int kernel_vertex __attribute__((unused))
#define KERNEL_PASS kernel_view, kernel_vertex
#if defined(KERNEL_CHECKS)
#define KERNEL_VALUE(kind, i, value)                                                                         \
    (kernel_has(kernel_view->misread, kind, kernel_view->counts[kind], i) ? (value) : 0)
#else
#define KERNEL_VALUE(kind, i, value) (value)
#endif
#define KERNEL_JOINT(k) ((ptrdiff_t)KERNEL_VALUE(READS_INFLUENCE, k, kernel_view->joints[k]))
#define PALETTE(k, i)                                                                                        \
    KERNEL_VALUE(READS_JOINT, i,                                                                             \
                 (kernel_view->joint_values + KERNEL_JOINT(k) * kernel_view->values_per_joint)[i])
#define WEIGHT(k)                                                                                            \
    KERNEL_VALUE(READS_INFLUENCE, k,                                                                         \
                 (kernel_view->weights + (ptrdiff_t)(k)*kernel_view->stride)[kernel_vertex])
#define SET_VALUE(i) KERNEL_VALUE(READS_SET, i, kernel_view->set_values[i])
#if defined(KERNEL_LANES) && KERNEL_LANES > 1
#define VERTEX_SET_VALUE(i) (kernel_view->vertex_set_values + (ptrdiff_t)(i)*2 * KERNEL_LANES)[kernel_vertex]
#else
#define VERTEX_SET_VALUE(i) SET_VALUE(i)
#endif
#define VERTEX_VALUE(i)                                                                                      \
    KERNEL_VALUE(READS_VERTEX, i,                                                                            \
                 (kernel_view->vertex_values + (ptrdiff_t)(i)*kernel_view->stride)[kernel_vertex])
#define PARAMETER(i) KERNEL_VALUE(READS_PARAMETER, i, kernel_view->parameters[i])
#define NORMAL_WANTED kernel_view->normal_wanted
#define KERNEL_SETS_MIX 1

#endif

/* Values of influences are stored after the values of the vertex. */
#define INFLUENCE_VALUE(k, i) VERTEX_VALUE(KERNEL_VERTEX_VALUES + (k)*KERNEL_INFLUENCE_VALUES + (i))

typedef struct PaletteRow {
    Real a, b, c, d;
} PaletteRow;

KERNEL_FUNCTION PaletteRow kernel_palette_row(KERNEL_ARGUMENTS, int k, int first)
{
    PaletteRow row;
#if defined(KERNEL_WIDE_ROWS)
    /* Vertices of a tile share a plain load. The compiler of CUDA repeats __ldg for each of them. */
    const float4 wide = *(KERNEL_GLOBAL const float4 *)PALETTE_AT(k, first);
    row.a = wide.x;
    row.b = wide.y;
    row.c = wide.z;
    row.d = wide.w;
#else
    row.a = PALETTE(k, first);
    row.b = PALETTE(k, first + 1);
    row.c = PALETTE(k, first + 2);
    row.d = PALETTE(k, first + 3);
#endif
    return row;
}
#define PALETTE_ROW(k, first) kernel_palette_row(KERNEL_PASS, (k), (first))

/* Returns values 0 to 11 of influence k's joint as a transformation. */
KERNEL_FUNCTION Transform kernel_joint34(KERNEL_ARGUMENTS, int k)
{
    const PaletteRow x = PALETTE_ROW(k, 0), y = PALETTE_ROW(k, 4), z = PALETTE_ROW(k, 8);
    const Transform t = {x.a, x.b, x.c, x.d, y.a, y.b, y.c, y.d, z.a, z.b, z.c, z.d};
    return t;
}
#define JOINT34(k) kernel_joint34(KERNEL_PASS, (k))

/* Returns values 0 to 3 of influence k's joint as a quaternion, w first. */
KERNEL_FUNCTION Quat kernel_joint_quat(KERNEL_ARGUMENTS, int k)
{
    const PaletteRow q = PALETTE_ROW(k, 0);
    return quat_make(q.a, q.b, q.c, q.d);
}
#define JOINT_QUAT(k) kernel_joint_quat(KERNEL_PASS, (k))

/* Returns values 0 to 7 of influence k's joint as a dual quaternion, non-dual part first. */
KERNEL_FUNCTION DualQuat kernel_joint_dual_quat(KERNEL_ARGUMENTS, int k)
{
    DualQuat q;
    const PaletteRow dual = PALETTE_ROW(k, 4);
    q.real = kernel_joint_quat(KERNEL_PASS, k);
    q.dual = quat_make(dual.a, dual.b, dual.c, dual.d);
    return q;
}
#define JOINT_DUAL_QUAT(k) kernel_joint_dual_quat(KERNEL_PASS, (k))

#endif
