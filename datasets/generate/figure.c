/* The skeleton of the figure and its poses; figure_skin.c wraps a skin around it. */
#include "datasets/generate/figure.h"

#include "datasets/geometry/angles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row of the skeleton: `parent` is a row of the same table, or, below 0 in the table of one side, a joint
 * of the middle: -1 - joint. */
typedef struct JointPlan {
    const char *name;
    int parent;
    Vec3 head, tail;
    double girth;
    bool starts_chain, finger;
    FigureLimits limits;
} JointPlan;

enum { CHEST = 4, MIDDLE_COUNT = 8, HAND = 3 };

static const JointPlan middle[MIDDLE_COUNT] = {
    {"hips", -1, {0, 0.95, 0}, {0, 1.05, 0}, .15, true, false, {{-15, -20, -10}, {15, 20, 10}}},
    {"spine_1", 0, {0, 1.05, 0}, {0, 1.17, 0}, .13, false, false, {{-8, -14, -10}, {19, 14, 10}}},
    {"spine_2", 1, {0, 1.17, 0}, {0, 1.29, 0}, .13, false, false, {{-8, -14, -10}, {19, 14, 10}}},
    {"spine_3", 2, {0, 1.29, 0}, {0, 1.40, 0}, .14, false, false, {{-8, -14, -10}, {19, 14, 10}}},
    {"chest", 3, {0, 1.40, 0}, {0, 1.50, 0}, .13, false, false, {{-6, -14, -10}, {18, 14, 10}}},
    {"neck_1", 4, {0, 1.50, 0}, {0, 1.55, 0}, .06, false, false, {{-15, -20, -15}, {20, 20, 15}}},
    {"neck_2", 5, {0, 1.55, 0}, {0, 1.60, 0}, .06, false, false, {{-15, -20, -15}, {20, 20, 15}}},
    {"head", 6, {0, 1.60, 0}, {0, 1.80, 0}, .09, false, false, {{-15, -30, -10}, {20, 30, 10}}},
};

/* The left side, +x. Arms turn about x to twist, about y to reach forward, about z to rise. */
static const JointPlan side[] = {
    {"clavicle", -1 - CHEST, {.04, 1.44, 0}, {.18, 1.44, 0}, .05, true, false, {{0, -15, -5}, {0, 10, 30}}},
    {"upper_arm", 0, {.18, 1.44, 0}, {.46, 1.44, 0}, .05, false, false, {{-45, -100, -75}, {45, 20, 80}}},
    {"forearm", 1, {.46, 1.44, 0}, {.70, 1.44, 0}, .04, false, false, {{-60, -130, 0}, {80, 0, 0}}},
    {"hand", 2, {.70, 1.44, 0}, {.79, 1.44, 0}, .035, false, false, {{0, -15, -70}, {0, 25, 60}}},
    {"thumb_1", 3, {.73, 1.43, .03}, {.76, 1.42, .06}, .012, true, true, {{-20, -30, -20}, {20, 20, 20}}},
    {"thumb_2", 4, {.76, 1.42, .06}, {.785, 1.415, .08}, .011, false, true, {{0, 0, -50}, {0, 10, 0}}},
    {"thumb_3", 5, {.785, 1.415, .08}, {.81, 1.41, .10}, .010, false, true, {{0, 0, -70}, {0, 0, 0}}},
    {"index_1", 3, {.79, 1.44, .03}, {.83, 1.44, .032}, .010, true, true, {{0, -15, -85}, {0, 10, 10}}},
    {"index_2", 7, {.83, 1.44, .032}, {.855, 1.44, .033}, .009, false, true, {{0, 0, -95}, {0, 0, 0}}},
    {"index_3", 8, {.855, 1.44, .033}, {.88, 1.44, .034}, .008, false, true, {{0, 0, -55}, {0, 0, 0}}},
    {"middle_1", 3, {.79, 1.44, .01}, {.835, 1.44, .01}, .010, true, true, {{0, -8, -85}, {0, 8, 10}}},
    {"middle_2", 10, {.835, 1.44, .01}, {.865, 1.44, .01}, .009, false, true, {{0, 0, -95}, {0, 0, 0}}},
    {"middle_3", 11, {.865, 1.44, .01}, {.89, 1.44, .01}, .008, false, true, {{0, 0, -55}, {0, 0, 0}}},
    {"ring_1", 3, {.79, 1.44, -.01}, {.83, 1.44, -.012}, .010, true, true, {{0, -8, -85}, {0, 8, 10}}},
    {"ring_2", 13, {.83, 1.44, -.012}, {.858, 1.44, -.014}, .009, false, true, {{0, 0, -95}, {0, 0, 0}}},
    {"ring_3", 14, {.858, 1.44, -.014}, {.88, 1.44, -.015}, .008, false, true, {{0, 0, -55}, {0, 0, 0}}},
    {"little_1", 3, {.785, 1.44, -.03}, {.815, 1.44, -.034}, .009, true, true, {{0, -10, -85}, {0, 15, 10}}},
    {"little_2", 16, {.815, 1.44, -.034}, {.835, 1.44, -.037}, .008, false, true, {{0, 0, -95}, {0, 0, 0}}},
    {"little_3", 17, {.835, 1.44, -.037}, {.853, 1.44, -.039}, .007, false, true, {{0, 0, -55}, {0, 0, 0}}},
    {"thigh", -1, {.09, .92, 0}, {.10, .50, 0}, .08, true, false, {{-105, -30, -10}, {20, 30, 40}}},
    {"shin", 19, {.10, .50, 0}, {.10, .08, -.01}, .055, false, false, {{0, 0, 0}, {130, 0, 0}}},
    {"foot", 20, {.10, .08, -.01}, {.10, .03, .12}, .04, false, false, {{-25, -10, -15}, {45, 10, 15}}},
    {"toes", 21, {.10, .03, .12}, {.10, .02, .19}, .03, false, false, {{-40, 0, 0}, {20, 0, 0}}},
};
enum { SIDE_COUNT = sizeof side / sizeof side[0] };

static Vec3 mirrored(Vec3 p, bool mirror)
{
    return mirror ? vec3_make(-p.x, p.y, p.z) : p;
}

static void joint_append(const JointPlan *row, int parent, const char *prefix, bool right, Figure *figure)
{
    FigureJoint *joint = &figure->joints[figure->joint_count++];
    *joint = (FigureJoint){.parent = parent,
                           .head = mirrored(row->head, right),
                           .tail = mirrored(row->tail, right),
                           .girth = row->girth,
                           .right = right,
                           .starts_chain = row->starts_chain,
                           .limits = row->limits};
    snprintf(joint->name, sizeof joint->name, "%s%s", prefix, row->name);
    for (int axis = 1; right && axis < 3; axis++) {
        joint->limits.low[axis] = -row->limits.high[axis];
        joint->limits.high[axis] = -row->limits.low[axis];
    }
}

void figure_make(bool fingers, Figure *figure)
{
    figure->joint_count = 0;
    for (int i = 0; i < MIDDLE_COUNT; i++)
        joint_append(&middle[i], middle[i].parent, "", false, figure);
    for (int right = 0; right < 2; right++) {
        int joint_of_row[SIDE_COUNT];
        for (int i = 0; i < SIDE_COUNT; i++) {
            if (side[i].finger && !fingers)
                continue;
            int parent = side[i].parent < 0 ? -1 - side[i].parent : joint_of_row[side[i].parent];
            joint_of_row[i] = figure->joint_count;
            joint_append(&side[i], parent, right ? "right_" : "left_", right != 0, figure);
        }
    }
}

/* Rotation about x, then y, then z. */
static Transform turn_make(Vec3 degrees)
{
    const double RADIAN = PI / 180.0;
    double cx = cos(RADIAN * degrees.x), sx = sin(RADIAN * degrees.x);
    double cy = cos(RADIAN * degrees.y), sy = sin(RADIAN * degrees.y);
    double cz = cos(RADIAN * degrees.z), sz = sin(RADIAN * degrees.z);
    return (Transform){.m00 = cz * cy,
                       .m01 = cz * sy * sx - sz * cx,
                       .m02 = cz * sy * cx + sz * sx,
                       .m10 = sz * cy,
                       .m11 = sz * sy * sx + cz * cx,
                       .m12 = sz * sy * cx - cz * sx,
                       .m20 = -sy,
                       .m21 = cy * sx,
                       .m22 = cy * cx};
}

/* A joint turns about its head in the rest pose, and its parent carries it: C_j = C_parent T(h) R T(-h). */
void figure_pose(const Figure *figure, const Vec3 *turns, Vec3 shift, Transform *transforms)
{
    for (int j = 0; j < figure->joint_count; j++) {
        const FigureJoint *joint = &figure->joints[j];
        Transform local = turn_make(turns[j]);
        Vec3 moved = vec3_sub(joint->head, transform_direction(local, joint->head));
        if (joint->parent < 0)
            moved = vec3_add(moved, shift);
        local.m03 = moved.x;
        local.m13 = moved.y;
        local.m23 = moved.z;
        transforms[j] = joint->parent < 0 ? local : transform_product(transforms[joint->parent], local);
    }
}
