/* Measures what a scale of one joint does to the skin of the joints below it (DQS section 4.2). A local scale
 * moves that skin as its bones elongate; an inherited scale also deforms it. The rest pose is inflated by
 * linear blending in both ways, and the edges are compared whose skin follows only joints below the scaled
 * one.
 *
 *   parameters
 *     joint      name of the joint
 *     scale      [x, y, z], its scale along the axes of its rest frame
 *   measures
 *     edges      number of the edges that are compared
 *     local_change, inherited_change
 *                largest change of an edge's length, as a share of its length at rest */
#include "harness/run/studies/study.h"

#include "datasets/model/two_phase.h"
#include "harness/measure/metrics/surface.h"

/* Whether all joints of a vertex are below the scaled joint. */
static bool follows_below(const Rig *rig, const bool *below, int vertex)
{
    bool all = true;
    for (int k = 0; k < rig->influence_count; k++) {
        const size_t slot = (size_t)vertex * (size_t)rig->influence_count + (size_t)k;
        all = all && (rig->weight_values[slot] == 0.0f || below[rig->weight_joints[slot]]);
    }
    return all;
}

/* Inflates the rest pose by transforms [P], and finds the largest relative change of the edges that are
 * compared. Counts these edges. */
static Status edges_compare(const StudyInput *input, const Surface *surface, Transform *transforms,
                            const bool *below, double *change, int *count)
{
    const Mesh *mesh = &input->dataset->mesh;
    Rig rig = input->dataset->rig;
    SkinnerOptions options;
    LOCAL_TABLE(double, inflated, mesh->vertex_count, 3, "a scaled joint");
    rig.transforms = transforms;
    rig.scale = NULL;
    rig.frame_count = 1;
    STATUS_TRY(study_method(input, "lbs", NULL, &options));
    STATUS_TRY(study_skin(&options, mesh, &rig, 0, inflated));
    *change = 0.0;
    *count = 0;
    for (int e = 0; e < surface->edge_count; e++) {
        const int a = surface->edges[e].low, b = surface->edges[e].high;
        const double before = vec3_length(vec3_sub(point_at(mesh->rest, a), point_at(mesh->rest, b)));
        if (!(before > 0.0) || !follows_below(&rig, below, a) || !follows_below(&rig, below, b))
            continue;
        const double after = study_distance(inflated + 3 * (ptrdiff_t)a, inflated + 3 * (ptrdiff_t)b);
        *change = fmax(*change, fabs(after / before - 1.0));
        *count += 1;
    }
    return status_ok();
}

Status study_scale_scope(const StudyInput *input, Measures *measures)
{
    const char *name = study_text(input, "joint", "");
    double factors[3], local = 0.0, inherited = 0.0;
    int edges = 0;
    CLEANUP(surface_clear) Surface surface = {0};
    study_numbers(input, "scale", factors, 3);
    if (!input->dataset || input->dataset->rig.joint_count == 0)
        return bad_input("there is no rig with a joint to scale");
    if (isnan(factors[0] + factors[1] + factors[2]))
        return bad_usage("the parameter scale must be three factors: [x, y, z]");
    const Rig *rig = &input->dataset->rig;
    const int joints = rig->joint_count, scaled = rig_joint_find(rig, name);
    if (scaled < 0)
        return bad_input("the rig has no joint '%s'", name);
    LOCAL_ARRAY(bool, below, joints, "a scaled joint");
    LOCAL_ARRAY(Mat3, scale, joints, "a scaled joint");
    LOCAL_TABLE(Transform, transforms, joints, 4, "a scaled joint");
    Transform *first = transforms + joints, *second = first + joints, *rest = second + joints;
    for (int j = 0; j < joints; j++) {
        below[j] = rig->parents[j] >= 0 && (rig->parents[j] == scaled || below[rig->parents[j]]);
        transforms[j] = transform_identity();
        scale[j] = (Mat3){.m00 = 1.0, .m11 = 1.0, .m22 = 1.0};
    }
    scale[scaled] = (Mat3){.m00 = factors[0], .m11 = factors[1], .m22 = factors[2]};
    STATUS_TRY(surface_init(&input->dataset->mesh, &surface));
    STATUS_TRY(two_phase_split(rig, transforms, scale, first, second, rest));
    STATUS_TRY(edges_compare(input, &surface, first, below, &local, &edges));
    /* Inherited scale: F'_j = F'_p R_j S_j instead of A''_j S_j. As the other joints have no scale, those
     * below move with the scaled joint. */
    for (int j = 0; j < joints; j++)
        first[j] = below[j] ? first[scaled] : first[j];
    STATUS_TRY(edges_compare(input, &surface, first, below, &inherited, &edges));
    if (edges == 0)
        return bad_input("no edge of the skin follows only joints below '%s'", name);
    measures_add(measures, "edges", edges);
    measures_add(measures, "local_change", local);
    measures_add(measures, "inherited_change", inherited);
    return status_ok();
}
