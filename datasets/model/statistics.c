/* Counts influences and joint sets of a rig, and measures the bounds of a data set. */
#include "datasets/model/statistics.h"

#include "datasets/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One vertex's joints in ascending order. */
typedef struct JointSet {
    const int32_t *joints;
    int count;
} JointSet;

static int joint_sets_compare(const void *a, const void *b)
{
    const JointSet *first = a, *second = b;
    if (first->count != second->count)
        return first->count < second->count ? -1 : 1;
    return memcmp(first->joints, second->joints, (size_t)first->count * sizeof *first->joints);
}

/* Copies the joints with a weight to `joints`, sorted, each once; returns how many. */
static int joints_sort(const int32_t *listed, const float *values, int slots, int32_t *joints)
{
    int count = 0;
    for (int k = 0; k < slots; k++) {
        int at = count;
        while (at > 0 && joints[at - 1] >= listed[k])
            at--;
        if (values[k] == 0.0f || (at < count && joints[at] == listed[k]))
            continue;
        memmove(joints + at + 1, joints + at, (size_t)(count - at) * sizeof *joints);
        joints[at] = listed[k];
        count++;
    }
    return count;
}

static void sets_count(const JointSet *sets, int vertex_count, RigStatistics *out)
{
    double total = 0.0;
    for (int v = 0; v < vertex_count; v++) {
        int count = sets[v].count;
        total += count;
        out->most_influences = count > out->most_influences ? count : out->most_influences;
        out->histogram[count < INFLUENCE_HISTOGRAM_SIZE - 1 ? count : INFLUENCE_HISTOGRAM_SIZE - 1]++;
        if (v == 0 || joint_sets_compare(&sets[v], &sets[v - 1]) != 0) {
            out->joint_sets++;
            out->joint_sets_blended += count > 1;
        }
    }
    out->mean_influences = vertex_count > 0 ? total / vertex_count : 0.0;
}

Status rig_statistics(const Rig *rig, int vertex_count, RigStatistics *out)
{
    *out = (RigStatistics){0};
    if (rig->joint_count == 0)
        return status_ok();
    Status status = status_ok();
    size_t slots = (size_t)rig->influence_count;
    JointSet *sets = memory_array((size_t)vertex_count, sizeof *sets);
    /* One more, as sorting in briefly needs it. */
    int32_t *joints = memory_table((size_t)vertex_count + 1, slots + 1, sizeof *joints);
    unsigned char *used = memory_array((size_t)rig->joint_count, 1);
    if (!sets || !joints || !used) {
        status = status_out_of_memory("the joint sets");
        goto done;
    }
    for (size_t v = 0; v < (size_t)vertex_count; v++) {
        int32_t *own = joints + v * (slots + 1);
        int count = joints_sort(rig->weight_joints + v * slots, rig->weight_values + v * slots,
                                rig->influence_count, own);
        sets[v] = (JointSet){own, count};
        for (int k = 0; k < count; k++)
            used[own[k]] = 1;
    }
    if (vertex_count > 0)
        qsort(sets, (size_t)vertex_count, sizeof *sets, joint_sets_compare);
    sets_count(sets, vertex_count, out);
    for (int j = 0; j < rig->joint_count; j++)
        out->joints_used += used[j];
done:
    memory_free(sets);
    memory_free(joints);
    memory_free(used);
    return status;
}
