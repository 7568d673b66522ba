/* Measures the shape that a rig's centres of rotation form (CoR Fig. 7 and section 4): a curve for vertices
 * of two joints, a volume for vertices of more joints. The centres of the vertices of a joint set have a
 * mean and a covariance, whose eigenvalues are the squares of their extents along three axes. Results are
 * means over joint sets, weighted by their vertices. Sets with fewer than MEMBERS vertices are ignored.
 *
 *   parameters
 *     set             settings of the method cor
 *   measures
 *     curve_percent   sets of two joints: second-largest extent divided by the largest
 *     body_percent    the same ratio for larger sets
 *     thickness_two, thickness_more
 *                     extent along the shortest axis for sets of two joints and for larger sets, in % of
 *                     the bounding box's diagonal */
#include "harness/run/studies/center_rig.h"

#include "datasets/geometry/jacobi.h"

enum { MEMBERS = 8 };

/* Sums over the vertices of joint sets with two joints, or with more. */
typedef struct ShapeSums {
    double vertices, across, shortest;
} ShapeSums;

/* Computes the extents of points along their principal axes, ascending. */
static void reaches_find(const float *centers, const int32_t *vertices, int count, double reaches[3])
{
    Vec3 mean = vec3_make(0.0, 0.0, 0.0);
    double covariance[9] = {0.0}, axes[9];
    for (int i = 0; i < count; i++)
        mean = vec3_add_scaled(mean, point_at(centers, vertices[i]), 1.0 / count);
    for (int i = 0; i < count; i++) {
        const Vec3 arm = vec3_sub(point_at(centers, vertices[i]), mean);
        const double a[3] = {arm.x, arm.y, arm.z};
        for (int e = 0; e < 9; e++)
            covariance[e] += a[e / 3] * a[e % 3] / count;
    }
    jacobi_eigen(covariance, 3, axes);
    for (int i = 0; i < 3; i++)
        reaches[i] = sqrt(fmax(covariance[4 * i], 0.0));
    values_sort(reaches, 3);
}

Status study_center_shape(const StudyInput *input, Measures *measures)
{
    static const char *const names[2][2] = {{"curve_percent", "thickness_two"},
                                            {"body_percent", "thickness_more"}};
    ShapeSums sums[2] = {{.vertices = 0.0}, {.vertices = 0.0}};
    double counts[SKINNING_COUNTERS_MAX], time_s = 0.0;
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    CLEANUP(center_rig_clear) CenterRig rig = {0};
    STATUS_TRY(center_rig_open(input, &rig));
    STATUS_TRY(center_rig_search(&rig, &rig.options.parameters, 1, counts, &time_s));
    STATUS_TRY(joint_sets_init(&rig.rig, rig.mesh->vertex_count, INFLUENCES_BY_JOINT, &sets));
    for (int set = 0; set < sets.set_count; set++) {
        const int joints = sets.first_slot[set + 1] - sets.first_slot[set];
        const int count = sets.first_vertex[set + 1] - sets.first_vertex[set];
        double reaches[3];
        if (joints < 2 || count < MEMBERS)
            continue;
        reaches_find(rig.rig.centers, sets.vertices + sets.first_vertex[set], count, reaches);
        ShapeSums *sum = &sums[joints > 2];
        sum->vertices += count;
        sum->across += reaches[2] > 0.0 ? count * reaches[1] / reaches[2] : 0.0;
        sum->shortest += count * reaches[0];
    }
    const double diagonal = bounds_of(rig.mesh->rest, rig.mesh->vertex_count).diagonal;
    for (int i = 0; i < 2; i++) {
        const double vertices = sums[i].vertices > 0.0 ? sums[i].vertices : NAN;
        measures_add(measures, names[i][0], 100.0 * sums[i].across / vertices);
        measures_add(measures, names[i][1], 100.0 * sums[i].shortest / vertices / diagonal);
    }
    return status_ok();
}
