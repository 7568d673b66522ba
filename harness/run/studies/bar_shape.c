/* Measures how a motion changes a bar's shape under several methods (CoR Fig. 2). The measures are the
 * change of volume, and the largest bulge and collapse relative to two axes; curves show the deviation
 * along the bar. On request, twist joints are added first (CoR Fig. 5), or a helper bone at the joint, which
 * turns half as far (CoR section 2). The reference backend skins the last frame of the rig. */
#include "harness/run/studies/study.h"

#include "datasets/geometry/angles.h"
#include "datasets/model/evaluate.h"
#include "datasets/model/twist_joint.h"
#include "harness/measure/metrics/skin_damage.h"
#include "methods/posing/rigid_pose.h"

/* Axes from which a bulge is measured. The name of a measure consists of the method, the word for the axis,
 * and the quantity. */
enum { AXIS_CENTERS, AXIS_BONES, AXIS_COUNT };
static const char *const axis_names[AXIS_COUNT] = {"", "bones_"};

/* A bar along x as rings of vertices, and the radial deviation of its posed skin (CoR Fig. 2). The
 * deviation is measured from two axes. The medial axis of a pose is the line through the rings' centroids
 * under linear blending. It is the curve on which CoR Fig. 7 finds the centres of rotation, and it turns a
 * sharp corner of the bones into a smooth arc. The other axis favours no method: it consists of the bones,
 * with the centre of every ring moved by its heaviest joint alone.
 *
 * The deviation of a vertex is its distance from the nearest point of the axis, divided by its distance
 * from the axis at rest, minus 1. A bulge is positive, a collapse negative. In a bend, only the outer half
 * of every ring counts, which faces away from the bend. On the inner side the skin folds under every
 * method, so the nearest point of the axis means nothing there. In a twist all vertices count. N vertices,
 * R rings. */
typedef struct Bar {
    const Mesh *mesh;
    const Rig *rig;
    int ring_count;
    int32_t *ring_of; /* [N] ring of each vertex; -1 for the centre of a cap */
    int *members;     /* [R] number of vertices in a ring */
    Vec3 *centers;    /* [R] centre at rest */
    Surface surface;
    Vec3 *axes;        /* [AXIS_COUNT][R] axes of the pose */
    double *positions; /* [N][3] skin of the current method */
    float *rounded;    /* [N][3] */
    double *profile; /* [R] deviation of each ring: the value with the largest magnitude among its vertices */
    double *holes;   /* scratch for the volume */
    double rest_volume;
} Bar;

/* Computes the centroids of the rings in positions [N][3]. */
static void bar_axis(const Bar *bar, const double *positions, Vec3 *axis)
{
    for (int ring = 0; ring < bar->ring_count; ring++)
        axis[ring] = vec3_make(0.0, 0.0, 0.0);
    for (int v = 0; v < bar->mesh->vertex_count; v++)
        if (bar->ring_of[v] >= 0)
            axis[bar->ring_of[v]] = vec3_add(axis[bar->ring_of[v]], vector_at(positions, (size_t)v));
    for (int ring = 0; ring < bar->ring_count; ring++)
        axis[ring] = vec3_scale(axis[ring], 1.0 / bar->members[ring]);
}

/* Finds the rings, which are consecutive vertices with the same x. STATUS_BAD_INPUT if there are fewer than
 * two. */
static Status bar_rings_find(Bar *bar)
{
    const Mesh *mesh = bar->mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    ALLOCATE(bar->ring_of, vertices, "the rings of a bar");
    ALLOCATE(bar->members, vertices, "the rings of a bar");
    LOCAL_TABLE(double, rest, vertices, 3, "the rings of a bar");
    /* Number the rings. The centre of a cap is on the axis; every other vertex is about a radius away from
     * it. */
    double radius = 0.0, before = NAN;
    for (int v = 0; v < mesh->vertex_count; v++)
        radius = fmax(radius, hypot(point_at(mesh->rest, v).y, point_at(mesh->rest, v).z));
    for (int v = 0; v < mesh->vertex_count; v++) {
        Vec3 p = point_at(mesh->rest, v);
        bar->ring_of[v] = -1;
        if (hypot(p.y, p.z) <= 0.5 * radius)
            continue;
        bar->ring_count += p.x != before;
        bar->ring_of[v] = bar->ring_count - 1;
        bar->members[bar->ring_count - 1]++;
        before = p.x;
    }
    if (bar->ring_count < 2)
        return bad_input("the bar has %d rings of vertices along x, expected 2 or more", bar->ring_count);
    ALLOCATE(bar->centers, bar->ring_count, "the rings of a bar");
    for (size_t i = 0; i < 3 * vertices; i++)
        rest[i] = (double)mesh->rest[i];
    bar_axis(bar, rest, bar->centers);
    return status_ok();
}

/* Computes the deviation of the current skin from an axis, and its profile. *bulge and *collapse are the
 * largest bulge and collapse, as fractions of the radius, 0 or more. */
static void bar_deviation(const Bar *bar, const Vec3 *axis, double *bulge, double *collapse)
{
    const int last = bar->ring_count - 1;
    Vec3 rest = vec3_normalize(vec3_sub(bar->centers[last], bar->centers[0]));
    Vec3 end = vec3_sub(axis[last], axis[last - 1]);
    Vec3 across = vec3_add_scaled(end, rest, -vec3_dot(end, rest));
    double length = vec3_length(across);
    const Vec3 bent =
        length > 1e-6 * vec3_length(end) ? vec3_scale(across, 1.0 / length) : vec3_make(0.0, 0.0, 0.0);
    *bulge = *collapse = 0.0;
    for (int ring = 0; ring < bar->ring_count; ring++)
        bar->profile[ring] = 0.0;
    for (int v = 0; v < bar->mesh->vertex_count; v++) {
        const int ring = bar->ring_of[v];
        if (ring < 0)
            continue;
        Vec3 arm = vec3_sub(point_at(bar->mesh->rest, v), bar->centers[ring]);
        double radius = vec3_length(arm);
        if (vec3_dot(arm, bent) > 1e-6 * radius)
            continue;
        const double deviation =
            radial_change(axis, axis + 1, last, vector_at(bar->positions, (size_t)v), radius);
        *bulge = fmax(*bulge, deviation);
        *collapse = fmax(*collapse, -deviation);
        if (fabs(deviation) > fabs(bar->profile[ring]))
            bar->profile[ring] = deviation;
    }
}

/* Skins the last frame with one method. */
static Status bar_skin(const StudyInput *input, const Bar *bar, const char *name)
{
    SkinnerOptions options;
    STATUS_TRY(study_method(input, name, NULL, &options));
    return study_skin(&options, bar->mesh, bar->rig, bar->rig->frame_count - 1, bar->positions);
}

static void bar_clear(Bar *bar)
{
    surface_clear(&bar->surface);
    FREE_ALL(bar->ring_of, bar->members, bar->centers, bar->axes, bar->profile, bar->positions, bar->rounded,
             bar->holes);
}

/* Converts a fraction to per cent. A value below a billionth is a rounding error and is reported as 0. */
static double percent(double share)
{
    return fabs(share) < 1e-9 ? 0.0 : 100.0 * share;
}

/* Returns the rotation of a ring about x, averaged over its vertices. */
static double ring_turn(const Bar *bar, int ring)
{
    double sine = 0.0, cosine = 0.0;
    for (int v = 0; v < bar->mesh->vertex_count; v++) {
        if (bar->ring_of[v] != ring)
            continue;
        const Vec3 rest = point_at(bar->mesh->rest, v);
        const Vec3 p = vector_at(bar->positions, (size_t)v);
        sine += rest.y * p.z - rest.z * p.y;
        cosine += rest.y * p.y + rest.z * p.z;
    }
    return atan2(sine, cosine);
}

static Status method_run(const StudyInput *input, Bar *bar, const char *method, Measures *measures)
{
    STATUS_TRY(bar_skin(input, bar, method));
    for (size_t i = 0; i < 3 * (size_t)bar->mesh->vertex_count; i++)
        bar->rounded[i] = (float)bar->positions[i];
    const double change = surface_volume_change(&bar->surface, bar->rest_volume, bar->rounded, bar->holes);
    study_number_add(measures, percent(change), "%s_volume_percent", method);
    for (int axis = 0; axis < AXIS_COUNT; axis++) {
        double bulge = 0.0, collapse = 0.0;
        char name[128];
        bar_deviation(bar, bar->axes + (size_t)axis * (size_t)bar->ring_count, &bulge, &collapse);
        study_number_add(measures, percent(bulge), "%s_%sbulge_percent", method, axis_names[axis]);
        study_number_add(measures, percent(collapse), "%s_%scollapse_percent", method, axis_names[axis]);
        for (int ring = 0; ring < bar->ring_count; ring++)
            bar->profile[ring] *= 100.0;
        snprintf(name, sizeof name, "%s_%sprofile_percent", method, axis_names[axis]);
        measures_add_curve(measures, name, bar->profile, bar->ring_count);
    }
    /* find the steepest twist: the largest angle between neighbouring rings, divided by their distance */
    double steepest = 0.0;
    for (int ring = 1; ring < bar->ring_count; ring++) {
        const double turn = remainder(ring_turn(bar, ring) - ring_turn(bar, ring - 1), 2.0 * PI);
        const double way = bar->centers[ring].x - bar->centers[ring - 1].x;
        steepest = fmax(steepest, fabs(turn / way) * 180.0 / PI);
    }
    study_number_add(measures, percent(0.01 * steepest), "%s_turn_degrees", method);
    return status_ok();
}

/* Makes a copy of a rig of two joints with a helper bone where they meet. The helper turns halfway from the
 * first joint to the second. A vertex with weight w of the second joint is blended between the helper and the
 * nearer joint: by 2 w from the first, or by 2 - 2 w from the second. */
static Status helper_add(const Rig *rig, const Mesh *mesh, Rig *out)
{
    enum { FIRST, SECOND, HELPER, JOINTS };
    double quats[2 * RIGID_DUAL_QUAT_FLOATS];
    if (rig->joint_count != HELPER)
        return bad_input("a helper bone needs a rig of two joints, and this rig has %d", rig->joint_count);
    STATUS_TRY(rig_allocate(out, mesh->vertex_count, JOINTS, rig->frame_count, 2));
    for (int j = 0; j < JOINTS; j++) {
        out->parents[j] = j == FIRST ? -1 : FIRST;
        out->rest[j] = rig->rest[j == FIRST ? FIRST : SECOND];
    }
    const Vec3 place = transform_translation(rig->rest[SECOND]);
    for (int f = 0; f < rig->frame_count; f++) {
        const Transform *from = rig->transforms + (ptrdiff_t)2 * f;
        Transform *to = out->transforms + (ptrdiff_t)JOINTS * f;
        rigid_pose_dual_quats(rig, from, quats, RIGID_DUAL_QUAT_FLOATS); /* their signs agree */
        const Quat sum = quat_add_scaled(rigid_pose_dual_quat_at(quats, FIRST).real,
                                         rigid_pose_dual_quat_at(quats, SECOND).real, 1.0);
        const Quat turn = quat_normalize(sum);
        const Vec3 meeting = vec3_scale(
            vec3_add(transform_point(from[FIRST], place), transform_point(from[SECOND], place)), 0.5);
        to[FIRST] = from[FIRST];
        to[SECOND] = from[SECOND];
        to[HELPER] = transform_rigid(turn, vec3_sub(meeting, quat_rotate(turn, place)));
    }
    for (int v = 0; v < mesh->vertex_count; v++) {
        double second = 0.0, total = 0.0;
        for (int k = 0; k < rig->influence_count; k++) {
            const size_t slot = (size_t)v * (size_t)rig->influence_count + (size_t)k;
            total += (double)rig->weight_values[slot];
            second += rig->weight_joints[slot] == SECOND ? (double)rig->weight_values[slot] : 0.0;
        }
        const double w = second / total;
        out->weight_joints[2 * v] = HELPER;
        out->weight_values[2 * v] = (float)(1.0 - fabs(2.0 * w - 1.0));
        out->weight_joints[2 * v + 1] = w < 0.5 ? FIRST : SECOND;
        out->weight_values[2 * v + 1] = (float)fabs(2.0 * w - 1.0);
    }
    return status_ok();
}

Status study_bar_shape(const StudyInput *input, Measures *measures)
{
    CLEANUP(bar_clear) Bar bar = {0};
    CLEANUP(rig_clear) Rig twisted = {0};
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->rig.frame_count == 0)
        return bad_input("there is no rig with posed frames to measure");
    /* make the rig, with twist joints if requested */
    const Argument *list = argument_find(input->parameters, "twist_joints");
    for (int i = 0; i < argument_count(list); i++) {
        const Argument *asked = argument_at(list, i);
        const char *names[2] = {argument_text(argument_find(asked, "joint"), ""),
                                argument_text(argument_find(asked, "end"), "")};
        const Rig *before = i == 0 ? &dataset->rig : &twisted;
        Rig next;
        TwistJointPlan plan = {.joint = rig_joint_find(before, names[0]),
                               .end = names[1][0] != '\0' ? rig_joint_find(before, names[1]) : -1,
                               .share = argument_number_of(asked, "share", NAN)};
        if (plan.joint < 0 || (names[1][0] != '\0' && plan.end < 0))
            return bad_input("twist joint %d: the rig has no joint '%s'", i, names[plan.joint < 0 ? 0 : 1]);
        STATUS_TRY(rig_with_twist_joint(before, &dataset->mesh, &plan, &next));
        rig_clear(&twisted);
        twisted = next;
    }
    if (study_flag(input, "helper"))
        STATUS_TRY(helper_add(&dataset->rig, &dataset->mesh, &twisted));
    const Rig *rig = twisted.joint_count > 0 ? &twisted : &dataset->rig;
    /* make the bar and the axes from which its deviation is measured */
    const Mesh *mesh = &dataset->mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    bar = (Bar){.mesh = mesh, .rig = rig};
    STATUS_TRY(bar_rings_find(&bar));
    STATUS_TRY(surface_init(mesh, &bar.surface));
    const size_t rings = (size_t)bar.ring_count;
    ALLOCATE_TABLE(bar.axes, AXIS_COUNT, rings, "a bar");
    ALLOCATE(bar.profile, rings, "a bar");
    ALLOCATE_TABLE(bar.positions, vertices, 3, "a bar");
    ALLOCATE_TABLE(bar.rounded, vertices, 3, "a bar");
    ALLOCATE_TABLE(bar.holes, bar.surface.hole_count, 4, "a bar");
    bar.rest_volume = surface_volume(&bar.surface, mesh->rest, bar.holes);
    STATUS_TRY(bar_skin(input, &bar, "lbs"));
    bar_axis(&bar, bar.positions, bar.axes);
    /* compute the axis of the bones in the last frame, which is straight if the bar is not bent */
    for (int r = 0; r < bar.ring_count; r++) {
        int vertex = 0;
        while (bar.ring_of[vertex] != r)
            vertex++;
        const int joint = rig_heaviest_joint(rig, vertex);
        bar.axes[AXIS_BONES * rings + (size_t)r] = transform_point(
            rig->transforms[(size_t)(rig->frame_count - 1) * (size_t)rig->joint_count + (size_t)joint],
            bar.centers[r]);
    }
    const Argument *methods = argument_find(input->parameters, "methods");
    for (int ring = 0; ring < bar.ring_count; ring++)
        bar.profile[ring] = bar.centers[ring].x;
    measures_add_curve(measures, "position", bar.profile, bar.ring_count);
    for (int i = 0; i < argument_count(methods); i++) {
        const char *method = argument_text(argument_at(methods, i), NULL);
        STATUS_TRY(method ? method_run(input, &bar, method, measures)
                          : bad_input("methods[%d] is not a string", i));
    }
    return status_ok();
}
