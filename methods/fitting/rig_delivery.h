/* Turns the unknowns of a fit into a rig. A fit uses a rest pose of unit size; its maps, from such rest
 * points to positions minus each frame's offset, become the transformations of a data set. */
#pragma once

#include "datasets/model/dataset.h"
#include "methods/fitting/linear_blend.h"

/* Units of a fit: rest point = center + unit * normalised point. */
typedef struct RestUnits {
    double center[3];
    double unit;   /* root mean square distance from the center; 1 if the rest pose is a point */
    bool is_point; /* whether all vertices coincide, up to rounding of their mean */
} RestUnits;

/* Returns the units for rest [vertex_count][3]. */
RestUnits rest_units(const float *rest, int vertex_count);

/* Fills the normalised rest pose [N][3] of a mesh and returns its units. If all vertices coincide, the
 * positions are zero. */
RestUnits rest_normalize(const Mesh *mesh, double *rest);

/* Allocates a rig for the bones of a blend that have a positive weight, and a rest pose [N][3]. With
 * several ranks (NULL: one) the blend has this rank's part of all_vertices, but the rig has all of them.
 * numbers [bone_count] receives the joint of each bone, or -1. */
Status rig_begin(const LinearBlend *blend, const Ranks *ranks, int all_vertices, int bone_count,
                 int frame_count, int32_t *numbers, Rig *rig, float **rest);

/* Sets the influences of the rig's vertices beginning with `first`. bones [vertex_count][K] are converted
 * by `numbers`, and weights [vertex_count][K] are rounded to floats. */
void rig_fill_weights(const int32_t *bones, const int32_t *numbers, int first, int vertex_count,
                      double *weights, Rig *rig);

/* Names each unnamed joint and gives it no parent and an identity rest frame. */
Status rig_fill_joints(Rig *rig);

/* Sets the transformations of a joint from a map [4][3F] of normalised rest points, with the columns of the
 * linear part first, and the offset [3F]. */
void rig_fill_transforms(const RestUnits *units, const double *map, const double *offset, int joint,
                         Rig *rig);
