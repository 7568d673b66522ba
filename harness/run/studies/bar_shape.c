/* What a motion does to a bar's shape under several methods (CoR Fig. 2): change of volume, greatest bulge
 * and collapse from three axes, and the deviation along the bar as curves. With twist joints added first (CoR
 * Fig. 5) where asked for. The last frame of the rig counts, skinned by `reference`. */
#include "harness/run/studies/study.h"

#include "datasets/base/memory.h"
#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"
#include "datasets/model/twist_joint.h"
#include "harness/measure/metrics/surface.h"
#include "harness/run/studies/bar_rings.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a bulge is measured from (bar_rings.h): the name goes between the method's and the measure's. */
enum { AXIS_CENTERS, AXIS_BONES, AXIS_ARC, AXIS_COUNT };
static const char *const axis_names[AXIS_COUNT] = {"", "bones_", "arc_"};

/* What all methods are measured against. */
typedef struct Bar {
    const Mesh *mesh;
    const Rig *rig;
    BarRings rings;
    Surface surface;
    Vec3 *axes;        /* [AXIS_COUNT][R] of the pose */
    double *positions; /* [N][3] of the method at hand */
    float *rounded;    /* [N][3] */
    double *profile;   /* [R] */
    double *holes;     /* scratch of the volume */
    double rest_volume;
} Bar;

/* The rig with the joints of the parameter `twist_joints` added one after the other: {joint, end, share}, the
 * command add-twist-joint's options. */
static Status twist_joints_add(const StudyInput *input, const Mesh *mesh, const Rig *rig, Rig *out)
{
    const Argument *list = argument_find(input->parameters, "twist_joints");
    *out = (Rig){0};
    for (int i = 0; i < argument_count(list); i++) {
        const Argument *asked = argument_at(list, i);
        const char *names[2] = {argument_text(argument_find(asked, "joint"), ""),
                                argument_text(argument_find(asked, "end"), "")};
        const Rig *before = i == 0 ? rig : out;
        Rig next;
        TwistJointPlan plan = {.joint = rig_joint_find(before, names[0]),
                               .end = names[1][0] != '\0' ? rig_joint_find(before, names[1]) : -1,
                               .share = argument_number(argument_find(asked, "share"), NAN)};
        if (plan.joint < 0 || (names[1][0] != '\0' && plan.end < 0))
            return status_make(STATUS_BAD_INPUT, "twist joint %d: there is no joint '%s'", i,
                               names[plan.joint < 0 ? 0 : 1]);
        STATUS_TRY(rig_with_twist_joint(before, mesh, &plan, &next));
        rig_clear(out);
        *out = next;
    }
    return status_ok();
}

/* The last frame by one method. */
static Status bar_skin(const StudyInput *input, const Bar *bar, const char *name)
{
    SkinnerOptions options;
    Status status = study_method(input, name, NULL, &options);
    return status.code == STATUS_OK
               ? study_skin(&options, bar->mesh, bar->rig, bar->rig->frame_count - 1, bar->positions)
               : status;
}

static Status bar_make(const StudyInput *input, const Mesh *mesh, const Rig *rig, Bar *bar)
{
    const size_t vertices = (size_t)mesh->vertex_count;
    *bar = (Bar){.mesh = mesh, .rig = rig};
    STATUS_TRY(bar_rings_find(mesh, &bar->rings));
    STATUS_TRY(surface_init(mesh, &bar->surface));
    const size_t rings = (size_t)bar->rings.ring_count;
    ALLOCATE_TABLE(bar->axes, AXIS_COUNT, rings, "a bar");
    ALLOCATE(bar->profile, rings, "a bar");
    ALLOCATE_TABLE(bar->positions, vertices, 3, "a bar");
    ALLOCATE_TABLE(bar->rounded, vertices, 3, "a bar");
    ALLOCATE_TABLE(bar->holes, bar->surface.hole_count, 4, "a bar");
    bar->rest_volume = surface_volume(&bar->surface, mesh->rest, bar->holes);
    STATUS_TRY(bar_skin(input, bar, "lbs"));
    bar_rings_axis(&bar->rings, bar->positions, bar->axes);
    bar_rings_bones(&bar->rings, rig, rig->frame_count - 1, bar->axes + AXIS_BONES * rings);
    bar_rings_arc(&bar->rings, rig, bar->axes + AXIS_BONES * rings, bar->axes + AXIS_ARC * rings);
    return status_ok();
}

static void bar_clear(Bar *bar)
{
    bar_rings_clear(&bar->rings);
    surface_clear(&bar->surface);
    memory_free(bar->axes);
    memory_free(bar->profile);
    memory_free(bar->positions);
    memory_free(bar->rounded);
    memory_free(bar->holes);
}

/* Less than a billionth is rounding, and reported as 0. */
static void method_measure(Measures *measures, const char *method, const char *what, double share)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%s", method, what);
    measures_add(measures, name, fabs(share) < 1e-9 ? 0.0 : 100.0 * share);
}

/* Bulge and collapse of the method at hand, from one of the axes. */
static void deviation_measure(Bar *bar, const char *method, int axis, Measures *measures)
{
    BarDeviation deviation = {.profile = bar->profile};
    char name[128], what[64];
    bar_rings_deviation(&bar->rings, bar->positions, bar->axes + (size_t)axis * (size_t)bar->rings.ring_count,
                        &deviation);
    snprintf(what, sizeof what, "%sbulge_percent", axis_names[axis]);
    method_measure(measures, method, what, deviation.bulge);
    snprintf(what, sizeof what, "%scollapse_percent", axis_names[axis]);
    method_measure(measures, method, what, deviation.collapse);
    for (int ring = 0; ring < bar->rings.ring_count; ring++)
        bar->profile[ring] *= 100.0;
    snprintf(name, sizeof name, "%s_%sprofile_percent", method, axis_names[axis]);
    measures_add_curve(measures, name, bar->profile, bar->rings.ring_count);
}

/* How a ring is turned about x: the mean over its vertices. */
static double ring_turn(const Bar *bar, int ring)
{
    double sine = 0.0, cosine = 0.0;
    for (int v = 0; v < bar->mesh->vertex_count; v++) {
        if (bar->rings.ring_of[v] != ring)
            continue;
        const Vec3 rest = point_at(bar->mesh->rest, v);
        const double *p = bar->positions + 3 * (size_t)v;
        sine += rest.y * p[2] - rest.z * p[1];
        cosine += rest.y * p[1] + rest.z * p[2];
    }
    return atan2(sine, cosine);
}

/* The steepest twist: degrees from a ring to the next, over the way between them. */
static double steepest_turn(const Bar *bar)
{
    double steepest = 0.0;
    for (int ring = 1; ring < bar->rings.ring_count; ring++) {
        const double turn = remainder(ring_turn(bar, ring) - ring_turn(bar, ring - 1), 2.0 * PI);
        const double way = bar->rings.centers[ring].x - bar->rings.centers[ring - 1].x;
        steepest = fmax(steepest, fabs(turn / way) * 180.0 / PI);
    }
    return steepest;
}

static Status method_run(const StudyInput *input, Bar *bar, const char *method, Measures *measures)
{
    STATUS_TRY(bar_skin(input, bar, method));
    for (size_t i = 0; i < 3 * (size_t)bar->mesh->vertex_count; i++)
        bar->rounded[i] = (float)bar->positions[i];
    double volume = surface_volume(&bar->surface, bar->rounded, bar->holes);
    method_measure(measures, method, "volume_percent", volume / bar->rest_volume - 1.0);
    for (int axis = 0; axis < AXIS_COUNT; axis++)
        deviation_measure(bar, method, axis, measures);
    method_measure(measures, method, "turn_degrees", 0.01 * steepest_turn(bar));
    return status_ok();
}

static Status bar_shape_run(const StudyInput *input, Measures *measures)
{
    CLEANUP(bar_clear) Bar bar = {0};
    CLEANUP(rig_clear) Rig twisted = {0};
    if (!input->subject || input->subject->dataset->rig.frame_count == 0)
        return status_make(STATUS_BAD_INPUT, "there is no rig with transforms to bend");
    const Dataset *dataset = input->subject->dataset;
    STATUS_TRY(twist_joints_add(input, &dataset->mesh, &dataset->rig, &twisted));
    const Rig *rig = twisted.joint_count > 0 ? &twisted : &dataset->rig;
    STATUS_TRY(bar_make(input, &dataset->mesh, rig, &bar));
    const Argument *methods = argument_find(input->parameters, "methods");
    for (int ring = 0; ring < bar.rings.ring_count; ring++)
        bar.profile[ring] = bar.rings.centers[ring].x;
    measures_add_curve(measures, "position", bar.profile, bar.rings.ring_count);
    for (int i = 0; i < argument_count(methods); i++) {
        const char *method = argument_text(argument_at(methods, i), NULL);
        STATUS_TRY(method ? method_run(input, &bar, method, measures)
                          : status_make(STATUS_BAD_INPUT, "methods[%d] is not a text", i));
    }
    return status_ok();
}

const Study study_bar_shape = {
    "volume, bulge and collapse of a bar along x that is twisted or bent (CoR Fig. 2)", bar_shape_run};
