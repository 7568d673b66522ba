/* Counts influences and joint sets of a rig. */
#include "datasets/model/statistics.h"

#include "datasets/model/joint_sets.h"

Status rig_statistics(const Rig *rig, int vertex_count, RigStatistics *out)
{
    *out = (RigStatistics){0};
    if (rig->joint_count == 0)
        return status_ok();
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    LOCAL_ARRAY(unsigned char, used, rig->joint_count, "the joints");
    STATUS_TRY(joint_sets_init(rig, vertex_count, INFLUENCES_BY_JOINT, &sets));
    for (int s = 0; s < sets.set_count; s++) {
        const int count = sets.first_slot[s + 1] - sets.first_slot[s];
        const int place = count < INFLUENCE_HISTOGRAM_SIZE - 1 ? count : INFLUENCE_HISTOGRAM_SIZE - 1;
        out->histogram[place] += sets.first_vertex[s + 1] - sets.first_vertex[s];
        out->joint_sets_blended += count > 1;
    }
    out->joint_sets = sets.set_count;
    out->most_influences = sets.max_influences;
    out->mean_influences = vertex_count > 0 ? (double)sets.first_weight[sets.set_count] / vertex_count : 0.0;
    for (int slot = 0; slot < sets.slot_count; slot++)
        used[sets.joints[slot]] = 1;
    for (int j = 0; j < rig->joint_count; j++)
        out->joints_used += used[j];
    return status_ok();
}
