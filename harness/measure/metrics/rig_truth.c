/* Compares a rig with the true one, by the definitions of RigNet's authors (Xu et al. 2020, section 7). */
#include "harness/measure/metrics/further.h"

/* Returns the mean distance from a joint of one rig to the nearest joint of the other. */
static double joints_distance(const Rig *from, const Rig *other)
{
    double sum = 0.0;
    for (int i = 0; i < from->joint_count; i++) {
        double nearest = INFINITY;
        for (int k = 0; k < other->joint_count; k++)
            nearest =
                fmin(nearest, vec3_length(vec3_sub(rig_joint_place(from, i), rig_joint_place(other, k))));
        sum += nearest;
    }
    return sum / from->joint_count;
}

/* Returns whether every joint is at the origin, as in the rigs of fits that find no skeleton. */
static bool joints_are_unplaced(const Rig *rig)
{
    for (int i = 0; i < rig->joint_count; i++)
        if (vec3_length(rig_joint_place(rig, i)) > 0.0)
            return false;
    return true;
}

/* Adds the weights of a row, times `sign`, to dense [P], which is indexed by joints of the true rig. names
 * [joints of rig] maps the joints of `rig` to them; NULL means that the joints are the same. */
static void row_scatter(const Rig *rig, int32_t row, const int32_t *names, double sign, double *dense)
{
    for (int k = 0; k < rig->influence_count; k++) {
        const size_t slot = (size_t)row * (size_t)rig->influence_count + (size_t)k;
        if (rig->weight_values[slot] != 0.0f)
            dense[names ? names[rig->weight_joints[slot]] : rig->weight_joints[slot]] +=
                sign * (double)rig->weight_values[slot];
    }
}

Status rig_truth_find(const Rig *truth, const Rig *rig, const int32_t *rows, int vertex_count, RigTruth *out)
{
    const double SIGNIFICANT = 1e-4; /* smallest weight that counts as an influence (Liu et al. 2019) */
    const int joints = truth ? truth->joint_count : 0;
    double found = 0.0, expected = 0.0, both = 0.0, difference = 0.0;
    *out = (RigTruth){NAN, NAN, NAN, NAN};
    if (joints == 0 || !rig || rig->joint_count == 0 || vertex_count == 0)
        return status_ok();
    /* Chamfer distance of the joints (CD-J2J in RigNet) */
    if (!joints_are_unplaced(rig))
        out->joint_distance = (joints_distance(truth, rig) + joints_distance(rig, truth)) / 2.0;
    LOCAL_ARRAY(int32_t, names, rig->joint_count, "the joints of two rigs");
    LOCAL_TABLE(double, dense, joints, 2, "the joints of two rigs");
    for (int i = 0; i < rig->joint_count; i++) {
        names[i] = rig->joint_names[i] ? rig_joint_find(truth, rig->joint_names[i]) : -1;
        if (names[i] < 0)
            return status_ok();
    }
    for (int v = 0; v < vertex_count; v++) {
        memset(dense, 0, 2 * (size_t)joints * sizeof *dense);
        row_scatter(truth, v, NULL, 1.0, dense);
        row_scatter(rig, rows ? rows[v] : v, names, 1.0, dense + joints);
        for (int j = 0; j < joints; j++) {
            const bool is = dense[j] > SIGNIFICANT, is_found = dense[joints + j] > SIGNIFICANT;
            expected += is;
            found += is_found;
            both += is && is_found;
            difference += fabs(dense[j] - dense[joints + j]);
        }
    }
    out->precision = 100.0 * both / found;
    out->recall = 100.0 * both / expected;
    out->l1 = difference / vertex_count;
    return status_ok();
}
