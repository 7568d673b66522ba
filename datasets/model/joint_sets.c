/* Groups the vertices of a rig by joint set, and counts influences and sets. */
#include "datasets/model/joint_sets.h"

/* A vertex and pointers to its influences in an InfluenceTable. */
typedef struct Member {
    int32_t vertex, count;
    const int32_t *joints, *ascending; /* the joints in the requested order; the joints sorted by number */
    const double *weights;
} Member;

typedef struct InfluenceTable {
    int32_t *joints;    /* [N][K] */
    int32_t *ascending; /* [N][K] joints sorted by number; NULL if `joints` is sorted already */
    double *weights;    /* [N][K] */
    Member *members;    /* [N] */
} InfluenceTable;

/* Adds an influence to a list of `count` influences. INFLUENCES_BY_JOINT keeps the list sorted by joint
 * number; otherwise the influence is appended. If the list has the joint already, the weights are added.
 * Returns the new count. */
static int influence_add(int32_t *joints, double *weights, int count, int32_t joint, double weight,
                         InfluenceOrder order)
{
    int place = 0;
    while (place < count && (order == INFLUENCES_BY_JOINT ? joints[place] < joint : joints[place] != joint))
        place++;
    if (place < count && joints[place] == joint) {
        weights[place] += weight;
        return count;
    }
    memmove(joints + place + 1, joints + place, (size_t)(count - place) * sizeof *joints);
    memmove(weights + place + 1, weights + place, (size_t)(count - place) * sizeof *weights);
    joints[place] = joint;
    weights[place] = weight;
    return count + 1;
}

static Status member_gather(const Rig *rig, int vertex, InfluenceOrder order, const InfluenceTable *table)
{
    size_t slots = (size_t)rig->influence_count, first = (size_t)vertex * slots;
    int32_t *joints = table->joints + first;
    double *weights = table->weights + first;
    int count = 0;
    float max = 0.0f;
    for (size_t slot = 0; slot < slots; slot++)
        max = fmaxf(max, fabsf(rig->weight_values[first + slot]));
    for (size_t slot = 0; slot < slots; slot++) {
        int32_t joint = rig->weight_joints[first + slot];
        double weight = (double)rig->weight_values[first + slot];
        if (!isfinite(weight))
            return bad_input("weight %zu of vertex %d is %g, expected a finite number", slot, vertex, weight);
        if (joint < 0 || joint >= rig->joint_count)
            return bad_input("influence %zu of vertex %d refers to joint %d, expected 0 to %d", slot, vertex,
                             joint, rig->joint_count - 1);
        if (fabs(weight) > FLOAT_SHARE * (double)max)
            count = influence_add(joints, weights, count, joint, weight, order);
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        joints[kept] = joints[i];
        weights[kept] = weights[i];
        kept += weights[i] != 0.0;
    }
    count = kept;
    if (count == 0)
        return bad_input("vertex %d has no joint with a non-zero weight", vertex);
    int32_t *ascending = table->ascending ? table->ascending + first : joints;
    if (table->ascending) {
        for (int i = 0; i < count; i++) {
            int index = i;
            for (; index > 0 && ascending[index - 1] > joints[i]; index--)
                ascending[index] = ascending[index - 1];
            ascending[index] = joints[i];
        }
    }
    table->members[vertex] = (Member){vertex, count, joints, ascending, weights};
    return status_ok();
}

static int joints_compare(const int32_t *one, const int32_t *other, int count)
{
    for (int k = 0; k < count; k++)
        if (one[k] != other[k])
            return one[k] < other[k] ? -1 : 1;
    return 0;
}

static bool same_set(const Member *one, const Member *other)
{
    return one->count == other->count && joints_compare(one->joints, other->joints, one->count) == 0;
}

/* Compares two vertices by the bound order, for qsort. */
static int member_compare(const void *left, const void *right)
{
    const Member *one = left, *other = right;
    int answer = (one->count > other->count) - (one->count < other->count);
    if (answer == 0)
        answer = joints_compare(one->ascending, other->ascending, one->count);
    if (answer == 0 && one->ascending != one->joints)
        answer = joints_compare(one->joints, other->joints, one->count);
    return answer ? answer : (one->vertex > other->vertex) - (one->vertex < other->vertex);
}

static void influence_table_clear(InfluenceTable *table)
{
    FREE_ALL(table->joints, table->ascending, table->weights, table->members);
}

Status joint_sets_init(const Rig *rig, int vertex_count, InfluenceOrder order, JointSets *out)
{
    *out = (JointSets){0};
    size_t vertices = (size_t)vertex_count, slots = (size_t)rig->influence_count;
    CLEANUP(influence_table_clear)
    InfluenceTable table = {.joints = NULL};
    ALLOCATE_TABLE(table.joints, vertices, slots, "the joint sets");
    if (order == INFLUENCES_AS_LISTED)
        ALLOCATE_TABLE(table.ascending, vertices, slots, "the joint sets");
    ALLOCATE_TABLE(table.weights, vertices, slots, "the joint sets");
    ALLOCATE(table.members, vertices, "the joint sets");
    for (int vertex = 0; vertex < vertex_count; vertex++)
        STATUS_TRY(member_gather(rig, vertex, order, &table));
    qsort(table.members, vertices, sizeof *table.members, member_compare);
    const Member *members = table.members;
    int64_t slot_count = 0, weight_count = 0;
    int set_count = 0;
    for (int i = 0; i < vertex_count; i++) {
        weight_count += members[i].count;
        if (i == 0 || !same_set(&members[i - 1], &members[i])) {
            set_count++;
            slot_count += members[i].count;
        }
    }
    if (slot_count > INT32_MAX)
        return bad_input("the joint sets have %lld slots, more than %d", (long long)slot_count, INT32_MAX);
    out->set_count = set_count;
    out->vertex_count = vertex_count;
    out->slot_count = (int)slot_count;
    ALLOCATE(out->first_slot, (size_t)set_count + 1, "the joint sets");
    ALLOCATE(out->joints, slot_count, "the joint sets");
    ALLOCATE(out->first_vertex, (size_t)set_count + 1, "the joint sets");
    ALLOCATE(out->vertices, vertex_count, "the joint sets");
    ALLOCATE(out->set_of_vertex, vertex_count, "the joint sets");
    ALLOCATE(out->first_weight, (size_t)set_count + 1, "the joint sets");
    ALLOCATE(out->weights, weight_count, "the joint sets");
    int set = 0;
    for (int first = 0, end = 0; first < out->vertex_count; first = end, set++) {
        const Member *model = &members[first];
        while (end < out->vertex_count && same_set(model, &members[end]))
            end++;
        memcpy(out->joints + out->first_slot[set], model->joints, (size_t)model->count * sizeof(int32_t));
        out->first_slot[set + 1] = out->first_slot[set] + model->count;
        out->first_vertex[set + 1] = end;
        out->first_weight[set + 1] = out->first_weight[set] + (int64_t)model->count * (end - first);
        for (int i = first; i < end; i++) {
            out->vertices[i] = members[i].vertex;
            out->set_of_vertex[i] = set;
            for (int k = 0; k < model->count; k++)
                out->weights[out->first_weight[set] + (int64_t)k * (end - first) + (i - first)] =
                    members[i].weights[k];
        }
        out->max_influences =
            model->count; /* sets are sorted by their number of influences, so the last set has the most */
    }
    return status_ok();
}

void joint_sets_clear(JointSets *sets)
{
    FREE_ALL(sets->first_slot, sets->joints, sets->first_vertex, sets->vertices, sets->set_of_vertex,
             sets->first_weight, sets->weights);
    *sets = (JointSets){0};
}

Status rig_statistics(const Rig *rig, int vertex_count, RigStatistics *out)
{
    *out = (RigStatistics){0};
    if (rig->joint_count == 0)
        return status_ok();
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    LOCAL_ARRAY(unsigned char, used, rig->joint_count, "the joints");
    STATUS_TRY(joint_sets_init(rig, vertex_count, INFLUENCES_BY_JOINT, &sets));
    for (int s = 0; s < sets.set_count; s++) {
        const int count = joint_set_size(&sets, s);
        out->histogram[int_min(count, INFLUENCE_HISTOGRAM_SIZE - 1)] +=
            sets.first_vertex[s + 1] - sets.first_vertex[s];
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
