/* Keeps the largest weights of every vertex and scales them to sum 1. */
#include "datasets/model/prune.h"

typedef struct Influence {
    int32_t joint;
    double weight;
} Influence;

/* One vertex's influences without zeros and doubles, in descending order. Returns how many. */
static int influences_gather(const int32_t *joints, const float *values, int slots, Influence *list)
{
    int count = 0;
    for (int k = 0; k < slots; k++) {
        int i = 0;
        while (i < count && list[i].joint != joints[k])
            i++;
        if (i == count)
            list[count++] = (Influence){.joint = joints[k]};
        list[i].weight += values[k];
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        Influence next = list[i];
        if (next.weight == 0.0)
            continue;
        int at = kept++;
        for (; at > 0 && (next.weight > list[at - 1].weight ||
                          (next.weight == list[at - 1].weight && next.joint < list[at - 1].joint));
             at--)
            list[at] = list[at - 1];
        list[at] = next;
    }
    return kept;
}

/* A vertex whose weights have a positive sum keeps one: the mean of its largest is at least the mean of all.
 */
Status rig_prune(Rig *rig, int vertex_count, int influences)
{
    if (influences < 1)
        return bad_usage("%d influences per vertex, expected at least 1", influences);
    int slots = rig->influence_count, kept = influences < slots ? influences : slots;
    LOCAL_TABLE(int32_t, joints, vertex_count, kept, "the weights");
    LOCAL_TABLE(float, values, vertex_count, kept, "the weights");
    LOCAL_ARRAY(Influence, list, slots, "the weights");
    for (int v = 0; v < vertex_count; v++) {
        size_t from = (size_t)v * (size_t)slots, to = (size_t)v * (size_t)kept;
        int count = influences_gather(rig->weight_joints + from, rig->weight_values + from, slots, list);
        count = count < kept ? count : kept;
        double sum = 0.0;
        for (int k = 0; k < count; k++)
            sum += list[k].weight;
        if (!(sum > 0.0))
            return bad_input("the weights of vertex %d have the sum %g, expected 1", v, sum);
        for (int k = 0; k < count; k++) {
            joints[to + (size_t)k] = list[k].joint;
            values[to + (size_t)k] = (float)(list[k].weight / sum);
        }
    }
    rig_weights_replace(rig, kept, joints, values);
    joints = NULL;
    values = NULL;
    return status_ok();
}
