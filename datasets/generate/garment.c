/* A skirt and a cloak on a body that walks in a circle and turns to and fro (walker.h), by projective
 * dynamics: open meshes, positions only, of the sizes of those in FESAM Table 2. Both are cut from cones: the
 * skirt all round from the waist, the cloak three quarters round from the collar, open in front. */
#include "datasets/generate/fabric.h"
#include "datasets/generate/generate.h"
#include "datasets/generate/walker.h"
#include "datasets/generate/wave.h"

enum { VERTICES, FRAMES, LEAD, PACE, WIND, STRETCH, BEND, FRICTION, STEPS, ITERATIONS, ROW_COUNT };

#define GARMENT_PARAMETERS(vertices)                                                                         \
    {                                                                                                        \
        [VERTICES] =                                                                                         \
            {"vertices", "vertices, exactly", PARAMETER_INTEGER, vertices, FABRIC_VERTICES_MIN, 1e6, NULL},  \
        [FRAMES] = {"frames", "frames", PARAMETER_INTEGER, 360, 1, 4096, NULL},                              \
        [LEAD] = {"lead", "seconds before the first frame, from the cone", PARAMETER_REAL, 2.0, 0.0, 60.0,   \
                  NULL},                                                                                     \
        [PACE] = {"pace", "how fast the body moves; 0: it stands", PARAMETER_REAL, 1.0, 0.0, 4.0, NULL},     \
        [WIND] = {"wind", "speed of a steady wind along x, m/s", PARAMETER_REAL, 0.0, 0.0, 30.0, NULL},      \
        [STRETCH] = {"stretch", "stiffness against stretch, N/m", PARAMETER_REAL, 150.0, 1.0, 1e5, NULL},    \
        [BEND] = {"bend", "stiffness against bending, N m", PARAMETER_REAL, 3e-4, 0.0, 1.0, NULL},           \
        [FRICTION] = {"friction", "on the body, Coulomb's", PARAMETER_REAL, 0.3, 0.0, 10.0, NULL},           \
        [STEPS] = {"steps", "simulation steps per frame", PARAMETER_INTEGER, 8, 1, 256, NULL},               \
        [ITERATIONS] = {                                                                                     \
            "iterations", "local and global solves per step", PARAMETER_INTEGER, 2, 1, 256, NULL},           \
    }

static const Parameter skirt_parameters[] = GARMENT_PARAMETERS(5095);
static const Parameter cloak_parameters[] = GARMENT_PARAMETERS(3069);

/* A cone around the y axis, `open` turns of it missing in front (at z > 0). */
typedef struct Cone {
    double top, radius; /* height and radius of the first row */
    double length,
        spread; /* from the first row to the last; and how much wider that is than the first, per metre */
    double open;
} Cone;

static const Cone skirt_cone = {1.05, 0.15, 0.55, 0.75, 0.0};
static const Cone cloak_cone = {1.485, 0.085, 1.0, 0.85, 0.25};

static Vec3 cone_place(const Cone *cone, double along, double across)
{
    const double down = cone->length * across, radius = cone->radius + cone->spread * down;
    const double turns = 0.5 * cone->open + (1.0 - cone->open) * along;
    return vec3_make(radius * wave_sine(turns), cone->top - down * sqrt(1.0 - cone->spread * cone->spread),
                     radius * wave_cosine(turns));
}

static Vec3 skirt_place(double along, double across)
{
    return cone_place(&skirt_cone, along, across);
}

static Vec3 cloak_place(double along, double across)
{
    return cone_place(&cloak_cone, along, across);
}

typedef struct Wearing {
    const ProjectiveModel *model;
    double pace, wind;
    bool cloak;
    WalkerPose standing;
} Wearing;

/* The first row goes with the part of the body that it is fixed to. */
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

static void air_push(const void *context, double time, const Vec3 *positions, const Vec3 *velocities,
                     Vec3 *forces)
{
    const Wearing *wearing = context;
    fabric_blow(wearing->model, steady_wind, context, time, positions, velocities, forces);
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
                           .place = cloak ? cloak_place : skirt_place};
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
                                   .push = air_push,
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
    .parameter_count = ROW_COUNT,
    .fill = skirt_fill};

const Generator generator_cloak = {
    .name = "cloak",
    .title = "cloak on a walking body, simulated; positions only, open mesh, deformable",
    .dataset_title = "Cloak on a walking, turning body, simulated; no rig",
    .parameters = cloak_parameters,
    .parameter_count = ROW_COUNT,
    .fill = cloak_fill};
