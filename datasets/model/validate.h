/* Validates the structure of a data set, on which all other code relies: indices in range, parents before
 * children, values finite and of a sensible size, weights with a positive sum. These are the rows of the
 * checks (check_rows.h) that are refusals. The first fault is reported with its place in the file
 * (`wolf.h5: rig/weights/joints[17,2] is 40, expected 0 to 20`). dataset_check finds subtler faults. Counts
 * are trusted. */
#pragma once

#include "datasets/model/dataset.h"

/* Validates everything except positions and normals. `place`, usually a path, begins the message. */
Status dataset_validate(const Dataset *dataset, const char *place);

/* Validates positions and normals that are in memory. */
Status dataset_frames_validate(const Dataset *dataset, const char *place);

/* Validates a block of frames of positions or normals, values [frames][vertices][3]: all must be finite and
 * within CHECK_BOUND_LENGTH. `object` is the name of the array; first_frame and first_vertex say where the
 * block starts. */
Status frames_validate(const float *values, int first_frame, int frames, int first_vertex, int vertices,
                       const char *place, const char *object);

/* STATUS_BAD_INPUT names the first triangle corner whose vertex number is out of range. For meshes that do
 * not come from a file. */
Status mesh_corners_check(const Mesh *mesh);

/* Returns the index of the first value that is not finite, or -1. */
int64_t float_not_finite(const float *values, int64_t count);
