/* Figures: skeletons made from the rows of a table, and their poses. The human figure has 24 joints, or 54
 * with fingers. Its skin consists of tubes around its chains of bones, and its smooth weights have at most
 * four influences. In the rest pose the arms point sideways. */
#pragma once

#include "datasets/model/dataset.h"

enum { FIGURE_JOINTS_MAX = 80, FIGURE_INFLUENCES = 4, FIGURE_VERTICES_MIN = 1000 };

/* Limits of the rotation of a joint about x, y and z, applied in this order, in degrees. The limits of
 * joints on the right side are mirrored. */
typedef struct FigureLimits {
    double low[3], high[3];
} FigureLimits;

enum {
    FIGURE_SIDE = 1,  /* on the left side, +x, and mirrored to the right; other joints are in the middle */
    FIGURE_CHAIN = 2, /* a joint that starts a chain of bones; figure_skin puts a tube around each chain */
    FIGURE_FINGER = 4,
};

typedef struct FigureRow {
    const char *name;   /* name of the joint, to which "left_" or "right_" is added on the sides */
    const char *parent; /* name of the parent's row; NULL for a root */
    Vec3 head, tail;
    double radius0, radius1; /* radius of the limb at the head and at the tail of the bone; if radius1 is 0,
                                radius0 is used for both */
    unsigned flags;
    FigureLimits limits;
} FigureRow;

typedef struct FigureJoint {
    char name[24];
    int parent;              /* -1 for a root */
    Vec3 head;               /* position of the joint */
    Vec3 tail;               /* end of the joint's bone */
    double radius0, radius1; /* radius of the limb around the bone, at its head and at its tail */
    bool right;              /* whether the joint is mirrored: rotations about y and z then change sign */
    bool starts_chain;
    FigureLimits limits;
} FigureJoint;

typedef struct Figure {
    FigureJoint joints[FIGURE_JOINTS_MAX];
    int joint_count;
} Figure;

/* Appends the joints of all rows that have none of the flags `left_out`. The joints in the middle come
 * first, then the left side, then the right side, each group in the order of the rows. A parent must
 * precede its children or be in the figure already. */
void figure_append(const FigureRow *rows, int count, unsigned left_out, Figure *figure);

/* Builds the human skeleton. */
void figure_make(bool fingers, Figure *figure);

/* Returns the index of the joint of this name, which must exist. */
int figure_joint_find(const Figure *figure, const char *name);

/* Makes a skin with exactly `vertex_count` vertices (at least FIGURE_VERTICES_MIN). */
Status figure_skin(const Figure *figure, int vertex_count, Mesh *mesh);

/* Allocates a rig with `frame_count` poses and `influences` per vertex. Fills in the names, the parents and
 * the rest frames. The rest frames have their origins at the heads of the bones and are not rotated. */
Status figure_rig(const Figure *figure, int vertex_count, int frame_count, int influences, Rig *rig);

/* Makes a rig as figure_rig does. Also fills in the weights of the human figure's tubes. */
Status figure_bind(const Figure *figure, const Mesh *mesh, int frame_count, Rig *rig);

/* Computes the transforms [joint_count] of one pose. `turns` [joint_count] are the rotations in degrees
 * about x, y and z; `shift` moves the whole figure. The rotations of mirrored joints must be mirrored
 * already. */
void figure_pose(const Figure *figure, const Vec3 *turns, Vec3 shift, Transform *transforms);

/* Computes a pose of the human figure walking on the spot. `step` is the time as a fraction of a cycle of
 * two steps. The thighs rotate by up to `stride` degrees. */
void figure_walk(const Figure *figure, double step, double stride, Transform *transforms);

/* Fills in the poses of a rig. Every joint swings within its limits about each axis, once or twice, with
 * phases from the seed. The motion fades in, so that frame 0 is the rest pose. */
void figure_swing(const Figure *figure, uint64_t seed, Rig *rig);
