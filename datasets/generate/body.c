/* Rigs with one closed skin. The bones of a figure and some extra flesh become capsules, and the capsules
 * become a surface (flesh.h). Bone heat computes the weights (datasets/rigging/binding.h). Every joint
 * swings within its limits. Each body is a row of a table: its joints, its flesh, and the number of
 * vertices of a published model of the same kind. */
#include "datasets/generate/figure.h"
#include "datasets/generate/flesh.h"
#include "datasets/generate/generate.h"
#include "datasets/generate/generate_parts.h"
#include "datasets/rigging/binding.h"

enum { VERTICES, FRAMES, SEED, HEAT, POSITIONS, MOTION, ROW_COUNT };

static const char *const motions[] = {"walk", "swing", "hips", NULL};
enum { WALK, SWING, HIPS };

#define BODY_PARAMETERS                                                                                      \
    [VERTICES] = {"vertices",                                                                                \
                  "number of vertices of the skin; 0: the number in the title",                              \
                  PARAMETER_INTEGER,                                                                         \
                  0,                                                                                         \
                  0,                                                                                         \
                  1e6,                                                                                       \
                  NULL},                                                                                     \
    [FRAMES] = {"frames", "poses", PARAMETER_INTEGER, 64, 1, 65536, NULL},                                   \
    [SEED] = {"seed", "random seed of the joints' motion", PARAMETER_INTEGER, 1, 0, 4294967295.0, NULL},     \
    [HEAT] = {"heat",                                                                                        \
              "strength of the heat from the bones; less heat makes the weights change more gradually",      \
              PARAMETER_REAL,                                                                                \
              2.5,                                                                                           \
              1e-3,                                                                                          \
              1e3,                                                                                           \
              NULL},                                                                                         \
    [POSITIONS] = {                                                                                          \
        "positions", "also store the linear blend as an animation", PARAMETER_FLAG, 1, 0, 0, NULL}
static const Parameter parameters[ROW_COUNT + 1] = {BODY_PARAMETERS};
static const Parameter walker_parameters[ROW_COUNT + 1] = {
    BODY_PARAMETERS,
    [MOTION] = {"motion",
                "walk: a double step on the spot; swing: every joint within its limits; hips: "
                "both thighs ahead to their limit",
                PARAMETER_CHOICE, WALK, 0, 0, motions},
};

/* A capsule of flesh, in addition to the capsules around the bones. */
typedef struct FleshRow {
    FleshCapsule capsule;
    bool side; /* whether the mirror image of the capsule is also added */
} FleshRow;

typedef struct Body {
    void (*make)(Figure *figure);
    const FleshRow *flesh;
    int flesh_count;
    int vertices;
    bool human; /* whether the body is human, so that it can walk */
} Body;

enum { FLESH_MAX = 24, CAPSULES_MAX = FIGURE_JOINTS_MAX + 2 * FLESH_MAX, SIDE = FIGURE_SIDE };

#define COUNT_OF(rows) ((int)(sizeof(rows) / sizeof *(rows)))

/* ---- the bodies; the left side is +x, arms and legs as in figure.c ---- */

// clang-format off
static const FigureRow arm_rows[] = {
    {"shoulder", NULL, {0, 0, 0}, {.14, 0, 0}, .075, .065, 0, {{-10, -20, -15}, {10, 20, 25}}},
    {"upper_arm", "shoulder", {.14, 0, 0}, {.42, 0, 0}, .055, .042, 0, {{-45, -60, -60}, {45, 20, 60}}},
    {"forearm", "upper_arm", {.42, 0, 0}, {.68, 0, 0}, .042, .028, 0, {{-80, -130, 0}, {80, 0, 0}}},
    {"hand", "forearm", {.68, 0, 0}, {.84, 0, 0}, .034, .026, 0, {{0, -20, -60}, {0, 25, 60}}},
};

static const FleshRow arm_flesh[] = {
    {{{.22, .02, 0}, {.32, .02, 0}, .045, .045, 0}, false},
    {{{.46, 0, .01}, {.52, 0, .01}, .042, .036, 0}, false},
    {{{.74, 0, -.025}, {.80, 0, -.025}, .024, .02, 0}, false},
    {{{.74, 0, .025}, {.80, 0, .025}, .024, .02, 0}, false},
};

/* A right hand lying on its palm, with its fingers along x. */
static const FigureRow hand_rows[] = {
    {"forearm", NULL, {-.24, 0, 0}, {-.12, 0, 0}, .042, .035, 0, {{-10, -15, -15}, {10, 15, 15}}},
    {"forearm_twist", "forearm", {-.12, 0, 0}, {0, 0, 0}, .035, .027, 0, {{-40, 0, 0}, {40, 0, 0}}},
    {"wrist", "forearm_twist", {0, 0, 0}, {.03, 0, 0}, .027, .026, 0, {{0, -15, -50}, {0, 20, 50}}},
    {"palm", "wrist", {.03, 0, 0}, {.06, 0, 0}, .024, .022, 0, {{-5, -5, -8}, {5, 5, 8}}},
    {"thumb_1", "wrist", {.02, -.005, .028}, {.055, -.015, .06}, .017, .014, 0, {{-20, -30, -20}, {20, 20, 20}}},
    {"thumb_2", "thumb_1", {.055, -.015, .06}, {.083, -.02, .082}, .013, .011, 0, {{0, 0, -40}, {0, 15, 0}}},
    {"thumb_3", "thumb_2", {.083, -.02, .082}, {.105, -.024, .098}, .011, .009, 0, {{0, 0, -60}, {0, 10, 0}}},
    {"index_0", "palm", {.04, .002, .016}, {.09, .002, .036}, .016, .013, 0, {{0, -3, -5}, {0, 3, 5}}},
    {"index_1", "index_0", {.09, .002, .036}, {.132, 0, .046}, .0105, .0095, 0, {{0, -15, -85}, {0, 10, 10}}},
    {"index_2", "index_1", {.132, 0, .046}, {.157, -.002, .052}, .0095, .0085, 0, {{0, 0, -95}, {0, 0, 0}}},
    {"index_3", "index_2", {.157, -.002, .052}, {.177, -.005, .056}, .0085, .0075, 0, {{0, 0, -55}, {0, 0, 0}}},
    {"middle_0", "palm", {.04, .004, .004}, {.094, .005, .009}, .016, .013, 0, {{0, -3, -5}, {0, 3, 5}}},
    {"middle_1", "middle_0", {.094, .005, .009}, {.141, .004, .012}, .0105, .0098, 0, {{0, -8, -85}, {0, 8, 10}}},
    {"middle_2", "middle_1", {.141, .004, .012}, {.171, .002, .014}, .0098, .0088, 0, {{0, 0, -95}, {0, 0, 0}}},
    {"middle_3", "middle_2", {.171, .002, .014}, {.193, -.001, .015}, .0088, .0078, 0, {{0, 0, -55}, {0, 0, 0}}},
    {"ring_0", "palm", {.04, .003, -.008}, {.09, .003, -.018}, .016, .013, 0, {{0, -3, -6}, {0, 3, 6}}},
    {"ring_1", "ring_0", {.09, .003, -.018}, {.133, .001, -.024}, .0102, .0094, 0, {{0, -8, -85}, {0, 8, 10}}},
    {"ring_2", "ring_1", {.133, .001, -.024}, {.16, -.001, -.028}, .0094, .0084, 0, {{0, 0, -95}, {0, 0, 0}}},
    {"ring_3", "ring_2", {.16, -.001, -.028}, {.181, -.004, -.031}, .0084, .0075, 0, {{0, 0, -55}, {0, 0, 0}}},
    {"little_0", "palm", {.038, 0, -.018}, {.082, -.002, -.043}, .015, .012, 0, {{0, -4, -8}, {0, 4, 8}}},
    {"little_1", "little_0", {.082, -.002, -.043}, {.114, -.004, -.056}, .009, .0083, 0, {{0, -10, -85}, {0, 15, 10}}},
    {"little_2", "little_1", {.114, -.004, -.056}, {.134, -.006, -.063}, .0083, .0075, 0, {{0, 0, -95}, {0, 0, 0}}},
    {"little_3", "little_2", {.134, -.006, -.063}, {.151, -.009, -.069}, .0075, .007, 0, {{0, 0, -55}, {0, 0, 0}}},
};

static const FleshRow hand_flesh[] = {
    {{{.03, -.008, .02}, {.07, -.008, .03}, .018, .014, 0}, false},
    {{{.03, -.008, -.018}, {.065, -.008, -.034}, .018, .013, 0}, false},
};

static const FleshRow human_flesh[] = {
    {{{-.07, .95, -.01}, {.07, .95, -.01}, .12, .12, 0}, false},   /* pelvis */
    {{{-.04, 1.14, .01}, {.04, 1.14, .01}, .11, .11, 0}, false},   /* waist */
    {{{-.09, 1.33, 0}, {.09, 1.33, 0}, .12, .12, 0}, false},       /* ribs */
    {{{0, 1.68, .01}, {0, 1.74, .01}, .095, .10, 0}, false},       /* skull */
    {{{0, 1.66, .085}, {0, 1.63, .095}, .016, .018, 0}, false},    /* nose */
    {{{.15, 1.45, 0}, {.20, 1.44, 0}, .062, .055, 0}, true},       /* shoulders */
    {{{.10, .40, -.02}, {.10, .32, -.02}, .05, .045, 0}, true},    /* calves */
    {{{.10, .045, -.04}, {.10, .04, .02}, .038, .035, 0}, true},   /* heels */
    {{{.085, .03, .12}, {.08, .022, .18}, .026, .022, 0}, true},   /* balls of the feet */
    {{{.12, .03, .11}, {.13, .022, .16}, .026, .02, 0}, true},
    {{{.71, 1.44, .01}, {.785, 1.44, .036}, .022, .013, 0}, true}, /* palms */
    {{{.71, 1.44, 0}, {.785, 1.44, .012}, .022, .014, 0}, true},
    {{{.71, 1.44, 0}, {.785, 1.44, -.012}, .022, .014, 0}, true},
    {{{.71, 1.44, -.01}, {.78, 1.44, -.036}, .022, .012, 0}, true},
};

static const FigureRow palm_rows[] = {
    {"index_0", "hand", {.74, 1.44, .018}, {.79, 1.44, .042}, .014, .011, SIDE, {{0, -3, -5}, {0, 3, 5}}},
    {"middle_0", "hand", {.74, 1.44, .006}, {.79, 1.44, .014}, .014, .011, SIDE, {{0, -3, -5}, {0, 3, 5}}},
    {"ring_0", "hand", {.74, 1.44, -.006}, {.79, 1.44, -.014}, .014, .011, SIDE, {{0, -3, -6}, {0, 3, 6}}},
    {"little_0", "hand", {.74, 1.44, -.018}, {.785, 1.44, -.042}, .014, .010, SIDE, {{0, -4, -8}, {0, 4, 8}}},
};

/* A four-legged beast with a long neck and tail, short wings and claws, facing +z. */
static const FigureRow creature_rows[] = {
    {"hips", NULL, {0, 1, -.5}, {0, 1.02, -.34}, .16, .16, 0, {{-10, -12, -8}, {10, 12, 8}}},
    {"spine_1", "hips", {0, 1.02, -.34}, {0, 1.04, -.18}, .16, .16, 0, {{-10, -10, -8}, {10, 10, 8}}},
    {"spine_2", "spine_1", {0, 1.04, -.18}, {0, 1.05, -.02}, .16, .17, 0, {{-10, -10, -8}, {10, 10, 8}}},
    {"spine_3", "spine_2", {0, 1.05, -.02}, {0, 1.05, .14}, .17, .18, 0, {{-10, -10, -8}, {10, 10, 8}}},
    {"spine_4", "spine_3", {0, 1.05, .14}, {0, 1.06, .30}, .18, .19, 0, {{-10, -10, -8}, {10, 10, 8}}},
    {"chest", "spine_4", {0, 1.06, .30}, {0, 1.08, .46}, .19, .16, 0, {{-8, -10, -8}, {8, 10, 8}}},
    {"neck_1", "chest", {0, 1.08, .46}, {0, 1.2, .6}, .12, .10, 0, {{-20, -20, -10}, {15, 20, 10}}},
    {"neck_2", "neck_1", {0, 1.2, .6}, {0, 1.32, .72}, .10, .09, 0, {{-20, -20, -10}, {15, 20, 10}}},
    {"neck_3", "neck_2", {0, 1.32, .72}, {0, 1.44, .82}, .09, .085, 0, {{-20, -20, -10}, {15, 20, 10}}},
    {"neck_4", "neck_3", {0, 1.44, .82}, {0, 1.55, .92}, .085, .08, 0, {{-20, -20, -10}, {15, 20, 10}}},
    {"head", "neck_4", {0, 1.55, .92}, {0, 1.52, 1.16}, .09, .055, 0, {{-25, -30, -20}, {25, 30, 20}}},
    {"jaw", "head", {0, 1.48, .98}, {0, 1.39, 1.12}, .032, .024, 0, {{-10, 0, 0}, {15, 0, 0}}},
    {"tail_1", "hips", {0, 1, -.5}, {0, .98, -.68}, .12, .105, 0, {{-10, -20, -5}, {15, 20, 5}}},
    {"tail_2", "tail_1", {0, .98, -.68}, {0, .94, -.84}, .105, .09, 0, {{-15, -25, -5}, {15, 25, 5}}},
    {"tail_3", "tail_2", {0, .94, -.84}, {0, .89, -.99}, .09, .078, 0, {{-15, -25, -5}, {15, 25, 5}}},
    {"tail_4", "tail_3", {0, .89, -.99}, {0, .84, -1.13}, .078, .066, 0, {{-15, -25, -5}, {15, 25, 5}}},
    {"tail_5", "tail_4", {0, .84, -1.13}, {0, .79, -1.27}, .066, .055, 0, {{-15, -25, -5}, {15, 25, 5}}},
    {"tail_6", "tail_5", {0, .79, -1.27}, {0, .75, -1.4}, .055, .045, 0, {{-15, -25, -5}, {15, 25, 5}}},
    {"tail_7", "tail_6", {0, .75, -1.4}, {0, .72, -1.53}, .045, .036, 0, {{-15, -25, -5}, {15, 25, 5}}},
    {"tail_8", "tail_7", {0, .72, -1.53}, {0, .7, -1.66}, .036, .026, 0, {{-15, -25, -5}, {15, 25, 5}}},
    {"scapula", "chest", {.08, 1.1, .38}, {.17, .95, .4}, .09, .08, SIDE, {{-15, -5, -5}, {15, 5, 10}}},
    {"fore_upper", "scapula", {.17, .95, .4}, {.2, .62, .34}, .08, .058, SIDE, {{-40, -10, -10}, {35, 10, 15}}},
    {"fore_lower", "fore_upper", {.2, .62, .34}, {.2, .28, .4}, .055, .038, SIDE, {{-70, 0, 0}, {0, 0, 0}}},
    {"fore_paw", "fore_lower", {.2, .28, .4}, {.2, .09, .42}, .04, .038, SIDE, {{-20, -5, -5}, {50, 5, 5}}},
    {"fore_claw_1", "fore_paw", {.18, .05, .44}, {.14, .03, .54}, .024, .016, SIDE, {{-20, 0, 0}, {25, 0, 0}}},
    {"fore_claw_2", "fore_paw", {.2, .05, .45}, {.2, .03, .57}, .024, .016, SIDE, {{-20, 0, 0}, {25, 0, 0}}},
    {"fore_claw_3", "fore_paw", {.22, .05, .44}, {.26, .03, .54}, .024, .016, SIDE, {{-20, 0, 0}, {25, 0, 0}}},
    {"thigh", "hips", {.12, .98, -.46}, {.2, .66, -.38}, .12, .08, SIDE, {{-35, -10, -5}, {35, 10, 15}}},
    {"shin", "thigh", {.2, .66, -.38}, {.2, .38, -.56}, .062, .045, SIDE, {{0, 0, 0}, {60, 0, 0}}},
    {"hock", "shin", {.2, .38, -.56}, {.2, .1, -.52}, .044, .038, SIDE, {{-50, 0, 0}, {10, 0, 0}}},
    {"hind_paw", "hock", {.2, .1, -.52}, {.2, .06, -.46}, .038, .036, SIDE, {{-20, -5, -5}, {40, 5, 5}}},
    {"hind_claw_1", "hind_paw", {.18, .05, -.45}, {.14, .03, -.35}, .024, .016, SIDE, {{-20, 0, 0}, {25, 0, 0}}},
    {"hind_claw_2", "hind_paw", {.2, .05, -.44}, {.2, .03, -.32}, .024, .016, SIDE, {{-20, 0, 0}, {25, 0, 0}}},
    {"hind_claw_3", "hind_paw", {.22, .05, -.45}, {.26, .03, -.35}, .024, .016, SIDE, {{-20, 0, 0}, {25, 0, 0}}},
    {"ear_1", "head", {.05, 1.61, .92}, {.10, 1.69, .9}, .028, .023, SIDE, {{-15, -15, -15}, {15, 15, 15}}},
    {"ear_2", "ear_1", {.10, 1.69, .9}, {.14, 1.77, .87}, .023, .019, SIDE, {{-15, -15, -15}, {15, 15, 15}}},
    {"wing_1", "chest", {.10, 1.2, .28}, {.45, 1.5, .1}, .05, .036, SIDE, {{-15, -20, -20}, {15, 20, 30}}},
    {"wing_2", "wing_1", {.45, 1.5, .1}, {.8, 1.46, -.15}, .036, .022, SIDE, {{-15, -30, -20}, {15, 10, 30}}},
};

static const FleshRow creature_flesh[] = {
    {{{0, .96, .25}, {0, .97, -.1}, .18, .15, 0}, false},      /* belly */
    {{{.06, 1.58, 1.0}, {.055, 1.57, 1.02}, .03, .03, 0}, true}, /* brows */
    {{{.2, .06, .43}, {.2, .05, .47}, .04, .034, 0}, true},
    {{{.2, .06, -.47}, {.2, .05, -.43}, .04, .034, 0}, true},
};

// clang-format on

static void arm_make(Figure *figure)
{
    figure_append(arm_rows, COUNT_OF(arm_rows), 0, figure);
}

static void hand_make(Figure *figure)
{
    figure_append(hand_rows, COUNT_OF(hand_rows), 0, figure);
}

static void creature_make(Figure *figure)
{
    figure_append(creature_rows, COUNT_OF(creature_rows), 0, figure);
}

/* The human figure with thinner, spread fingers, so that the skins of the fingers do not touch. */
static void biped_make(Figure *figure)
{
    const double SPREAD = 1.5, SLIM = 0.8;
    figure_make(true, figure);
    for (int j = 0; j < figure->joint_count; j++) {
        FigureJoint *joint = &figure->joints[j];
        const char *name = joint->name + strcspn(joint->name, "_") + (strchr(joint->name, '_') ? 1 : 0);
        const bool thumb = strncmp(name, "thumb", 5) == 0;
        if (!thumb && strncmp(name, "index", 5) != 0 && strncmp(name, "middle", 6) != 0 &&
            strncmp(name, "ring", 4) != 0 && strncmp(name, "little", 6) != 0)
            continue;
        joint->radius0 *= SLIM;
        joint->radius1 *= SLIM;
        joint->head.z *= thumb ? 1.0 : SPREAD;
        joint->tail.z *= thumb ? 1.0 : SPREAD;
    }
}

/* Divides a bone that lies along `axis` into three bones. The two outer bones get twist joints. */
static void bone_divide(Figure *figure, const char *name, int axis)
{
    enum { PARTS = 3 };
    const double TWIST = 15.0;
    const int bone = figure_joint_find(figure, name);
    FigureJoint *whole = &figure->joints[bone];
    const Vec3 step = vec3_scale(vec3_sub(whole->tail, whole->head), 1.0 / PARTS);
    const double thinner = (whole->radius1 - whole->radius0) / PARTS;
    for (int part = 1; part < PARTS; part++) {
        FigureJoint *joint = &figure->joints[figure->joint_count++];
        *joint = (FigureJoint){.parent = bone,
                               .head = vec3_add_scaled(whole->head, step, part),
                               .tail = vec3_add_scaled(whole->head, step, part + 1),
                               .radius0 = whole->radius0 + part * thinner,
                               .radius1 = whole->radius0 + (part + 1) * thinner,
                               .right = whole->right};
        snprintf(joint->name, sizeof joint->name, "%.15s_twist_%d", name, part);
        joint->limits.low[axis] = -TWIST;
        joint->limits.high[axis] = TWIST;
    }
    whole->tail = vec3_add(whole->head, step);
    whole->radius1 = whole->radius0 + thinner;
}

static void biped_large_make(Figure *figure)
{
    biped_make(figure);
    figure_append(palm_rows, COUNT_OF(palm_rows), 0, figure);
    bone_divide(figure, "left_upper_arm", 0);
    bone_divide(figure, "left_forearm", 0);
    bone_divide(figure, "left_thigh", 1);
    bone_divide(figure, "left_shin", 1);
    bone_divide(figure, "right_upper_arm", 0);
    bone_divide(figure, "right_forearm", 0);
    bone_divide(figure, "right_thigh", 1);
    bone_divide(figure, "right_shin", 1);
}

/* ---- skin, weights, motion ---- */

/* Returns the width of the blend at a joint. It is small if the bone continues another bone, because a wide
 * blend would make the skin swell there. */
static double joint_blend(const Figure *figure, int joint)
{
    const double ALONG = 0.12, ASIDE = 0.6;
    for (int j = 0; j < joint; j++)
        if (vec3_length(vec3_sub(figure->joints[j].tail, figure->joints[joint].head)) < 1e-6)
            return ALONG;
    return ASIDE;
}

static void motion_fill(const Body *body, const Figure *figure, const double *values, Rig *rig)
{
    const double STRIDE = 20.0; /* in degrees; a larger stride would exceed the limits of the thighs */
    if (!body->human || values[MOTION] == SWING) {
        figure_swing(figure, (uint64_t)values[SEED], rig);
        return;
    }
    for (int f = 0; f < rig->frame_count; f++) {
        Transform *transforms = rig->transforms + (size_t)f * (size_t)rig->joint_count;
        if (values[MOTION] != HIPS) {
            figure_walk(figure, (double)f / rig->frame_count, STRIDE, transforms);
            continue;
        }
        /* bend both hips by a fraction of their maximum (CoR Figure 11) */
        Vec3 turns[FIGURE_JOINTS_MAX] = {{0.0, 0.0, 0.0}};
        const int thighs[] = {figure_joint_find(figure, "left_thigh"),
                              figure_joint_find(figure, "right_thigh")};
        for (int i = 0; i < 2; i++)
            turns[thighs[i]].x = (double)(f + 1) / rig->frame_count * figure->joints[thighs[i]].limits.low[0];
        figure_pose(figure, turns, vec3_make(0.0, 0.0, 0.0), transforms);
    }
}

static Status body_fill(const Body *body, const double *values, const Progress *progress, Dataset *dataset)
{
    const int wanted = values[VERTICES] > 0.0 ? (int)values[VERTICES] : body->vertices;
    FleshCapsule capsules[CAPSULES_MAX];
    Figure figure = {.joint_count = 0};
    Rig *rig = &dataset->rig;
    body->make(&figure);
    const double FLESH_BLEND = 0.5;
    int capsule_count = 0;
    for (int j = 0; j < figure.joint_count; j++) {
        const FigureJoint *joint = &figure.joints[j];
        capsules[capsule_count++] =
            (FleshCapsule){joint->head, joint->tail, joint->radius0, joint->radius1, joint_blend(&figure, j)};
    }
    for (int i = 0; i < body->flesh_count; i++)
        for (int right = 0; right <= body->flesh[i].side; right++) {
            FleshCapsule *capsule = &capsules[capsule_count++];
            *capsule = body->flesh[i].capsule;
            capsule->blend = FLESH_BLEND;
            if (right) {
                capsule->from.x = -capsule->from.x;
                capsule->to.x = -capsule->to.x;
            }
        }
    STATUS_TRY(flesh_mesh_make(capsules, capsule_count, wanted, progress, &dataset->mesh));
    STATUS_TRY(figure_rig(&figure, wanted, (int)values[FRAMES], 1, rig));
    /* bind the mesh to the bones of the figure */
    enum { INFLUENCES = 4 };
    const Binding *binding = &binding_bone_heat;
    ParameterValues binding_values = parameters_default(binding->parameters);
    for (int i = 0; binding->parameters[i].name; i++)
        if (strcmp(binding->parameters[i].name, "heat") == 0)
            binding_values.values[i] = values[HEAT];
    RigBone rows[FIGURE_JOINTS_MAX];
    for (int j = 0; j < figure.joint_count; j++)
        rows[j] = (RigBone){figure.joints[j].head, figure.joints[j].tail, j};
    const RigBones bones = {rows, figure.joint_count};
    STATUS_TRY(
        rig_bind_to_bones(binding, binding_values.values, &dataset->mesh, &bones, INFLUENCES, progress, rig));
    motion_fill(body, &figure, values, rig);
    if (values[POSITIONS] != 0.0)
        STATUS_TRY(generate_blend(progress, dataset));
    return status_ok();
}

/* Defines the generator of one body. The arguments are the identifier, the name, the description, the
 * flesh, the number of vertices, and whether the body is human. */
#define BODY_GENERATOR(identifier, word, text, flesh, size, walks)                                           \
    static Status identifier##_fill(const double *values, const Progress *progress, Dataset *dataset)        \
    {                                                                                                        \
        static const Body body = {identifier##_make, flesh, COUNT_OF(flesh), size, walks};                   \
        return body_fill(&body, values, progress, dataset);                                                  \
    }                                                                                                        \
    const Generator generator_##identifier = {.name = word,                                                  \
                                              .title = text,                                                 \
                                              .dataset_title = text,                                         \
                                              .parameters = walks ? walker_parameters : parameters,          \
                                              .fill = identifier##_fill}

/* Some vertex counts are published ones: SBS Table 1 has those of the hand, the woman (biped-large) and the
 * creature; DQS section 5 has that of the human (biped). */
BODY_GENERATOR(arm, "arm", "Arm of one closed skin, bone-heat weights: 1500 vertices, 4 joints", arm_flesh,
               1500, false);
BODY_GENERATOR(hand, "hand", "Hand of one closed skin, bone-heat weights: 2402 vertices, 23 joints",
               hand_flesh, 2402, false);
BODY_GENERATOR(biped, "biped", "Human of one closed skin, bone-heat weights: 5002 vertices, 54 joints",
               human_flesh, 5002, true);
BODY_GENERATOR(biped_large, "biped-large",
               "Human of one closed skin, bone-heat weights: 3356 vertices, 78 joints", human_flesh, 3356,
               true);
BODY_GENERATOR(creature, "creature", "Beast of one closed skin, bone-heat weights: 6802 vertices, 56 joints",
               creature_flesh, 6802, false);
