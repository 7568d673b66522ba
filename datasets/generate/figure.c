/* The skeleton of the figure and its poses; figure_skin.c wraps a skin around it. */
#include "datasets/generate/figure.h"

#include "datasets/generate/generate_parts.h"
#include "datasets/geometry/angles.h"

#include <assert.h>

enum {
    CHAIN = FIGURE_CHAIN,
    SIDE = FIGURE_SIDE,
    SIDE_CHAIN = SIDE | CHAIN,
    FINGER = SIDE | FIGURE_FINGER,
    KNUCKLE = FINGER | CHAIN
};

// clang-format off
static const FigureRow human[] = {
    {"hips", NULL, {0, 0.95, 0}, {0, 1.05, 0}, .15, 0, CHAIN, {{-15, -20, -10}, {15, 20, 10}}},
    {"spine_1", "hips", {0, 1.05, 0}, {0, 1.17, 0}, .13, 0, 0, {{-8, -14, -10}, {19, 14, 10}}},
    {"spine_2", "spine_1", {0, 1.17, 0}, {0, 1.29, 0}, .13, 0, 0, {{-8, -14, -10}, {19, 14, 10}}},
    {"spine_3", "spine_2", {0, 1.29, 0}, {0, 1.40, 0}, .14, 0, 0, {{-8, -14, -10}, {19, 14, 10}}},
    {"chest", "spine_3", {0, 1.40, 0}, {0, 1.50, 0}, .13, 0, 0, {{-6, -14, -10}, {18, 14, 10}}},
    {"neck_1", "chest", {0, 1.50, 0}, {0, 1.55, 0}, .06, 0, 0, {{-15, -20, -15}, {20, 20, 15}}},
    {"neck_2", "neck_1", {0, 1.55, 0}, {0, 1.60, 0}, .06, 0, 0, {{-15, -20, -15}, {20, 20, 15}}},
    {"head", "neck_2", {0, 1.60, 0}, {0, 1.80, 0}, .09, 0, 0, {{-15, -30, -10}, {20, 30, 10}}},
    /* The left side, +x. Arms rotate about x to twist, about y to reach forward, and about z to rise. */
    {"clavicle", "chest", {.04, 1.44, 0}, {.18, 1.44, 0}, .05, 0, SIDE_CHAIN, {{0, -15, -5}, {0, 10, 30}}},
    {"upper_arm", "clavicle", {.18, 1.44, 0}, {.46, 1.44, 0}, .05, .04, SIDE, {{-45, -100, -75}, {45, 20, 80}}},
    {"forearm", "upper_arm", {.46, 1.44, 0}, {.70, 1.44, 0}, .04, .03, SIDE, {{-60, -130, 0}, {80, 0, 0}}},
    {"hand", "forearm", {.70, 1.44, 0}, {.79, 1.44, 0}, .035, .03, SIDE, {{0, -15, -70}, {0, 25, 60}}},
    {"thumb_1", "hand", {.73, 1.43, .03}, {.76, 1.42, .06}, .012, 0, KNUCKLE, {{-20, -30, -20}, {20, 20, 20}}},
    {"thumb_2", "thumb_1", {.76, 1.42, .06}, {.785, 1.415, .08}, .011, 0, FINGER, {{0, 0, -50}, {0, 10, 0}}},
    {"thumb_3", "thumb_2", {.785, 1.415, .08}, {.81, 1.41, .10}, .010, 0, FINGER, {{0, 0, -70}, {0, 0, 0}}},
    {"index_1", "hand", {.79, 1.44, .03}, {.83, 1.44, .032}, .010, 0, KNUCKLE, {{0, -15, -85}, {0, 10, 10}}},
    {"index_2", "index_1", {.83, 1.44, .032}, {.855, 1.44, .033}, .009, 0, FINGER, {{0, 0, -95}, {0, 0, 0}}},
    {"index_3", "index_2", {.855, 1.44, .033}, {.88, 1.44, .034}, .008, 0, FINGER, {{0, 0, -55}, {0, 0, 0}}},
    {"middle_1", "hand", {.79, 1.44, .01}, {.835, 1.44, .01}, .010, 0, KNUCKLE, {{0, -8, -85}, {0, 8, 10}}},
    {"middle_2", "middle_1", {.835, 1.44, .01}, {.865, 1.44, .01}, .009, 0, FINGER, {{0, 0, -95}, {0, 0, 0}}},
    {"middle_3", "middle_2", {.865, 1.44, .01}, {.89, 1.44, .01}, .008, 0, FINGER, {{0, 0, -55}, {0, 0, 0}}},
    {"ring_1", "hand", {.79, 1.44, -.01}, {.83, 1.44, -.012}, .010, 0, KNUCKLE, {{0, -8, -85}, {0, 8, 10}}},
    {"ring_2", "ring_1", {.83, 1.44, -.012}, {.858, 1.44, -.014}, .009, 0, FINGER, {{0, 0, -95}, {0, 0, 0}}},
    {"ring_3", "ring_2", {.858, 1.44, -.014}, {.88, 1.44, -.015}, .008, 0, FINGER, {{0, 0, -55}, {0, 0, 0}}},
    {"little_1", "hand", {.785, 1.44, -.03}, {.815, 1.44, -.034}, .009, 0, KNUCKLE, {{0, -10, -85}, {0, 15, 10}}},
    {"little_2", "little_1", {.815, 1.44, -.034}, {.835, 1.44, -.037}, .008, 0, FINGER, {{0, 0, -95}, {0, 0, 0}}},
    {"little_3", "little_2", {.835, 1.44, -.037}, {.853, 1.44, -.039}, .007, 0, FINGER, {{0, 0, -55}, {0, 0, 0}}},
    {"thigh", "hips", {.09, .92, 0}, {.10, .50, 0}, .08, .058, SIDE_CHAIN, {{-105, -30, -10}, {20, 30, 40}}},
    {"shin", "thigh", {.10, .50, 0}, {.10, .08, -.01}, .055, .038, SIDE, {{0, 0, 0}, {130, 0, 0}}},
    {"foot", "shin", {.10, .08, -.01}, {.10, .03, .12}, .04, .032, SIDE, {{-25, -10, -15}, {45, 10, 15}}},
    {"toes", "foot", {.10, .03, .12}, {.10, .02, .19}, .03, .024, SIDE, {{-40, 0, 0}, {20, 0, 0}}},
};
// clang-format on

static Vec3 mirrored(Vec3 p, bool mirror)
{
    return mirror ? vec3_make(-p.x, p.y, p.z) : p;
}

/* Returns the joint called `name` on the side given by `prefix`. If that side has none, returns the joint
 * called `name` in the middle. Returns -1 if the name is NULL. */
static int parent_find(const Figure *figure, const char *prefix, const char *name)
{
    for (int j = figure->joint_count - 1; name && j >= 0; j--) {
        const char *candidate = figure->joints[j].name;
        if (strcmp(candidate, name) == 0 || (strncmp(candidate, prefix, strlen(prefix)) == 0 &&
                                             strcmp(candidate + strlen(prefix), name) == 0))
            return j;
    }
    assert(!name && "a row of the figure names a parent that does not exist");
    return -1;
}

void figure_append(const FigureRow *rows, int count, unsigned left_out, Figure *figure)
{
    static const char *const prefixes[] = {"", "left_", "right_"};
    for (int part = 0; part < 3; part++)
        for (int i = 0; i < count; i++)
            if (((rows[i].flags & FIGURE_SIDE) != 0) == (part > 0) && (rows[i].flags & left_out) == 0) {
                const FigureRow *row = &rows[i];
                const bool right = strcmp(prefixes[part], "right_") == 0;
                assert(figure->joint_count < FIGURE_JOINTS_MAX);
                FigureJoint *joint = &figure->joints[figure->joint_count];
                *joint = (FigureJoint){.parent = parent_find(figure, prefixes[part], row->parent),
                                       .head = mirrored(row->head, right),
                                       .tail = mirrored(row->tail, right),
                                       .radius0 = row->radius0,
                                       .radius1 = row->radius1 > 0.0 ? row->radius1 : row->radius0,
                                       .right = right,
                                       .starts_chain = (row->flags & FIGURE_CHAIN) != 0,
                                       .limits = row->limits};
                snprintf(joint->name, sizeof joint->name, "%s%s", prefixes[part], row->name);
                for (int axis = 1; right && axis < 3; axis++) {
                    joint->limits.low[axis] = -row->limits.high[axis];
                    joint->limits.high[axis] = -row->limits.low[axis];
                }
                figure->joint_count++;
            }
}

void figure_make(bool fingers, Figure *figure)
{
    figure->joint_count = 0;
    figure_append(human, sizeof human / sizeof human[0], fingers ? 0 : FIGURE_FINGER, figure);
}

int figure_joint_find(const Figure *figure, const char *name)
{
    int j = 0;
    while (strcmp(figure->joints[j].name, name) != 0)
        j++;
    return j;
}

/* A joint rotates by R about its head h, given in the rest pose, and moves with its parent:
 *
 *   C_j = C_parent T(h) R T(-h), where T(h) is the translation by h */
void figure_pose(const Figure *figure, const Vec3 *turns, Vec3 shift, Transform *transforms)
{
    for (int j = 0; j < figure->joint_count; j++) {
        const FigureJoint *joint = &figure->joints[j];
        /* rotate about x, then y, then z */
        const Vec3 degrees = turns[j];
        const double RADIAN = PI / 180.0;
        double cx = cos(RADIAN * degrees.x), sx = sin(RADIAN * degrees.x);
        double cy = cos(RADIAN * degrees.y), sy = sin(RADIAN * degrees.y);
        double cz = cos(RADIAN * degrees.z), sz = sin(RADIAN * degrees.z);
        Transform local = (Transform){.m00 = cz * cy,
                                      .m01 = cz * sy * sx - sz * cx,
                                      .m02 = cz * sy * cx + sz * sx,
                                      .m10 = sz * cy,
                                      .m11 = sz * sy * sx + cz * cx,
                                      .m12 = sz * sy * cx - cz * sx,
                                      .m20 = -sy,
                                      .m21 = cy * sx,
                                      .m22 = cy * cx};
        Vec3 moved = vec3_sub(joint->head, transform_direction(local, joint->head));
        if (joint->parent < 0)
            moved = vec3_add(moved, shift);
        local = transform_moved_to(local, moved);
        transforms[j] = joint->parent < 0 ? local : transform_product(transforms[joint->parent], local);
    }
}

/* How a joint swings: the phase about each axis, in turns, and the number of cycles. */
typedef struct FigureSwing {
    double phase[3];
    int cycles[3];
} FigureSwing;

static Vec3 swing_rotation(const FigureLimits *limits, const FigureSwing *swing, double share)
{
    double fade = smooth_step(4.0 * share), angles[3];
    for (int axis = 0; axis < 3; axis++) {
        double low = limits->low[axis], high = limits->high[axis];
        double raised = 0.5 - 0.5 * cos(2.0 * PI * (swing->cycles[axis] * share + swing->phase[axis]));
        angles[axis] = fade * (low + (high - low) * raised);
    }
    return vec3_make(angles[0], angles[1], angles[2]);
}

void figure_swing(const Figure *figure, uint64_t seed, Rig *rig)
{
    Random random = {seed};
    FigureSwing swings[FIGURE_JOINTS_MAX];
    Vec3 turns[FIGURE_JOINTS_MAX];
    for (int j = 0; j < figure->joint_count; j++)
        for (int axis = 0; axis < 3; axis++) {
            swings[j].phase[axis] = random_unit(&random);
            swings[j].cycles[axis] = 1 + (random_unit(&random) < 0.5);
        }
    for (int f = 0; f < rig->frame_count; f++) {
        for (int j = 0; j < figure->joint_count; j++)
            turns[j] = swing_rotation(&figure->joints[j].limits, &swings[j], (double)f / rig->frame_count);
        figure_pose(figure, turns, vec3_make(0.0, 0.0, 0.0),
                    rig->transforms + (size_t)f * (size_t)rig->joint_count);
    }
}
