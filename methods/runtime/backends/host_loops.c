/* The loops around a kernel on the host. This file is compiled once per method and flavour, with these
 * definitions:
 *   KERNEL_HEADER      header of the method's kernel
 *   KERNEL_VERTEX      the function that it defines
 *   KERNEL_OBJECT      the HostKernel to define
 *   KERNEL_LEVEL       its level, a string
 *   KERNEL_LANES       vertices side by side; 1: no vector loops, and one loop for any number of influences
 *   KERNEL_ONE_LOOP    (optional) one loop for any number of influences replaces the counted loops
 *   KERNEL_FEW_LOOPS   (optional) one loop replaces the counted loops for more than 8 influences
 * Every flavour except the reference defines SKINBENCH_REAL_FLOAT; the reference defines KERNEL_CHECKS. */

/* A constant without REAL() is a double, which is slow and which some devices lack. Gcc refuses every such
 * constant in the kernel and its headers, Clang those that meet a float. */
#pragma GCC diagnostic push
#if defined(SKINBENCH_REAL_FLOAT) && KERNEL_LANES == 1 && defined(__clang__)
#pragma GCC diagnostic error "-Wdouble-promotion"
#elif defined(SKINBENCH_REAL_FLOAT) && KERNEL_LANES == 1
#pragma GCC diagnostic error "-Wunsuffixed-float-constants"
#endif
#include KERNEL_HEADER
#pragma GCC diagnostic pop

#include "methods/kernel/iterate.kernel.h"

#ifndef KERNEL_VARIANTS
#define KERNEL_VARIANTS 1
#endif
#ifndef KERNEL_INFLUENCE_VALUES
#define KERNEL_INFLUENCE_VALUES 0
#endif
#ifndef KERNEL_MIXED_SET_VALUES
#define KERNEL_MIXED_SET_VALUES 0
#define KERNEL_MIXED_SET_JOINTS 0
#endif
#if KERNEL_VARIANTS > 5
#error "a kernel has at most KERNEL_VARIANTS_MAX variants"
#endif

#include "methods/runtime/backends/host_rows.h"

#include "methods/runtime/backends/lane_blocks.h"

/* Loops for processors with few registers. */
#if KERNEL_VECTOR && !ROWS_OF_16 && defined(KERNEL_SUMS)
#define SKIN_SUMS 1
#else
#define SKIN_SUMS 0
#endif

#if ROWS_OF_16 && defined(KERNEL_APART)
#define HALVES 1
#else
#define HALVES 0
#endif

#if KERNEL_VECTOR && KERNEL_MIXED_SET_VALUES
#define MIXES 1
#else
#define MIXES 0
#endif

#ifdef KERNEL_ADDS
#define ADDS 1
#else
#define ADDS 0
#endif

/* Hides from the compiler where a value comes from, so that it does not unroll or vectorise short loops,
 * which would only add code. */
#define READ_ANEW(value) __asm__("" : "+r"(value))

/* Lets gcc assume that results overlap the palette, so that it reads each palette value just before its
 * use. Otherwise it would read all values first and spill most of them, because 16 registers cannot hold
 * them. Under this assumption clang would not vectorise the loop. */
#if KERNEL_VECTOR && !ROWS_OF_16 && !defined(__clang__)
#define RESULTS_RESTRICT
#define RESULTS_HIDE(results) READ_ANEW(results)
#else
#define RESULTS_RESTRICT restrict
#define RESULTS_HIDE(results) (void)(results)
#endif

/* Loads point `lane` from KERNEL_LANES points stored as [component][lane]. */
ALWAYS_INLINE SkinnedPoint point_load(const Real *rest, int lane, bool normals)
{
    enum { STRIDE = KERNEL_LANES };
    SkinnedPoint point = {{rest[lane], rest[STRIDE + lane], rest[2 * STRIDE + lane]},
                          {REAL(0.0), REAL(0.0), REAL(0.0)}};
    if (normals)
        point.normal = vec3_make(rest[3 * STRIDE + lane], rest[4 * STRIDE + lane], rest[5 * STRIDE + lane]);
    return point;
}

ALWAYS_INLINE void point_store(SkinnedPoint point, Real *out, int lane, bool normals)
{
    enum { STRIDE = KERNEL_LANES };
    out[lane] = point.position.x;
    out[STRIDE + lane] = point.position.y;
    out[2 * STRIDE + lane] = point.position.z;
    if (normals) {
        out[3 * STRIDE + lane] = point.normal.x;
        out[4 * STRIDE + lane] = point.normal.y;
        out[5 * STRIDE + lane] = point.normal.z;
    }
}

/* A block and its rest pose: the input of lanes_skin. */
typedef struct BlockView {
    KernelView view;
    const Real *rest; /* rest pose as bound, or as scaled by the first phase */
    bool normals;
    ptrdiff_t reals, results, result; /* reals of data per block, reals of results per block, and index of the
                                         block's first result */
} BlockView;

#if KERNEL_VECTOR && (defined(KERNEL_ITERATES) || ADDS)

/* States of all lanes, stored as one array per member. */
#define STATE_COUNT_ONE(index, member) +1
enum { STATE_VALUES = 0 KERNEL_STATE_VALUES(STATE_COUNT_ONE) };

ALWAYS_INLINE KERNEL_STATE state_load(Real (*values)[KERNEL_LANES], int i)
{
    KERNEL_STATE state;
#define STATE_LOAD(index, member) state.member = values[index][i];
    KERNEL_STATE_VALUES(STATE_LOAD)
    return state;
}

ALWAYS_INLINE void state_store(KERNEL_STATE state, Real (*values)[KERNEL_LANES], int i)
{
#define STATE_STORE(index, member) values[index][i] = state.member;
    KERNEL_STATE_VALUES(STATE_STORE)
}

#if ADDS

/* Skins a block by adding one influence after another to the states of all lanes. */
ALWAYS_INLINE void lanes_add(const BlockView *block, Real *restrict out, int count, int variant)
{
    const KernelView *const view = &block->view;
    _Alignas(64) Real values[STATE_VALUES][KERNEL_LANES];
#pragma omp simd
    for (int i = 0; i < KERNEL_LANES; i++)
        state_store(KERNEL_START(view, i, variant), values, i);
    for (int k = 0; k < count; k++) {
#pragma omp simd
        for (int i = 0; i < KERNEL_LANES; i++)
            state_store(KERNEL_ADD(view, i, k, variant, state_load(values, i)), values, i);
    }
#pragma omp simd
    for (int i = 0; i < KERNEL_LANES; i++) {
        const SkinnedPoint rest = point_load(block->rest, i, block->normals);
        point_store(KERNEL_FINISH(view, i, variant, state_load(values, i), rest), out, i, block->normals);
    }
}

/* Skins a block; the variant is passed on as a constant. */
ALWAYS_INLINE void lanes_skin(const BlockView *block, Real *restrict out, int count, int variant)
{
    if (variant == 0)
        lanes_add(block, out, count, 0);
    else if (variant == 1)
        lanes_add(block, out, count, 1);
    else if (variant == 2)
        lanes_add(block, out, count, 2);
    else if (variant == 3)
        lanes_add(block, out, count, 3);
    else
        lanes_add(block, out, count, 4);
}

#else

/* Skins a block by iterating all lanes until none of them moves. */
ALWAYS_INLINE void lanes_skin(const BlockView *block, Real *restrict out, int count, int variant)
{
    const KernelView *const view = &block->view, *const kernel_view = view; /* for KERNEL_STEPS */
    const int max = (int)KERNEL_STEPS;
    _Alignas(64) Real values[STATE_VALUES][KERNEL_LANES];
    Real moving = REAL(0.0);
#pragma omp simd
    for (int i = 0; i < KERNEL_LANES; i++)
        state_store(KERNEL_START(view, i, count, variant), values, i);
        /* sum in a separate loop, because gcc would not vectorise the loop above if it contained the sum */
#pragma omp simd reduction(+ : moving)
    for (int i = 0; i < KERNEL_LANES; i++)
        moving += state_load(values, i).moves;
    for (int step = 0; step < max && moving > REAL(0.0); step++) {
        moving = REAL(0.0);
#pragma omp simd reduction(+ : moving)
        for (int i = 0; i < KERNEL_LANES; i++) {
            const KERNEL_STATE state = KERNEL_STEP(view, i, count, variant, state_load(values, i));
            state_store(state, values, i);
            moving += state.moves;
        }
    }
#pragma omp simd
    for (int i = 0; i < KERNEL_LANES; i++) {
        const SkinnedPoint rest = point_load(block->rest, i, block->normals);
        point_store(KERNEL_FINISH(view, i, count, variant, state_load(values, i), rest), out, i,
                    block->normals);
    }
}

#endif

#else

ALWAYS_INLINE void lanes_skin(const BlockView *block, Real *RESULTS_RESTRICT out, int count, int variant)
{
    LANES_LOOP
    for (int i = 0; i < KERNEL_LANES; i++) {
        const SkinnedPoint rest = point_load(block->rest, i, block->normals);
        point_store(KERNEL_VERTEX(&block->view, i, count, variant, rest), out, i, block->normals);
    }
}

#endif

#if HALVES
/* Skins the first half of a block's lanes. The caller must not read the results as whole vectors soon
 * afterwards, which would be slow because they were stored as half vectors. */
ALWAYS_INLINE void half_skin(const BlockView *block, Real *restrict out, int count, int variant)
{
#pragma omp simd simdlen(KERNEL_LANES / 2)
    for (int i = 0; i < KERNEL_LANES / 2; i++) {
        const SkinnedPoint rest = point_load(block->rest, i, block->normals);
        point_store(KERNEL_VERTEX(&block->view, i, count, variant, rest), out, i, block->normals);
    }
}
#endif

#if SKIN_SUMS
/* Skins a block by summing one influence after another. Compilers then read the palette of only one joint
 * before each loop, which fits 16 registers. The sums stay in registers until the end. */
ALWAYS_INLINE void lanes_sum(const BlockView *block, Real *restrict out, int count, int variant)
{
    enum { STRIDE = KERNEL_LANES };
    KernelView cursor = block->view;
    for (int k = 0; k < count; k++, cursor.joints++, cursor.weights += cursor.stride) {
        LANES_LOOP
        for (int i = 0; i < KERNEL_LANES; i++) {
            const SkinnedPoint rest = point_load(block->rest, i, false);
            SkinnedPoint part = KERNEL_VERTEX(&cursor, i, 1, variant, rest);
            if (k > 0)
                part.position =
                    vec3_add(vec3_make(out[i], out[STRIDE + i], out[2 * STRIDE + i]), part.position);
            point_store(part, out, i, false);
        }
    }
}
#endif

/* Returns the view of block `index` of a run. Its rest positions and normals are those bound to the backend
 * or, if `scaled`, the results of the first phase. */
ALWAYS_INLINE BlockView block_view(const HostTask *task, const HostRun *run, int index, bool normals,
                                   int count, bool scaled)
{
    enum { LANES = KERNEL_LANES };
    const HostBlock *block = &task->blocks[run->first_block + index];
    const int components = normals ? 6 : 3;
    const ptrdiff_t reals =
        (ptrdiff_t)LANES * (components + count * (1 + task->values_per_influence) + task->values_per_vertex);
    const ptrdiff_t result = (ptrdiff_t)block->lane * components;
    const Real *rest = (const Real *)task->data + run->data + index * reals;
    const Real *weights = rest + (ptrdiff_t)components * LANES;
    return (BlockView){
        .view = {.joint_values = task->joint_values,
                 .joints = task->joints + run->slot + (ptrdiff_t)index * count,
                 .weights = weights,
                 .set_values = (const Real *)task->set_values + (ptrdiff_t)block->set * task->values_per_set,
                 .vertex_values = weights + (ptrdiff_t)count * LANES,
                 .parameters = task->parameters,
                 .values_per_joint = task->values_per_joint,
                 .stride = LANES,
#if defined(KERNEL_CHECKS)
                 .counts = {[READS_JOINT] = task->values_per_joint,
                            [READS_INFLUENCE] = count,
                            [READS_SET] = task->values_per_set,
                            [READS_VERTEX] = task->values_per_vertex + count * task->values_per_influence,
                            [READS_PARAMETER] = task->parameter_count},
                 .misread = task->misread,
#endif
                 .normal_wanted = normals},
        .rest = scaled ? (const Real *)task->scaled + result : rest,
        .normals = normals,
        .reals = reals,
        .results = (ptrdiff_t)LANES * components,
        .result = result,
    };
}

#if MIXES
/* Copies the values of a block's joint sets to the lanes of their vertices. Each set writes whole vectors,
 * which may extend into the lanes of the next set. The next set then overwrites the excess. */
ALWAYS_INLINE void set_values_spread(const HostTask *task, const HostBlock *block,
                                     Real (*out)[2 * KERNEL_LANES])
{
    const int first = task->first_vertex + block->first_vertex;
    for (int set = block->set; set < block->set + block->set_count; set++) {
        const Real *values = (const Real *)task->set_values + (ptrdiff_t)set * task->values_per_set;
        const int lane = set > block->set ? task->set_vertices[set] - first : 0;
        for (int value = 0; value < KERNEL_MIXED_SET_VALUES; value++) {
            LANES_LOOP
            for (int i = 0; i < KERNEL_LANES; i++)
                out[value][lane + i] = values[value];
        }
    }
}
#endif

/* Skins `blocks` blocks of one joint set, starting at `index` of a run. More than one is allowed only if a
 * block is one vertex. */
ALWAYS_INLINE void set_blocks_skin(const HostTask *task, const HostRun *run, int index, int blocks,
                                   Real *restrict out, bool normals, int count, int variant, bool scaled)
{
    BlockView cursor = block_view(task, run, index, normals, count, scaled);
    Real *RESULTS_RESTRICT own_out = out + cursor.result;
#if KERNEL_VECTOR
    _Alignas(64) Real lanes[6 * KERNEL_LANES];
    Real *skinned = lanes;
#if MIXES
    _Alignas(64) Real set_values[KERNEL_MIXED_SET_VALUES][2 * KERNEL_LANES];
    if (count >= KERNEL_MIXED_SET_JOINTS)
        set_values_spread(task, &task->blocks[run->first_block + index], set_values);
    cursor.view.vertex_set_values = set_values[0];
#endif
#if HALVES
    const HostBlock *block = &task->blocks[run->first_block + index];
    if (block->vertex_count <= KERNEL_LANES / 2 && !(task->rows && task->rows->by_lane)) {
        half_skin(&cursor, own_out, count, variant);
        return;
    }
#endif
#if SKIN_SUMS
    if (!normals) {
        lanes_sum(&cursor, lanes, count, variant);
        block_deliver(task, &task->blocks[run->first_block + index], lanes, false, own_out);
        return;
    }
#endif
    RESULTS_HIDE(skinned);
    lanes_skin(&cursor, skinned, count, variant);
    block_deliver(task, &task->blocks[run->first_block + index], skinned, normals, own_out);
#else
    for (int i = 0; i < blocks; i++) {
        RESULTS_HIDE(own_out);
        lanes_skin(&cursor, own_out, count, variant);
        cursor.view.weights += cursor.reals;
        cursor.view.vertex_values += cursor.reals;
        cursor.rest += scaled ? cursor.results : cursor.reals;
        own_out += cursor.results;
    }
#endif
}

/* Up to COUNTS_OF_VARIANTS influences there are loops for every variant. Vertices with more influences
 * mostly belong to several joint sets side by side, and a single one of these sets decides the block's
 * variant. Up to COUNTS_OF_USUAL influences, the usual variant still has loops for positions. All other
 * cases are rare and share loop 0, in which the variant is not a constant. Iterating kernels are slow to
 * compile, so they have fewer loops. */
#ifdef KERNEL_ITERATES
enum { COUNTS_OF_VARIANTS = 1 };
#else
enum { COUNTS_OF_VARIANTS = 4 };
#endif
enum { COUNTS_OF_USUAL = 12 };
/* Variant that kernels which choose signs of quaternions use by default: HEMISPHERE_HEAVIEST. */
enum { USUAL_VARIANT = 2 };

typedef void (*BlockLoop)(const HostTask *task, const HostRun *run, int index, int variant,
                          Real *restrict out);

/* Skins blocks with any number of influences and any variant, in either phase of two-phase skinning. It
 * does not use vectors. */
#define ANY_LOOP(name, has_normals)                                                                          \
    LOOP_FUNCTION void name(const HostTask *task, const HostRun *run, int index, int variant,                \
                            Real *restrict out)                                                              \
    {                                                                                                        \
        set_blocks_skin(task, run, index, 1, out, has_normals, run->count, variant, task->scaled != NULL);   \
    }
ANY_LOOP(any_positions, false)
ANY_LOOP(any_normals, true)
static const BlockLoop any_loops[2] = {any_positions, any_normals};

/* Skins blocks of `count` influences in a variant other than 0. */
ALWAYS_INLINE void variant_skin(const HostTask *task, const HostRun *run, int index, int variant,
                                Real *restrict out, bool normals, int count)
{
    if (variant == 1)
        set_blocks_skin(task, run, index, 1, out, normals, count, 1, task->scaled != NULL);
    else if (KERNEL_VARIANTS > 2 && variant == 2)
        set_blocks_skin(task, run, index, 1, out, normals, count, 2, task->scaled != NULL);
    else if (KERNEL_VARIANTS > 3 && variant == 3)
        set_blocks_skin(task, run, index, 1, out, normals, count, 3, task->scaled != NULL);
    else if (KERNEL_VARIANTS > 4)
        set_blocks_skin(task, run, index, 1, out, normals, count, 4, task->scaled != NULL);
}

/* Returns the variant of a block. If the block has several joint sets, this is the largest of their
 * variants, which relies least on the palette's signs. */
ALWAYS_INLINE int variant_of(const HostTask *task, const HostBlock *block)
{
    int variant = 0;
    for (int i = 0; KERNEL_VARIANTS > 1 && task->set_variants && i < block->set_count; i++) {
        READ_ANEW(i);
        variant = task->set_variants[block->set + i] > variant ? task->set_variants[block->set + i] : variant;
    }
    return variant;
}

/* Returns how many consecutive blocks, beginning with `block` and at most `left`, belong to the same joint
 * set. */
ALWAYS_INLINE int blocks_of_set(const HostBlock *block, int left)
{
    int blocks = 1;
    while (blocks < left && block[blocks].set == block->set)
        blocks++;
    return blocks;
}

/* Calls the loop `other` for all blocks of a run whose variant is not 0 or, if `all`, for every block. */
LOOP_FUNCTION void other_blocks_skin(const HostTask *task, const HostRun *run, bool all, BlockLoop other,
                                     Real *restrict out)
{
    for (int index = 0; index < run->block_count; index++) {
        const int variant = variant_of(task, &task->blocks[run->first_block + index]);
        if (all || variant > 0)
            other(task, run, index, variant, out);
    }
}

/* Skins a run by the loop for `count` influences; 0 stands for loop 0, which accepts any number. All blocks
 * are first skinned as variant 0, without calls; then `other` skins the few blocks of other variants again.
 * A loop without calls saves a quarter of the time. */
ALWAYS_INLINE void counted_blocks_skin(const HostTask *task, const HostRun *run, Real *restrict out,
                                       bool normals, int count, BlockLoop other)
{
    /* copy these structs to local variables, which the compiler knows are not changed by the stores of the
     * loop */
    HostTask own_task = *task;
    const HostRun own_run = *run;
    const bool all = (own_task.scaled && count == 0) || (ADDS && task->set_variants);
    for (int frame = 0; frame < own_task.frames; frame++) {
        for (int index = 0, blocks; index < own_run.block_count && !all; index += blocks) {
            const HostBlock *block = &own_task.blocks[own_run.first_block + index];
            blocks = KERNEL_VECTOR ? 1 : blocks_of_set(block, own_run.block_count - index);
            set_blocks_skin(&own_task, &own_run, index, blocks, out, normals,
                            count > 0 ? count : own_run.count, 0, count > 0 && own_task.scaled);
        }
        if (all || task->set_variants)
            other_blocks_skin(task, run, all, other, out);
#if KERNEL_VECTOR
        frame_end(&own_task, &own_run, out, normals);
#endif
    }
}

typedef void (*RunLoop)(const HostTask *task, const HostRun *run, Real *restrict out);

#define VARIANT_LOOP(name, has_normals, count)                                                               \
    LOOP_FUNCTION void variants_##name(const HostTask *task, const HostRun *run, int index, int variant,     \
                                       Real *restrict out)                                                   \
    {                                                                                                        \
        if (KERNEL_VARIANTS > USUAL_VARIANT && (count) > COUNTS_OF_VARIANTS && (count) <= COUNTS_OF_USUAL && \
            !(has_normals) && variant == USUAL_VARIANT)                                                      \
            set_blocks_skin(task, run, index, 1, out, false, count, USUAL_VARIANT, task->scaled != NULL);    \
        else if (KERNEL_VARIANTS == 1 || (count) > COUNTS_OF_VARIANTS || (count) < 2)                        \
            any_loops[has_normals](task, run, index, variant, out);                                          \
        else                                                                                                 \
            variant_skin(task, run, index, variant, out, has_normals, count);                                \
    }
#define LOOP(name, has_normals, count)                                                                       \
    LOOP_FUNCTION void name(const HostTask *task, const HostRun *run, Real *restrict out)                    \
    {                                                                                                        \
        counted_blocks_skin(task, run, out, has_normals, count, variants_##name);                            \
    }
/* Defines the loops for one number of influences, and their row in the table of loops, indexed by
 * `normals`. */
#define LOOPS_OF(count)                                                                                      \
    VARIANT_LOOP(positions_##count, false, count)                                                            \
    VARIANT_LOOP(normals_##count, true, count)                                                               \
    LOOP(positions_##count, false, count)                                                                    \
    LOOP(normals_##count, true, count)
#define LOOP_ROW(count) {positions_##count, normals_##count},

#if KERNEL_VECTOR && !defined(KERNEL_ONE_LOOP) && !ADDS
#ifdef KERNEL_FEW_LOOPS
#define KERNEL_LOOPS(X) X(0) X(1) X(2) X(3) X(4) X(6) X(8)
#else
#define KERNEL_LOOPS LOOP_COUNTS
#endif
#else
#define KERNEL_LOOPS(X) X(0)
#endif
KERNEL_LOOPS(LOOPS_OF)
static const RunLoop loops[][2] = {KERNEL_LOOPS(LOOP_ROW)};

static void kernel_skin(const HostTask *task)
{
    const int loop_count = (int)(sizeof loops / sizeof *loops);
    for (int i = 0; i < task->run_count; i++) {
        const HostRun *run = &task->runs[i];
        const int loop = run->loop < loop_count ? run->loop : 0;
        loops[loop][task->normals](task, run, task->out);
    }
}

const HostKernel KERNEL_OBJECT = {
    .level = KERNEL_LEVEL,
    .variant_count = KERNEL_VARIANTS,
    .influence_values = KERNEL_INFLUENCE_VALUES,
    .lanes = KERNEL_LANES,
    .block_joints = ADDS ? BLOCK_JOINTS_MAX : BLOCK_JOINTS_FEW,
    .mixed_set_joints = KERNEL_MIXED_SET_JOINTS,
#if KERNEL_VECTOR
    .row_lanes = ROW_LANES,
#endif
    .skin = kernel_skin,
    .rows = kernel_rows,
};
