/* Turns the unknowns of a fit into a rig. A fit uses a rest pose of unit size. Its maps take rest positions
 * to animated positions minus each frame's offset. The rig has the corresponding transformations in the
 * units of the data set. */
#pragma once

#include "datasets/model/dataset.h"
#include "methods/fitting/linear_blend.h"

/* Units of a fit: rest point = center + unit * normalised point. */
typedef struct RestUnits {
    double center[3];
    double unit;   /* root mean square distance from the center; 1 if the rest pose is a point */
    bool is_point; /* whether all vertices coincide up to rounding */
} RestUnits;

/* Returns the units for rest [vertex_count][3]. */
RestUnits rest_units(const float *rest, int vertex_count);

/* Fills the normalised rest pose [N][3] of a mesh and returns its units. If all vertices coincide, the
 * positions are zero. */
RestUnits rest_normalize(const Mesh *mesh, double *rest);

/* Allocates a rig for those bones of a blend that have a positive weight, and a rest pose [N][3]. If there
 * are several ranks, the blend has only this rank's part of all_vertices, but the rig has all vertices.
 * ranks: NULL for a single process. numbers [bone_count] receives the joint of each bone, or -1. */
Status rig_begin(const LinearBlend *blend, const Ranks *ranks, int all_vertices, int bone_count,
                 int frame_count, int32_t *numbers, Rig *rig, float **rest);

/* Sets the influences of the rig's vertices from `first` on. bones [vertex_count][K] are converted to
 * joints by `numbers`, and weights [vertex_count][K] are rounded to floats. */
void rig_fill_weights(const int32_t *bones, const int32_t *numbers, int first, int vertex_count,
                      double *weights, Rig *rig);

/* Gives each unnamed joint a name, no parent and an identity rest frame. */
Status rig_fill_joints(Rig *rig);

/* Sets the transformations of a joint from a map [4][3F] of normalised rest points and the offset [3F]. The
 * map holds the three columns of the linear part, then the translation. */
void rig_fill_transforms(const RestUnits *units, const double *map, const double *offset, int joint,
                         Rig *rig);
