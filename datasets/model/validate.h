/* Validates the structure of a data set, on which all other code relies: indices in range, parents before
 * children, values finite and not too large, weights with a positive sum. These are the rows of the checks
 * (check.h) that make readers refuse a file. The first fault is reported with its place in the file
 * (`wolf.h5: rig/weights/joints[17,2] is 40, expected 0 to 20`). Counts are not checked. dataset_check
 * finds subtler faults. */
#pragma once

#include "datasets/model/dataset.h"

/* Validates everything except positions and normals. Messages begin with `place`, usually a path. */
Status dataset_validate(const Dataset *dataset, const char *place);

/* Validates positions and normals that are in memory. */
Status dataset_frames_validate(const Dataset *dataset, const char *place);

/* Validates a block of frames of positions or normals, values [frames][vertices][3]. All must be finite and
 * within CHECK_BOUND_LENGTH. `object` is the name of the array. The block begins at first_frame and
 * first_vertex. */
Status frames_validate(const float *values, int first_frame, int frames, int first_vertex, int vertices,
                       const char *place, const char *object);

/* Checks the vertex numbers of all triangles, for meshes that do not come from a file. The message of
 * STATUS_BAD_INPUT names the first corner that is out of range. */
Status mesh_corners_check(const Mesh *mesh);

/* Returns the index of the first value that is not finite, or -1 if all are finite. */
int64_t float_not_finite(const float *values, int64_t count);
