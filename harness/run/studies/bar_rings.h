/* A bar along x as rings of vertices, and how far its posed skin is from where it should be: the radial
 * deviation of CoR Fig. 2.
 *
 * The medial axis of a pose is the line through the rings' centroids under linear blending: it is what
 * becomes of the bar's axis, whose points have the weights of the rings around them (the curve along which
 * CoR Fig. 7 finds the centres of rotation), and it turns a sharp corner of the bones into a smooth arc.
 * Two other axes owe nothing to a method. The bones: the centre of every ring carried by its heaviest joint
 * alone; skin that keeps its distance from them is two straight tubes, joined outside by a circular arc about
 * the joint. The arc: the same, where weights mix replaced by the circular arc that touches both bones; it
 * cuts the corner, and so passes inside the joint, by d tan(a / 4) for an angle a and d from the joint to
 * where it begins. Deviation of a vertex: its distance from the nearest point of the medial axis, over its
 * distance from the axis at rest, less 1. Greater than 0 is a bulge, less a collapse.
 *
 * In a bend only the outer side counts, the half of every ring that looks away from where the bar is bent to:
 * on the inner side the skin folds, under every method, and the nearest point of the axis means nothing. In a
 * twist all vertices count.
 *
 * N vertices, R rings. */
#pragma once

#include "datasets/base/memory.h"
#include "datasets/base/status.h"
#include "datasets/geometry/vec3.h"
#include "datasets/model/dataset.h"

typedef struct BarRings {
    const Mesh *mesh; /* borrowed */
    int ring_count;
    int32_t *ring_of; /* [N] -1 for the middle of a cap */
    int *members;     /* [R] vertices of a ring */
    Vec3 *centers;    /* [R] at rest */
} BarRings;

typedef struct BarDeviation {
    double bulge, collapse; /* greatest, 0 or more; as shares of the radius */
    double *profile;        /* [R] of each ring, where it is greatest in magnitude */
} BarDeviation;

/* Consecutive vertices of one x are a ring. STATUS_BAD_INPUT for a mesh with fewer than two. Release with
 * bar_rings_clear. */
Status bar_rings_find(const Mesh *mesh, BarRings *out);
void bar_rings_clear(BarRings *rings);
DEFINE_OWNED_BY(BarRings, bar_rings_clear)

/* Centroids of the rings in positions [N][3]. */
void bar_rings_axis(const BarRings *rings, const double *positions, Vec3 *axis);

/* The bones in a frame of a rig of the same mesh, and the arc: axis [R] each. Of a bar that is not bent both
 * are the straight axis. */
void bar_rings_bones(const BarRings *rings, const Rig *rig, int frame, Vec3 *axis);
void bar_rings_arc(const BarRings *rings, const Rig *rig, const Vec3 *bones, Vec3 *axis);

/* Fills `out`; its profile [R] is given. */
void bar_rings_deviation(const BarRings *rings, const double *positions, const Vec3 *axis, BarDeviation *out);
