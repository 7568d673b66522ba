/* Blendshapes of a mask, the front of an ellipsoid of the size of a head. Each shape rotates and moves one
 * round region, with a motion that decreases towards the edge of the region. The mesh is open, and the data
 * set has positions only. Its frames are the shapes; their order has no meaning. */
#include "datasets/generate/generate.h"
#include "datasets/generate/generate_parts.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"

enum { ACROSS, UP, FRAMES, ANGLE, SEED, ROW_COUNT };

static const Parameter parameters[ROW_COUNT + 1] = {
    [ACROSS] = {"across", "number of vertices from ear to ear", PARAMETER_INTEGER, 41, 2, 4096, NULL},
    [UP] = {"up", "number of vertices from chin to brow", PARAMETER_INTEGER, 51, 2, 4096, NULL},
    [FRAMES] = {"frames", "shapes", PARAMETER_INTEGER, 60, 1, 65536, NULL},
    [ANGLE] = {"angle", "largest rotation of a region, degrees", PARAMETER_REAL, 20.0, 0.0, 180.0, NULL},
    [SEED] = {"seed", "random seed of the shapes", PARAMETER_INTEGER, 1, 0, 4294967295.0, NULL},
};

/* Smallest and largest radius of a shape's region, and the largest displacement, in metres. */
static const double REACH_MIN = 0.03, REACH_MAX = 0.09, MOVED = 0.01;
static Vec3 mask_point(double across, double up)
{
    const double around = 1.4 * across, over = 1.2 * up;
    return vec3_make(0.095 * sin(around) * cos(over), 0.17 * sin(over), 0.11 * cos(around) * cos(over));
}

static Status face_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    (void)progress;
    const int across = (int)values[ACROSS], up = (int)values[UP];
    dataset->animation.frame_count = (int)values[FRAMES];
    STATUS_TRY(mesh_allocate(&dataset->mesh, across * up, 2 * (across - 1) * (up - 1)));
    int32_t *triangle = dataset->mesh.triangles;
    for (int i = 0; i < across * up; i++) {
        const int column = i % across, row = i / across;
        point_set(dataset->mesh.rest, i,
                  mask_point(2.0 * column / (across - 1) - 1.0, 2.0 * row / (up - 1) - 1.0));
        if (row + 1 == up || column + 1 == across)
            continue;
        const int32_t pair[6] = {i, i + 1, i + across + 1, i, i + across + 1, i + across};
        memcpy(triangle, pair, sizeof pair);
        triangle += 6;
    }
    return status_ok();
}

static void face_frame(const double *values, const Dataset *dataset, int frame, float *positions)
{
    enum { DRAWS = 9 };
    double draws[DRAWS];
    Random random = {(uint64_t)values[SEED]};
    random_skip(&random, (uint64_t)frame * DRAWS);
    for (int i = 0; i < DRAWS; i++)
        draws[i] = random_signed(&random);
    const Vec3 center = mask_point(0.8 * draws[0], 0.8 * draws[1]);
    const Vec3 turn = vec3_scale(vec3_make(draws[2], draws[3], draws[4]), values[ANGLE] * PI / 180.0);
    const Vec3 moved = vec3_scale(vec3_make(draws[5], draws[6], draws[7]), MOVED);
    const double reach = REACH_MIN + (REACH_MAX - REACH_MIN) * 0.5 * (draws[8] + 1.0);
    for (int i = 0; i < dataset->mesh.vertex_count; i++) {
        const Vec3 rest = point_at(dataset->mesh.rest, i), arm = vec3_sub(rest, center);
        point_set(positions, i,
                  vec3_add_scaled(rest, vec3_add(vec3_cross(turn, arm), moved),
                                  smooth_step(1.0 - vec3_length(arm) / reach)));
    }
}

const Generator generator_face = {
    .name = "face",
    .title = "blendshapes of a mask, each of one round region; positions only, open mesh",
    .dataset_title = "Blendshapes of a mask; no rig",
    .parameters = parameters,
    .fill = face_fill,
    .frame = face_frame};
