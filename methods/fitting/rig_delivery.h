/* From the unknowns of a fit to a rig: rest poses are brought to unit size for a fit, and maps of such rest
 * points to positions less each frame's offset become the transformations of a data set. */
#pragma once

#include "datasets/model/dataset.h"
#include "methods/fitting/linear_blend.h"

/* The units a fit works in: rest point = center + unit * normalised point. */
typedef struct RestUnits {
    double center[3];
    double unit;   /* root mean square distance from the center; 1 for a rest pose that is a point */
    bool is_point; /* but for the rounding of its middle */
} RestUnits;

/* The units of rest [vertex_count][3]. */
RestUnits rest_units(const float *rest, int vertex_count);

/* The normalised rest pose [N][3] of a mesh. One that is a single point becomes zeros. */
RestUnits rest_normalize(const Mesh *mesh, double *rest);

/* Allocates a rig for the bones that have a positive weight in a blend of bone_count, and a rest pose [N][3].
 * Over ranks (NULL: alone) the blend has the vertices of this one's share of all_vertices, the rig all of
 * them. numbers [bone_count] become their joints, -1 those of the other bones. */
Status rig_begin(const LinearBlend *blend, const Ranks *ranks, int all_vertices, int bone_count,
                 int frame_count, int32_t *numbers, Rig *rig, float **rest);

/* Sets the influences of vertices of a rig from `first` on, bones [vertex_count][K] by their numbers; weights
 * [vertex_count][K] are rounded to those of the rig. */
void rig_fill_weights(const int32_t *bones, const int32_t *numbers, int first, int vertex_count,
                      double *weights, Rig *rig);

/* Gives joints without a name one, no parent and the identity as rest frame. */
Status rig_fill_joints(Rig *rig);

/* Sets the transformations of a joint to a map [4][3F] of normalised rest points, columns of the linear part
 * first, and the offset [3F]. */
void rig_fill_transforms(const RestUnits *units, const double *map, const double *offset, int joint,
                         Rig *rig);
