/* Measures how methods change the skin of a rig over all its frames compared with linear blending: distance
 * from linear blending, stretch of edges, and change of volume (CoR Figs. 6 and 8 to 13, which print no
 * numbers). The reference backend skins; a rig with scale is skinned in two phases.
 *
 *   parameters
 *     methods   names of the methods; "pairs" blends quaternions and translations about the origin, each
 *               linearly (DQS Figure 6)
 *   measures of each method NAME
 *     NAME_lbs_distance_percent       mean distance over vertices and frames, in % of the diagonal
 *     NAME_lbs_distance_max_percent   largest distance, in % of the diagonal
 *     NAME_stretch_max                largest ratio of an edge to its rest length
 *     NAME_stretch_beyond_lbs_max     largest excess of this ratio over that under linear blending
 *     NAME_stretch_percent            mean elongation of the edges; a shortened edge counts as 0
 *     NAME_volume_least_percent, NAME_volume_most_percent
 *                                     smallest and largest change of volume from the rest pose,
 *                                     if the mesh has a volume */
#include "harness/run/studies/study.h"

#include "harness/measure/metrics/surface.h"
#include "methods/posing/rigid_pose.h"

typedef struct ShapeStudy {
    const Mesh *mesh;
    const Rig *rig;
    Surface surface;
    double *rest_lengths;  /* [edge_count] */
    double *linear, *skin; /* [N][3] positions in one frame, under lbs and under the method */
    float *rounded;        /* [N][3] */
    double *holes;         /* scratch for the volume */
    double rest_volume, diagonal;
} ShapeStudy;

/* Blends quaternions, with signs against the sum so far, and translations about the origin. Joints must be
 * rigid. quats [P][RIGID_DUAL_QUAT_FLOATS] is scratch. */
static void pairs_skin(const ShapeStudy *study, int frame, double *quats)
{
    const Rig *rig = study->rig;
    const Transform *poses = rig->transforms + (size_t)frame * (size_t)rig->joint_count;
    rigid_pose_dual_quats(rig, poses, quats, RIGID_DUAL_QUAT_FLOATS);
    for (int v = 0; v < study->mesh->vertex_count; v++) {
        Quat sum = quat_make(0.0, 0.0, 0.0, 0.0);
        Vec3 shift = vec3_make(0.0, 0.0, 0.0);
        double total = 0.0;
        for (int k = 0; k < rig->influence_count; k++) {
            const size_t slot = (size_t)v * (size_t)rig->influence_count + (size_t)k;
            const double weight = (double)rig->weight_values[slot];
            const int32_t joint = rig->weight_joints[slot];
            const Quat q = rigid_pose_dual_quat_at(quats, joint).real;
            sum = quat_add_scaled(sum, q, quat_dot(sum, q) < 0.0 ? -weight : weight);
            shift = vec3_add_scaled(shift, transform_translation(poses[joint]), weight);
            total += weight;
        }
        const Vec3 turned = quat_rotate(quat_normalize(sum), point_at(study->mesh->rest, v));
        vector_store(vec3_add_scaled(turned, shift, 1.0 / total), study->skin + 3 * (ptrdiff_t)v);
    }
}

static Status frame_skin(Skinner *skinner, int frame, double *positions)
{
    STATUS_TRY(skinner_pose_frames(skinner, frame, 1));
    STATUS_TRY(skinner_skin(skinner));
    return skinner_read_double(skinner, 0, positions, NULL);
}

static Status method_shape(const StudyInput *input, const ShapeStudy *study, const char *method,
                           Measures *measures)
{
    double distance_sum = 0.0, distance_max = 0.0, stretch_sum = 0.0, stretch_max = 0.0, beyond_max = 0.0;
    double volume_least = INFINITY, volume_most = -INFINITY;
    OWNED_BY(skinner_free) Skinner *linear = NULL, *skinner = NULL;
    SkinnerOptions options;
    const bool pairs = strcmp(method, "pairs") == 0;
    LOCAL_TABLE(double, quats, study->rig->joint_count, RIGID_DUAL_QUAT_FLOATS, "the shape of a skin");
    if (pairs && study->rig->scale)
        return bad_input("a rig with scale cannot be skinned by pairs of quaternion and translation");
    STATUS_TRY(study_method(input, "lbs", NULL, &options));
    options.two_phase = study->rig->scale != NULL;
    STATUS_TRY(skinner_create(&options, study->mesh, study->rig, &linear));
    if (!pairs) {
        STATUS_TRY(study_method(input, method, NULL, &options));
        options.two_phase = study->rig->scale != NULL;
        options.first_phase = skinning_first_phase();
        STATUS_TRY(skinner_create(&options, study->mesh, study->rig, &skinner));
    }
    for (int frame = 0; frame < study->rig->frame_count; frame++) {
        if (!progress_report(input->progress, input->subject->name, (double)frame / study->rig->frame_count))
            return status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
        STATUS_TRY(frame_skin(linear, frame, study->linear));
        if (pairs)
            pairs_skin(study, frame, quats);
        else
            STATUS_TRY(frame_skin(skinner, frame, study->skin));
        /* add the distances, stretch and volume of this frame to the sums */
        for (size_t v = 0; v < (size_t)study->mesh->vertex_count; v++) {
            const double apart = study_distance(study->skin + 3 * v, study->linear + 3 * v);
            distance_sum += apart;
            distance_max = fmax(distance_max, apart);
        }
        for (int e = 0; e < study->surface.edge_count; e++) {
            const MeshEdge *edge = &study->surface.edges[e];
            if (!(study->rest_lengths[e] > 0.0))
                continue;
            const size_t low = 3 * (size_t)edge->low, high = 3 * (size_t)edge->high;
            const double stretch =
                study_distance(study->skin + low, study->skin + high) / study->rest_lengths[e];
            const double linear_stretch =
                study_distance(study->linear + low, study->linear + high) / study->rest_lengths[e];
            stretch_sum += fmax(stretch - 1.0, 0.0);
            stretch_max = fmax(stretch_max, stretch);
            beyond_max = fmax(beyond_max, stretch - linear_stretch);
        }
        for (size_t i = 0; i < 3 * (size_t)study->mesh->vertex_count; i++)
            study->rounded[i] = (float)study->skin[i];
        const double change =
            surface_volume_change(&study->surface, study->rest_volume, study->rounded, study->holes);
        volume_least = fmin(volume_least, change);
        volume_most = fmax(volume_most, change);
    }
    /* report the sums and maxima over all frames */
    const double frames = study->rig->frame_count;
    const double vertices = frames * study->mesh->vertex_count, edges = frames * study->surface.edge_count;
    const bool solid = isfinite(study->rest_volume) != 0;
    study_number_add(measures, 100.0 * distance_sum / vertices / study->diagonal, "%s_lbs_distance_percent",
                     method);
    study_number_add(measures, 100.0 * distance_max / study->diagonal, "%s_lbs_distance_max_percent", method);
    study_number_add(measures, 100.0 * stretch_sum / edges, "%s_stretch_percent", method);
    study_number_add(measures, stretch_max, "%s_stretch_max", method);
    study_number_add(measures, beyond_max, "%s_stretch_beyond_lbs_max", method);
    study_number_add(measures, solid ? 100.0 * volume_least : NAN, "%s_volume_least_percent", method);
    study_number_add(measures, solid ? 100.0 * volume_most : NAN, "%s_volume_most_percent", method);
    return status_ok();
}

static void shape_study_clear(ShapeStudy *study)
{
    surface_clear(&study->surface);
    FREE_ALL(study->rest_lengths, study->linear, study->skin, study->rounded, study->holes);
}

Status study_skin_shape(const StudyInput *input, Measures *measures)
{
    const Argument *methods = argument_find(input->parameters, "methods");
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->rig.frame_count == 0 || dataset->mesh.vertex_count == 0)
        return bad_input("there is no rig with transforms to skin with");
    CLEANUP(shape_study_clear) ShapeStudy study = {.mesh = &dataset->mesh, .rig = &dataset->rig};
    /* reference values of the rest pose: lengths, volume and diagonal */
    const Mesh *mesh = study.mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    STATUS_TRY(surface_init(mesh, &study.surface));
    ALLOCATE(study.rest_lengths, study.surface.edge_count, "the shape of a skin");
    ALLOCATE_TABLE(study.linear, vertices, 3, "the shape of a skin");
    ALLOCATE_TABLE(study.skin, vertices, 3, "the shape of a skin");
    ALLOCATE_TABLE(study.rounded, vertices, 3, "the shape of a skin");
    ALLOCATE_TABLE(study.holes, study.surface.hole_count, 4, "the shape of a skin");
    surface_edge_lengths(&study.surface, mesh->rest, study.rest_lengths);
    study.rest_volume = surface_volume(&study.surface, mesh->rest, study.holes);
    study.diagonal = bounds_of(mesh->rest, mesh->vertex_count).diagonal;
    for (int i = 0; i < argument_count(methods); i++)
        STATUS_TRY(method_shape(input, &study, argument_text(argument_at(methods, i), ""), measures));
    return status_ok();
}
