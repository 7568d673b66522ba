/* A plane sheet of cloth over loose joints (CoR Fig. 12). The joints are on a grid in the plane and have no
 * parents. They rotate about seeded axes and move out of the plane, farther and farther from the rest pose.
 * The nearest joints influence a vertex. The weights are continuous and fall with a power of the distance.
 * The mesh is open.
 *
 * Other variants have the joints of two figures in DQS. In Fig. 7, two joints rotate in the plane by
 * different angles, with a blend between them. In Fig. 8, a third joint influences half of the sheet with a
 * tiny weight. */
#include "datasets/generate/generate.h"
#include "datasets/generate/generate_parts.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/turn.h"
#include "datasets/rigging/binding.h"

enum { ACROSS, LAYOUT, JOINTS, FRAMES, INFLUENCES, DROP_OFF, LIFT, ANGLE, SEED, POSITIONS, ROW_COUNT };

enum { GRID, TWO_JOINTS, THREE_JOINTS, FEW_MAX = 3 };
static const char *const layouts[] = {"grid", "two-joints", "three-joints", NULL};

enum { JOINTS_MAX = 16, INFLUENCES_MAX = 16 };

static const Parameter parameters[ROW_COUNT + 1] = {
    [ACROSS] = {"across", "number of vertices along each side", PARAMETER_INTEGER, 51, 2, 1024, NULL},
    [LAYOUT] = {"layout", "joints on a grid (CoR Fig. 12), or the two or three joints of DQS Fig. 7 and 8",
                PARAMETER_CHOICE, GRID, 0, 0, layouts},
    [JOINTS] = {"joints", "number of joints along each side of the grid", PARAMETER_INTEGER, 3, 1, JOINTS_MAX,
                NULL},
    [FRAMES] = {"frames", "number of frames, from the rest pose to the full motion", PARAMETER_INTEGER, 16, 2,
                65536, NULL},
    [INFLUENCES] = {"influences", "largest number of joints that influence a vertex, for a grid",
                    PARAMETER_INTEGER, 4, 1, INFLUENCES_MAX, NULL},
    [DROP_OFF] = {"drop-off", "weights fall with this power of the distance, for a grid", PARAMETER_REAL, 2.0,
                  0.0, 16.0, NULL},
    [LIFT] = {"lift", "how far the joints of a grid move out of the plane, as a fraction of the side",
              PARAMETER_REAL, 0.25, 0.0, 100.0, NULL},
    [ANGLE] = {"angle", "largest rotation of the joints, degrees", PARAMETER_REAL, 70.0, 0.0, 180.0, NULL},
    [SEED] = {"seed", "random seed of the joints' motion", PARAMETER_INTEGER, 1, 0, 4294967295.0, NULL},
    [POSITIONS] = {"positions", "also store the linear blend of every frame as an animation", PARAMETER_FLAG,
                   0, 0, 0, NULL},
};

/* The two joints of DQS Fig. 7 are half a side apart; the third joint is beside them. */
static const Vec3 few_places[FEW_MAX] = {{-0.25, 0.0, 0.0}, {0.25, 0.0, 0.0}, {0.0, 0.0, 0.25}};
static const double few_turns[FEW_MAX] = {
    1.0, -2.0 / 7.0, 0.0}; /* fractions of the angle; by default, the joints rotate by 70 and -20 degrees */
static const double third_weight = 0.05; /* largest weight of the third joint */

/* The joints of a grid are at the centres of equal squares. */
static Vec3 joint_place(int side, int joint)
{
    const int column = joint % side, row = joint / side;
    return vec3_make((column + 0.5) / side - 0.5, 0.0, (row + 0.5) / side - 0.5);
}

/* Computes the weights 1 / distance^drop_off. From each weight, subtracts the weight of the nearest joint
 * that is left out. A weight thus reaches 0 where a vertex changes to another joint. Each joint is a bone
 * of length 0 (datasets/rigging/falloff.c). */
static Status near_weights_make(const double *values, const Mesh *mesh, Rig *rig)
{
    LOCAL_ARRAY(RigBone, bones, rig->joint_count, "the sheet");
    for (int32_t j = 0; j < rig->joint_count; j++) {
        const Vec3 place = joint_place((int)values[JOINTS], j);
        bones[j] = (RigBone){place, place, j};
    }
    const BindingTask task = {mesh, bones, rig->joint_count, rig->joint_count, rig->influence_count, NULL};
    return binding_weights(&binding_falloff, &values[DROP_OFF], &task, rig->weight_joints,
                           rig->weight_values);
}

static Status sheet_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    const int side = (int)values[JOINTS], few = (int)values[LAYOUT] == GRID ? 0 : (int)values[LAYOUT] + 1;
    const int joints = few ? few : side * side, max = few ? few : (int)values[INFLUENCES];
    const int influences = max < joints ? max : joints;
    Rig *rig = &dataset->rig;
    char name[32];
    const int across = (int)values[ACROSS];
    const int cells = across - 1;
    STATUS_TRY(mesh_allocate(&dataset->mesh, across * across, 2 * cells * cells));
    int32_t *triangle = dataset->mesh.triangles;
    for (int row = 0; row < across; row++)
        for (int column = 0; column < across; column++) {
            const int32_t corner = row * across + column;
            point_set(dataset->mesh.rest, corner,
                      vec3_make((double)column / cells - 0.5, 0.0, (double)row / cells - 0.5));
            if (row == cells || column == cells)
                continue;
            /* Diagonals alternate, so that the sheet has no preferred direction. */
            const int32_t falling[6] = {corner, corner + across,     corner + across + 1,
                                        corner, corner + across + 1, corner + 1};
            const int32_t rising[6] = {corner,     corner + across, corner + 1,
                                       corner + 1, corner + across, corner + across + 1};
            for (int i = 0; i < 6; i++)
                *triangle++ = (row + column) % 2 == 0 ? falling[i] : rising[i];
        }
    STATUS_TRY(rig_allocate(rig, dataset->mesh.vertex_count, joints, (int)values[FRAMES], influences));
    for (int j = 0; j < joints; j++) {
        const Vec3 place = few ? few_places[j] : joint_place(side, j);
        snprintf(name, sizeof name, "joint-%d", j);
        COPY_TEXT(rig->joint_names[j], name, "the sheet");
        rig->parents[j] = -1;
        rig->rest[j] = transform_translate(place);
    }
    if (few) {
        for (int v = 0; v < dataset->mesh.vertex_count; v++) {
            const Vec3 place = point_at(dataset->mesh.rest, v);
            const double second =
                smooth_step((place.x - few_places[0].x) / (few_places[1].x - few_places[0].x));
            const double third = rig->joint_count == 3 ? third_weight * smooth_step(2.0 * place.z) : 0.0;
            const double weights[FEW_MAX] = {(1.0 - third) * (1.0 - second), (1.0 - third) * second, third};
            for (int j = 0; j < rig->joint_count && j < FEW_MAX; j++) {
                const size_t slot = (size_t)v * (size_t)rig->joint_count + (size_t)j;
                rig->weight_joints[slot] = weights[j] > 0.0 ? j : 0;
                rig->weight_values[slot] = (float)weights[j];
            }
        }
        const Vec3 up = {0.0, 1.0, 0.0}, still = {0.0, 0.0, 0.0};
        for (int f = 0; f < rig->frame_count; f++)
            for (int j = 0; j < rig->joint_count && j < FEW_MAX; j++)
                rig->transforms[(size_t)f * (size_t)rig->joint_count + (size_t)j] = transform_rotate_about(
                    up, few_turns[j] * values[ANGLE] * PI / 180.0 * f / (rig->frame_count - 1), few_places[j],
                    still);
    } else {
        STATUS_TRY(near_weights_make(values, &dataset->mesh, rig));
        Random random = {(uint64_t)values[SEED]};
        for (int j = 0; j < rig->joint_count; j++) {
            const Vec3 place = joint_place((int)values[JOINTS], j);
            const double around = 2.0 * PI * random_unit(&random), up = 2.0 * random_unit(&random) - 1.0;
            const double flat = sqrt(1.0 - up * up);
            const Vec3 axis = vec3_make(flat * cos(around), up, flat * sin(around));
            const double angle = values[ANGLE] * PI / 180.0 * random_unit(&random);
            const double lift = values[LIFT] * (2.0 * random_unit(&random) - 1.0);
            for (int f = 0; f < rig->frame_count; f++) {
                const double share = (double)f / (rig->frame_count - 1);
                rig->transforms[(size_t)f * (size_t)rig->joint_count + (size_t)j] =
                    transform_rotate_about(axis, share * angle, place, vec3_make(0.0, share * lift, 0.0));
            }
        }
    }
    if (values[POSITIONS] != 0.0)
        STATUS_TRY(generate_blend(progress, dataset));
    return status_ok();
}

const Generator generator_sheet = {
    .name = "sheet",
    .title = "plane sheet over loose joints (CoR Fig. 12, DQS Fig. 7 and 8); a rig, open mesh",
    .dataset_title = "Plane sheet over loose joints",
    .parameters = parameters,
    .fill = sheet_fill};
