/* Defines <name>_vertex for kernels that are written as single steps (KERNEL_ITERATES) or as sums over
 * influences (KERNEL_ADDS; methods/kernel/kernel.h). The function computes one vertex completely, for
 * backends that do not step vertices side by side. */
#ifndef SKINBENCH_KERNEL_ITERATE_KERNEL_H
#define SKINBENCH_KERNEL_ITERATE_KERNEL_H

#if defined(KERNEL_ITERATES) || defined(KERNEL_ADDS)

#define KERNEL_PASTE(name, stage) name##stage
#define KERNEL_STAGE(name, stage) KERNEL_PASTE(name, stage)
#ifdef KERNEL_ADDS
#define KERNEL_START KERNEL_STAGE(KERNEL_ADDS, _start)
#define KERNEL_ADD KERNEL_STAGE(KERNEL_ADDS, _add)
#define KERNEL_FINISH KERNEL_STAGE(KERNEL_ADDS, _finish)

KERNEL_FUNCTION SkinnedPoint kernel_added_vertex(KERNEL_ARGUMENTS, int count, int variant, SkinnedPoint rest)
{
    KERNEL_STATE state = KERNEL_START(KERNEL_PASS, variant);
    KERNEL_UNROLL
    for (int k = 0; k < count; k++)
        state = KERNEL_ADD(KERNEL_PASS, k, variant, state);
    return KERNEL_FINISH(KERNEL_PASS, variant, state, rest);
}
#undef KERNEL_VERTEX
#define KERNEL_VERTEX kernel_added_vertex
#else
#define KERNEL_START KERNEL_STAGE(KERNEL_ITERATES, _start)
#define KERNEL_STEP KERNEL_STAGE(KERNEL_ITERATES, _step)
#define KERNEL_FINISH KERNEL_STAGE(KERNEL_ITERATES, _finish)

KERNEL_FUNCTION SkinnedPoint kernel_iterated_vertex(KERNEL_ARGUMENTS, int count, int variant,
                                                    SkinnedPoint rest)
{
    const int most = (int)KERNEL_STEPS;
    KERNEL_STATE state = KERNEL_START(KERNEL_PASS, count, variant);
    for (int step = 0; step < most && REAL_ANY(state.moves > REAL(0.0)); step++)
        state = KERNEL_STEP(KERNEL_PASS, count, variant, state);
    return KERNEL_FINISH(KERNEL_PASS, count, variant, state, rest);
}
#undef KERNEL_VERTEX
#define KERNEL_VERTEX kernel_iterated_vertex
#endif

#endif

#endif
