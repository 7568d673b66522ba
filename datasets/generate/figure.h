/* Figures: skeletons from rows of a table, and their poses. The human one has 24 or 54 joints (without and
 * with fingers), a skin of tubes around its chains of bones, and smooth weights of at most four influences;
 * its arms point sideways in the rest pose. */
#pragma once

#include "datasets/model/dataset.h"

enum { FIGURE_JOINTS_MAX = 80, FIGURE_INFLUENCES = 4, FIGURE_VERTICES_MIN = 1000 };

/* How far a joint turns about x, y, z (in this order, x first), degrees; mirrored on the right side. */
typedef struct FigureLimits {
    double low[3], high[3];
} FigureLimits;

enum {
    FIGURE_SIDE = 1,  /* on the left side, +x, and mirrored on the right; else in the middle */
    FIGURE_CHAIN = 2, /* starts a chain of bones, of which the tubes of figure_skin are */
    FIGURE_FINGER = 4,
};

typedef struct FigureRow {
    const char *name;   /* "left_" and "right_" are put before it on the sides */
    const char *parent; /* by the name of its row; NULL: a root */
    Vec3 head, tail;
    double radius0, radius1; /* radius1 0: as radius0 */
    unsigned flags;
    FigureLimits limits;
} FigureRow;

typedef struct FigureJoint {
    char name[24];
    int parent;              /* -1 for a root */
    Vec3 head;               /* the joint itself */
    Vec3 tail;               /* where its bone ends */
    double radius0, radius1; /* radius of the limb around the bone, at its head and at its tail */
    bool right;              /* mirrored: turns about y and z change sign */
    bool starts_chain;
    FigureLimits limits;
} FigureJoint;

typedef struct Figure {
    FigureJoint joints[FIGURE_JOINTS_MAX];
    int joint_count;
} Figure;

/* Appends the joints of the rows, but of those with a flag in `left_out`: the middle's, the left side's, the
 * right side's, each in the order of the rows. Parents stand before their children, or in the figure
 * already. */
void figure_append(const FigureRow *rows, int count, unsigned left_out, Figure *figure);

/* Builds the human skeleton. */
void figure_make(bool fingers, Figure *figure);

/* Makes the skin of exactly `vertex_count` vertices (at least FIGURE_VERTICES_MIN). */
Status figure_skin(const Figure *figure, int vertex_count, Mesh *mesh);

/* Allocates a rig of `frame_count` poses and `influences` for the vertices, and fills names, parents and rest
 * frames (upright, at the heads). */
Status figure_rig(const Figure *figure, int vertex_count, int frame_count, int influences, Rig *rig);

/* The same with the weights of the human figure's tubes. */
Status figure_bind(const Figure *figure, const Mesh *mesh, int frame_count, Rig *rig);

/* One pose, from turns [joint_count] in degrees about x, y, z (taken as they are: mirrored already where a
 * joint is), and a shift of the whole figure, to transforms [joint_count]. */
void figure_pose(const Figure *figure, const Vec3 *turns, Vec3 shift, Transform *transforms);

/* The pose of the human figure at `step`, a share of a double step on the spot; thighs turn by up to `stride`
 * degrees. */
void figure_walk(const Figure *figure, double step, double stride, Transform *transforms);

/* Fills the poses of a rig: every joint swings within its limits about each axis, once or twice, in phases of
 * the seed; faded in, so that frame 0 is the rest pose. */
void figure_swing(const Figure *figure, uint64_t seed, Rig *rig);
