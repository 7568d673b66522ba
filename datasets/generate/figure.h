/* A human-like figure: a skeleton of 24 or 54 joints (without and with fingers), a skin of tubes around its
 * chains of bones, and smooth weights of at most four influences. Arms point sideways in the rest pose. */
#ifndef SKINBENCH_GENERATE_FIGURE_H
#define SKINBENCH_GENERATE_FIGURE_H

#include "datasets/geometry/vec3.h"
#include "datasets/model/dataset.h"
#include <stdbool.h>

enum { FIGURE_JOINTS_MAX = 54, FIGURE_INFLUENCES = 4, FIGURE_VERTICES_MIN = 1000 };

/* How far a joint turns about x, y, z (in this order, x first), degrees; mirrored on the right side. */
typedef struct FigureLimits {
    double low[3], high[3];
} FigureLimits;

typedef struct FigureJoint {
    char name[24];
    int parent;   /* -1 for the hips */
    Vec3 head;    /* the joint itself */
    Vec3 tail;    /* where its bone ends */
    double girth; /* radius of the limb around the bone */
    bool right;   /* mirrored: turns about y and z change sign */
    bool starts_chain;
    FigureLimits limits;
} FigureJoint;

typedef struct Figure {
    FigureJoint joints[FIGURE_JOINTS_MAX];
    int joint_count;
} Figure;

/* Builds the skeleton. */
void figure_make(bool fingers, Figure *figure);

/* Makes the skin of exactly `vertex_count` vertices (at least FIGURE_VERTICES_MIN). */
Status figure_skin(const Figure *figure, int vertex_count, Mesh *mesh);

/* Allocates `frame_count` poses in the rig and fills everything but the poses: names, parents, rest
 * frames (upright, at the heads), weights. */
Status figure_bind(const Figure *figure, const Mesh *mesh, int frame_count, Rig *rig);

/* One pose, from turns [joint_count] in degrees about x, y, z (taken as they are: mirrored already where a
 * joint is), and a shift of the whole figure, to transforms [joint_count]. */
void figure_pose(const Figure *figure, const Vec3 *turns, Vec3 shift, Transform *transforms);

#endif
