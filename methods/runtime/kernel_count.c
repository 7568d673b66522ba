/* Runs the counting kernel once for each joint set, with the set's own influences. Runs it once more for
 * each block of lanes, with all influences that the block computes, including padding. */
#include "methods/runtime/kernel_count.h"

static void counts_add(OperationCounts *sum, OperationCounts counts, double times)
{
    sum->additions += times * counts.additions;
    sum->multiplications += times * counts.multiplications;
    sum->divisions += times * counts.divisions;
}

Status kernel_work_count(KernelCounter *counter, KernelSample sample, const JointSets *sets,
                         const double *set_values, const uint8_t *set_variants, const KernelTiling *tiling,
                         int vector_lanes, KernelWork *out)
{
    /* maximum number of influences in any block */
    int max = sets->max_influences;
    for (int i = 0; i < tiling->run_count; i++)
        max = tiling->runs[i].count > max ? tiling->runs[i].count : max;
    const int components = sample.normals ? 6 : 3;
    const double vertices = sets->vertex_count > 0 ? (double)sets->vertex_count : 1.0;
    *out = (KernelWork){.loads = 0.0};
    LOCAL_ARRAY(double, weights, max, "counting operations");
    LOCAL_ARRAY(int32_t, positions, max, "counting operations");
    LOCAL_ARRAY(CountedReal, workspace, kernel_sample_values(max, &sample), "counting operations");
    sample.workspace = workspace;
    sample.weights = weights;
    sample.positions = positions;
    for (int k = 0; k < max; k++)
        positions[k] = k;
    for (int set = 0; set < sets->set_count; set++) {
        const int in_set = sets->first_vertex[set + 1] - sets->first_vertex[set];
        sample.influences = joint_set_size(sets, set);
        sample.joints = sets->joints + sets->first_slot[set];
        sample.variant = set_variants[set];
        sample.set_values = set_values + (size_t)set * (size_t)sample.values_per_set;
        for (int k = 0; k < sample.influences; k++)
            weights[k] = sets->weights[sets->first_weight[set] + (int64_t)k * in_set];
        counts_add(&out->vertex, counter(&sample), in_set / vertices);
    }
    const int vectors = (tiling->lanes + vector_lanes - 1) / vector_lanes;
    const double share = 1.0 / vertices;
    for (int i = 0; i < tiling->run_count; i++) {
        const HostRun *run = &tiling->runs[i];
        const double palette = (double)run->count * sample.values_per_joint + sample.values_per_set;
        const double of_vertex =
            (double)components + run->count * (1 + sample.values_per_influence) + sample.values_per_vertex;
        const double loads = palette + of_vertex * vectors;
        OperationCounts counts = {0.0, 0.0, 0.0};
        sample.influences = run->count;
        for (int k = 0; k < run->count; k++)
            weights[k] = 1.0 / run->count;
        for (int block = 0; block < run->block_count; block++) {
            const HostBlock *record = &tiling->blocks[run->first_block + block];
            const int set = record->set;
            /* If at most half of the widest vector is used, the kernel may skin only half of it
             * (KERNEL_APART), which takes half the time on some processors. */
            const double part = vector_lanes == 16 && record->vertex_count <= 8 ? 0.5 * share : share;
            if (block == 0 || set != record[-1].set) {
                sample.joints = tiling->joints + run->slot + (int64_t)block * run->count;
                sample.variant = set_variants[set];
                sample.set_values = set_values + (size_t)set * (size_t)sample.values_per_set;
                counts = counter(&sample);
            }
            counts_add(&out->lanes, counts, part * vectors);
            out->loads += part * loads;
        }
        out->result_reals += share * run->block_count * components * tiling->lanes;
    }
    return status_ok();
}
