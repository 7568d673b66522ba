/* Generates the bar of CoR Fig. 2. Its two bones lie along the x axis and meet at the origin, where the joint
 * is. The weights change smoothly across the joint. There are five motions, each from the rest pose to the
 * full angle. The first bone never moves. The second bone twists about x or bends about z. */
#include "datasets/generate/generate.h"
#include "datasets/generate/generate_parts.h"

#include "datasets/generate/tube.h"
#include "datasets/geometry/angles.h"

enum {
    MOTION,
    DEGREES,
    SECTION,
    AROUND,
    ALONG,
    LENGTH,
    RADIUS,
    SMOOTHING,
    TRANSLATION,
    FRAMES,
    POSITIONS,
    ROW_COUNT
};

typedef struct Motion {
    double twist, bend; /* degrees */
    bool translates;
} Motion;

/* The motions in the order of the figure, clockwise. The choices of the parameter `motion` have the same
 * order. */
static const Motion motions[] = {
    {135.0, 0.0, false}, {0.0, 120.0, false}, {90.0, 0.0, false}, {0.0, 90.0, false}, {0.0, 90.0, true}};
enum { MOTION_COUNT = sizeof motions / sizeof motions[0] };

static const char *const motion_words[] = {"twist-135",         "bend-120", "twist-90", "bend-90",
                                           "bend-90-translate", "all",      NULL};
static const char *const section_words[] = {"round", "square", NULL};

static const Parameter parameters[ROW_COUNT + 1] = {
    [MOTION] = {"motion", "one motion, or all five one after the other", PARAMETER_CHOICE, MOTION_COUNT, 0, 0,
                motion_words},
    [DEGREES] = {"degrees", "angle of the motion, degrees; 0: the default angle of the motion",
                 PARAMETER_REAL, 0.0, -180.0, 180.0, NULL},
    [SECTION] = {"section", "cross section of the bar", PARAMETER_CHOICE, 0, 0, 0, section_words},
    [AROUND] = {"around", "number of vertices around the bar (a multiple of 4 if the section is square)",
                PARAMETER_INTEGER, 48, 3, 4096, NULL},
    [ALONG] = {"along", "number of rings of vertices along the bar", PARAMETER_INTEGER, 97, 2, 65536, NULL},
    [LENGTH] = {"length", "length of the bar, half of it on each side of the joint", PARAMETER_REAL, 8.0,
                1e-3, 1e6, NULL},
    [RADIUS] = {"radius", "half the width of the bar", PARAMETER_REAL, 1.0, 1e-3, 1e6, NULL},
    [SMOOTHING] = {"smoothing", "length over which the weights change from one bone to the other, in radii",
                   PARAMETER_REAL, 4.0, 0.0, 1e6, NULL},
    [TRANSLATION] =
        {"translation",
         "distance by which bend-90-translate pulls the second bone away from the joint, in radii",
         PARAMETER_REAL, 1.0, -1e6, 1e6, NULL},
    [FRAMES] = {"frames", "number of frames per motion, from the rest pose to the full angle",
                PARAMETER_INTEGER, 16, 2, 65536, NULL},
    [POSITIONS] = {"positions", "also store the linear blend of every frame as an animation", PARAMETER_FLAG,
                   0, 0, 0, NULL},
};

static double chosen_angle(const double *values, double fallback)
{
    return values[DEGREES] != 0.0 ? values[DEGREES] : fallback;
}

static Transform pose_make(const double *values, const Motion *motion, double share)
{
    const double RADIAN = PI / 180.0;
    const double twisted = motion->twist != 0.0 ? chosen_angle(values, motion->twist) : 0.0;
    const double bent = motion->bend != 0.0 ? chosen_angle(values, motion->bend) : 0.0;
    double twist = share * twisted * RADIAN, bend = share * bent * RADIAN;
    double pull = motion->translates ? share * values[TRANSLATION] * values[RADIUS] : 0.0;
    double ct = cos(twist), st = sin(twist), cb = cos(bend), sb = sin(bend);
    /* The twist about x comes first, then the bend about z. The pull moves the bent bone along its own
     * axis. */
    return (Transform){.m00 = cb,
                       .m01 = -sb * ct,
                       .m02 = sb * st,
                       .m03 = cb * pull,
                       .m10 = sb,
                       .m11 = cb * ct,
                       .m12 = -cb * st,
                       .m13 = sb * pull,
                       .m20 = 0.,
                       .m21 = st,
                       .m22 = ct,
                       .m23 = 0.0};
}

static Status bar_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    int along = (int)values[ALONG], around = (int)values[AROUND];
    bool square = values[SECTION] != 0.0;
    if (square && around % 4 != 0)
        return bad_usage("bar: around is %d, expected a multiple of 4 for a square section", around);
    LOCAL_ARRAY(TubeRing, rings, along, "the bar");
    for (int i = 0; i < along; i++)
        rings[i] = (TubeRing){.center = {values[LENGTH] * ((double)i / (along - 1) - 0.5), 0.0, 0.0},
                              .u = {0.0, 1.0, 0.0},
                              .v = {0.0, 0.0, 1.0},
                              .radius_u = values[RADIUS],
                              .radius_v = values[RADIUS],
                              .vertices = around,
                              .square = square};
    STATUS_TRY(tube_mesh_make(rings, along, &dataset->mesh));
    Rig *rig = &dataset->rig;
    int per_motion = (int)values[FRAMES], chosen = (int)values[MOTION];
    int first = chosen == MOTION_COUNT ? 0 : chosen, last = chosen == MOTION_COUNT ? chosen - 1 : chosen;
    STATUS_TRY(rig_allocate(rig, dataset->mesh.vertex_count, 2, (last - first + 1) * per_motion, 2));
    COPY_TEXT(rig->joint_names[0], "base", "the bar");
    COPY_TEXT(rig->joint_names[1], "tip", "the bar");
    rig->parents[0] = -1;
    rig->rest[0] = transform_translate(vec3_make(-0.5 * values[LENGTH], 0.0, 0.0));
    rig->rest[1] = transform_identity();
    double width = values[SMOOTHING] * values[RADIUS];
    for (int v = 0; v < dataset->mesh.vertex_count; v++) {
        double x = dataset->mesh.rest[3 * (size_t)v], step = x > 0.0 ? 1.0 : x < 0.0 ? 0.0 : 0.5;
        float second = (float)(width > 0.0 ? smooth_step(x / width + 0.5) : step);
        size_t slot = 2 * (size_t)v;
        const bool tip = second == 1.0f; /* the first slot then has the tip alone */
        rig->weight_joints[slot] = tip;
        rig->weight_values[slot] = tip ? 1.0f : 1.0f - second;
        rig->weight_joints[slot + 1] = second > 0.0f && !tip;
        rig->weight_values[slot + 1] = tip ? 0.0f : second;
    }
    for (int m = first; m <= last; m++)
        for (int f = 0; f < per_motion; f++) {
            Transform *frame = rig->transforms + 2 * ((size_t)(m - first) * (size_t)per_motion + (size_t)f);
            frame[0] = transform_identity();
            frame[1] = pose_make(values, &motions[m], (double)f / (per_motion - 1));
        }
    if (values[POSITIONS] != 0.0)
        STATUS_TRY(generate_blend(progress, dataset));
    return status_ok();
}

const Generator generator_bar = {.name = "bar",
                                 .title = "bar of two bones, twisted and bent (CoR Fig. 2); a rig",
                                 .dataset_title = "Bar of two bones, twisted and bent (CoR Fig. 2)",
                                 .parameters = parameters,
                                 .fill = bar_fill};
