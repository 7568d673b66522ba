/* A skirt and a cloak on a body that walks in a circle and turns to and fro, simulated by projective
 * dynamics. The meshes are open and have as many vertices as the skirt and the cloak in FESAM Table 2. The
 * data sets have positions only.
 *
 * Both garments are cut from cones. The skirt hangs from the waist, all around the body. The cloak hangs
 * from the collar, three quarters around the body, and is open in front. */
#include "datasets/generate/fabric.h"
#include "datasets/generate/generate.h"
#include "datasets/generate/generate_parts.h"

/* ---- the walker ---- */

/* Parts of the body. The arms come last, so that garments that do not touch them can leave them out. */
enum {
    WALKER_HIPS,
    WALKER_BELLY,
    WALKER_CHEST,
    WALKER_HEAD,
    WALKER_THIGHS,
    WALKER_SHINS = WALKER_THIGHS + 2,
    WALKER_ARMS = WALKER_SHINS + 2,
    WALKER_FOREARMS = WALKER_ARMS + 2,
    WALKER_CAPSULES = WALKER_FOREARMS + 2
};

/* The frame of a part of the body: its origin and its axes x, y and z. */
typedef struct WalkerFrame {
    Vec3 origin, x, z; /* y always points up */
} WalkerFrame;

typedef struct WalkerPose {
    WalkerFrame hips, chest;
    Capsule capsules[WALKER_CAPSULES];
} WalkerPose;

static double clock_at(double time)
{
    const double u = time + 1.0;
    return u < 0.0 ? 0.0 : u < 1.0 ? u * u * u * (1.0 - 0.5 * u) : u - 0.5;
}

static WalkerFrame frame_turned(Vec3 origin, double turns)
{
    const double c = wave_cosine(turns), s = wave_sine(turns);
    return (WalkerFrame){origin, {c, 0.0, -s}, {s, 0.0, c}};
}

/* Transforms a point of a body part to the world. */
static Vec3 walker_point(const WalkerFrame *frame, Vec3 point)
{
    Vec3 out = vec3_add_scaled(frame->origin, frame->x, point.x);
    out = vec3_add_scaled(out, frame->z, point.z);
    out.y += point.y;
    return out;
}

/* Places a limb whose two links hang down. Both links rotate forward in the plane of the body's y and z
 * axes. They also rotate sideways, by the fraction `out` of that rotation. */
static void limb_place(const WalkerFrame *frame, Vec3 joint, const double lengths[2], const double turns[2],
                       double out, const double radii[2], Capsule *upper, Capsule *lower)
{
    Capsule *links[2] = {upper, lower};
    for (int i = 0; i < 2; i++) {
        const Vec3 from = joint;
        joint.x += lengths[i] * out;
        joint.y -= lengths[i] * wave_cosine(turns[i]);
        joint.z += lengths[i] * wave_sine(turns[i]);
        *links[i] = (Capsule){{walker_point(frame, from), walker_point(frame, joint)}, radii[i]};
    }
}

/* Computes the pose at a time in seconds. `pace` scales the time; 0 means that the body stands still. */
static void walker_pose(double time, double pace, WalkerPose *out)
{
    const double clock = pace * clock_at(time), step = 0.85 * clock, round = 0.12 * clock;
    const double heading = round + 0.17 * wave_sine(clock / 3.4), swing = wave_sine(step);
    const Vec3 origin = {0.9 * (1.0 - wave_cosine(round)), 0.95 + 0.02 * wave_sine(2.0 * step),
                         0.9 * wave_sine(round)};
    const Vec3 above = {origin.x, origin.y + 0.42, origin.z};
    out->hips = frame_turned(origin, heading + 0.02 * swing);
    out->chest = frame_turned(above, heading - 0.025 * swing);
    const WalkerFrame *hips = &out->hips, *chest = &out->chest;
    Capsule *capsules = out->capsules;
    capsules[WALKER_HIPS] = (Capsule){
        {walker_point(hips, vec3_make(0.07, 0.0, 0.0)), walker_point(hips, vec3_make(-0.07, 0.0, 0.0))},
        0.11};
    capsules[WALKER_BELLY] = (Capsule){{origin, above}, 0.105};
    capsules[WALKER_CHEST] = (Capsule){
        {walker_point(chest, vec3_make(0.12, 0.0, 0.0)), walker_point(chest, vec3_make(-0.12, 0.0, 0.0))},
        0.09};
    capsules[WALKER_HEAD] = (Capsule){
        {walker_point(chest, vec3_make(0.0, 0.1, 0.01)), walker_point(chest, vec3_make(0.0, 0.3, 0.02))},
        0.08};
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0, phase = step + 0.5 * side, leg = 0.075 * wave_sine(phase);
        const double arm = -0.05 * wave_sine(phase);
        limb_place(hips, vec3_make(sign * 0.085, -0.05, 0.0), (const double[]){0.42, 0.44},
                   (const double[]){leg, leg - 0.06 * (1.0 + wave_sine(phase + 0.4))}, 0.0,
                   (const double[]){0.08, 0.055}, &capsules[WALKER_THIGHS + side],
                   &capsules[WALKER_SHINS + side]);
        limb_place(chest, vec3_make(sign * 0.19, 0.0, 0.0), (const double[]){0.30, 0.25},
                   (const double[]){arm, arm + 0.06}, 0.25 * sign, (const double[]){0.05, 0.04},
                   &capsules[WALKER_ARMS + side], &capsules[WALKER_FOREARMS + side]);
    }
}

enum { VERTICES, FRAMES, LEAD, PACE, WIND, STRETCH, BEND, FRICTION, STEPS, ITERATIONS, ROW_COUNT };

#define GARMENT_PARAMETERS(vertices)                                                                         \
    {                                                                                                        \
        [VERTICES] =                                                                                         \
            {"vertices", "vertices, exactly", PARAMETER_INTEGER, vertices, FABRIC_VERTICES_MIN, 1e6, NULL},  \
        [FRAMES] = {"frames", "frames", PARAMETER_INTEGER, 360, 1, 4096, NULL},                              \
        [LEAD] = {"lead", "time simulated before the first frame, seconds", PARAMETER_REAL, 2.0, 0.0, 60.0,  \
                  NULL},                                                                                     \
        [PACE] = {"pace",                                                                                    \
                  "speed of the body's motion, relative to normal; 0: the body stands still",                \
                  PARAMETER_REAL,                                                                            \
                  1.0,                                                                                       \
                  0.0,                                                                                       \
                  4.0,                                                                                       \
                  NULL},                                                                                     \
        [WIND] = {"wind", "speed of a steady wind along x, m/s", PARAMETER_REAL, 0.0, 0.0, 30.0, NULL},      \
        [STRETCH] = {"stretch", "stiffness against stretch, N/m", PARAMETER_REAL, 150.0, 1.0, 1e5, NULL},    \
        [BEND] = {"bend", "stiffness against bending, N m", PARAMETER_REAL, 3e-4, 0.0, 1.0, NULL},           \
        [FRICTION] = {"friction", "Coulomb friction coefficient", PARAMETER_REAL, 0.3, 0.0, 10.0, NULL},     \
        [STEPS] = {"steps", "number of simulation steps per frame", PARAMETER_INTEGER, 8, 1, 256, NULL},     \
        [ITERATIONS] = {"iterations",                                                                        \
                        "number of local and global solves per simulation step",                             \
                        PARAMETER_INTEGER,                                                                   \
                        2,                                                                                   \
                        1,                                                                                   \
                        256,                                                                                 \
                        NULL},                                                                               \
    }

static const Parameter skirt_parameters[ROW_COUNT + 1] = GARMENT_PARAMETERS(5095);
static const Parameter cloak_parameters[ROW_COUNT + 1] = GARMENT_PARAMETERS(3069);

/* A cone around the y axis with a gap in front (at z > 0). The width of the gap is `open`, in full
 * turns. */
typedef struct Cone {
    double top, radius;    /* height and radius of the cone at the first row */
    double length, spread; /* distance from the first row to the last; growth of the radius per metre */
    double open;
} Cone;

static const Cone skirt_cone = {1.05, 0.15, 0.55, 0.75, 0.0};
static const Cone cloak_cone = {1.485, 0.085, 1.0, 0.85, 0.25};

static Vec3 cone_place(const void *context, double along, double across)
{
    const Cone *cone = context;
    const double down = cone->length * across, radius = cone->radius + cone->spread * down;
    const double turns = 0.5 * cone->open + (1.0 - cone->open) * along;
    return vec3_make(radius * wave_sine(turns), cone->top - down * sqrt(1.0 - cone->spread * cone->spread),
                     radius * wave_cosine(turns));
}

typedef struct Wearing {
    const ProjectiveModel *model;
    double pace, wind;
    bool cloak;
    WalkerPose standing;
} Wearing;

/* Moves the first row together with the body part to which it is fixed. */
static void body_move(const void *context, double time, Capsule *capsules, Vec3 *pins)
{
    const Wearing *wearing = context;
    WalkerPose pose;
    walker_pose(time, wearing->pace, &pose);
    for (int c = 0; c < (wearing->cloak ? WALKER_CAPSULES : WALKER_ARMS); c++)
        capsules[c] = pose.capsules[c];
    const Vec3 origin = wearing->cloak ? wearing->standing.chest.origin : wearing->standing.hips.origin;
    for (int i = 0; i < wearing->model->pin_count; i++)
        pins[i] = walker_point(wearing->cloak ? &pose.chest : &pose.hips,
                               vec3_sub(wearing->model->start[wearing->model->pins[i]], origin));
}

static Vec3 steady_wind(const void *context, Vec3 place, double time)
{
    (void)place;
    (void)time;
    return vec3_make(((const Wearing *)context)->wind, 0.0, 0.0);
}

static Status garment_fill(const double *values, bool cloak, const Progress *progress, Dataset *dataset)
{
    const Cone *cone = cloak ? &cloak_cone : &skirt_cone;
    const double round = 6.283185307 * (1.0 - cone->open);
    const FabricCut cut = {.vertices = (int)values[VERTICES],
                           .closed = !cloak,
                           .first = round * cone->radius,
                           .last = round * (cone->radius + cone->spread * cone->length),
                           .width = cone->length,
                           .place = cone_place,
                           .context = cone};
    const FabricMaterial material = {
        .density = 0.15, .stretch = values[STRETCH], .bend = values[BEND], .limit = 0.05};
    CLEANUP(projective_clear) ProjectiveModel model = {0};
    Wearing wearing = {.model = &model, .pace = values[PACE], .wind = values[WIND], .cloak = cloak};
    const ProjectiveScene scene = {.gravity = 9.81,
                                   .friction = values[FRICTION],
                                   .margin = 0.004,
                                   .give = 0.008,
                                   .steps = (int)values[STEPS],
                                   .iterations = (int)values[ITERATIONS],
                                   .capsule_count = cloak ? WALKER_CAPSULES : WALKER_ARMS,
                                   .move = body_move,
                                   .wind = steady_wind,
                                   .context = &wearing};
    walker_pose(-1.0, 0.0, &wearing.standing);
    STATUS_TRY(fabric_make(&cut, &material, &dataset->mesh, &model));
    return fabric_animate(&model, &scene, values[LEAD], (int)values[FRAMES], progress, &dataset->animation);
}

static Status skirt_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    return garment_fill(values, false, progress, dataset);
}

static Status cloak_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    return garment_fill(values, true, progress, dataset);
}

const Generator generator_skirt = {
    .name = "skirt",
    .title = "skirt on a walking body, simulated; positions only, open mesh, deformable",
    .dataset_title = "Skirt on a walking, turning body, simulated; no rig",
    .parameters = skirt_parameters,
    .fill = skirt_fill};

const Generator generator_cloak = {
    .name = "cloak",
    .title = "cloak on a walking body, simulated; positions only, open mesh, deformable",
    .dataset_title = "Cloak on a walking, turning body, simulated; no rig",
    .parameters = cloak_parameters,
    .fill = cloak_fill};
