/* Measures what a scale of one joint does to the skin of the joints below it (DQS section 4.2). A local scale
 * moves that skin as its bones elongate; an inherited scale also deforms it. The rest pose is inflated by
 * linear blending in both ways, and the edges are compared whose skin follows only joints below the scaled
 * one.
 *
 *   parameters
 *     joint      name of the joint, or the end of its name
 *     scale      [x, y, z], its scale along the axes of its rest frame
 *   measures
 *     edges      number of the edges that are compared
 *     local_change, inherited_change
 *                largest change of an edge's length, as a share of its length at rest */
#include "harness/run/studies/study.h"

#include "datasets/io/atomic_path.h"
#include "datasets/model/two_phase.h"
#include "harness/measure/metrics/surface.h"

/* The first phase of one frame. */
typedef struct ScaleStudy {
    const Mesh *mesh;
    const Rig *rig;
    int scaled;            /* the scaled joint */
    bool *below;           /* [P] whether a joint is below it */
    Mat3 *scale;           /* [P] */
    Transform *transforms; /* [P] the rest pose */
    Transform *first;      /* [P] the joints' motions in the first phase */
    Transform *unused;     /* [2][P] */
} ScaleStudy;

static void scale_study_clear(ScaleStudy *study)
{
    FREE_ALL(study->below, study->scale, study->transforms, study->first, study->unused);
}

static Status joint_find(const StudyInput *input, ScaleStudy *study)
{
    const char *name = study_text(input, "joint", "");
    study->scaled = -1;
    for (int j = study->rig->joint_count - 1; j >= 0; j--)
        if (strcmp(study->rig->joint_names[j], name) == 0 || path_ends(study->rig->joint_names[j], name))
            study->scaled = j;
    if (study->scaled < 0)
        return bad_input("the rig has no joint '%s'", name);
    for (int j = study->scaled + 1; j < study->rig->joint_count; j++) {
        const int parent = study->rig->parents[j];
        study->below[j] = parent == study->scaled || (parent >= 0 && study->below[parent]);
    }
    return status_ok();
}

/* Lets the joints below inherit the scale: F'_j = F'_p R_j S_j instead of A''_j S_j. As the scale of all
 * other joints is the identity, their motion is that of the scaled joint. */
static void scale_inherit(ScaleStudy *study)
{
    for (int j = 0; j < study->rig->joint_count; j++)
        if (study->below[j])
            study->first[j] = study->first[study->scaled];
}

static Vec3 inflated(const ScaleStudy *study, int vertex)
{
    const Rig *rig = study->rig;
    Vec3 sum = vec3_make(0.0, 0.0, 0.0);
    double total = 0.0;
    for (int k = 0; k < rig->influence_count; k++) {
        const size_t slot = (size_t)vertex * (size_t)rig->influence_count + (size_t)k;
        const double weight = (double)rig->weight_values[slot];
        const Vec3 moved =
            transform_point(study->first[rig->weight_joints[slot]], point_at(study->mesh->rest, vertex));
        sum = vec3_add_scaled(sum, moved, weight);
        total += weight;
    }
    return vec3_scale(sum, 1.0 / total);
}

static bool follows_below(const ScaleStudy *study, int vertex)
{
    const Rig *rig = study->rig;
    bool all = true;
    for (int k = 0; k < rig->influence_count; k++) {
        const size_t slot = (size_t)vertex * (size_t)rig->influence_count + (size_t)k;
        all = all && (rig->weight_values[slot] == 0.0f || study->below[rig->weight_joints[slot]]);
    }
    return all;
}

/* Returns the largest relative change of the compared edges, and counts them. */
static double edges_compare(const ScaleStudy *study, const Surface *surface, int *count)
{
    double max = 0.0;
    *count = 0;
    for (int e = 0; e < surface->edge_count; e++) {
        const MeshEdge *edge = &surface->edges[e];
        if (!follows_below(study, edge->low) || !follows_below(study, edge->high))
            continue;
        const double before = vec3_length(
            vec3_sub(point_at(study->mesh->rest, edge->low), point_at(study->mesh->rest, edge->high)));
        const double after = vec3_length(vec3_sub(inflated(study, edge->low), inflated(study, edge->high)));
        max = before > 0.0 ? fmax(max, fabs(after / before - 1.0)) : max;
        *count += before > 0.0;
    }
    return max;
}

static Status scale_scope_run(const StudyInput *input, Measures *measures)
{
    double factors[3];
    int edges = 0;
    CLEANUP(scale_study_clear) ScaleStudy study = {.scaled = -1};
    CLEANUP(surface_clear) Surface surface = {0};
    study_numbers(input, "scale", factors, 3);
    if (!input->subject || input->subject->dataset->rig.joint_count == 0)
        return bad_input("there is no rig with a joint to scale");
    if (isnan(factors[0] + factors[1] + factors[2]))
        return bad_usage("the parameter scale must be three factors: [x, y, z]");
    study.mesh = &input->subject->dataset->mesh;
    study.rig = &input->subject->dataset->rig;
    const int joints = study.rig->joint_count;
    ALLOCATE(study.below, joints, "a scaled joint");
    ALLOCATE(study.scale, joints, "a scaled joint");
    ALLOCATE(study.transforms, joints, "a scaled joint");
    ALLOCATE(study.first, joints, "a scaled joint");
    ALLOCATE_TABLE(study.unused, joints, 2, "a scaled joint");
    STATUS_TRY(joint_find(input, &study));
    STATUS_TRY(surface_init(study.mesh, &surface));
    for (int j = 0; j < joints; j++) {
        study.transforms[j] = transform_identity();
        study.scale[j] = (Mat3){.m00 = 1.0, .m11 = 1.0, .m22 = 1.0};
    }
    study.scale[study.scaled] = (Mat3){.m00 = factors[0], .m11 = factors[1], .m22 = factors[2]};
    STATUS_TRY(two_phase_split(study.rig, study.transforms, study.scale, study.first, study.unused,
                               study.unused + joints));
    const double local = edges_compare(&study, &surface, &edges);
    scale_inherit(&study);
    const double inherited = edges_compare(&study, &surface, &edges);
    if (edges == 0)
        return bad_input("no edge of the skin follows only joints below '%s'",
                         study.rig->joint_names[study.scaled]);
    measures_add(measures, "edges", edges);
    measures_add(measures, "local_change", local);
    measures_add(measures, "inherited_change", inherited);
    return status_ok();
}

const Study study_scale_scope = {"what the scale of a joint does to the skin of the joints below it",
                                 scale_scope_run};
