/* Structural soundness of a data set: what every consumer may rely on without looking (indices in range,
 * parents before children, values finite and of a sensible size, weights with a positive sum). These are the
 * rows of the checks (check_rows.h) that are refusals. The first fault found is reported with its place in
 * the file's terms (`wolf.h5: rig/weights/joints[17,2] is 40, expected 0 to 20`); finer doubts are for
 * dataset_check. Counts are taken as they stand. */
#pragma once

#include "datasets/model/dataset.h"

/* Everything but positions and normals. `place` stands first in the message, usually a path. */
Status dataset_validate(const Dataset *dataset, const char *place);

/* Positions and normals, where they are in memory. */
Status dataset_frames_validate(const Dataset *dataset, const char *place);

/* A block of frames of positions or normals, values [frames][vertices][3]: all finite and within
 * CHECK_BOUND_LENGTH? `object` is the name of the array; first_frame and first_vertex say where in it the
 * block starts. */
Status frames_validate(const float *values, int first_frame, int frames, int first_vertex, int vertices,
                       const char *place, const char *object);

/* STATUS_BAD_INPUT names the first corner of a triangle whose vertex number is out of range, for meshes that
 * do not come from a file. */
Status mesh_corners_check(const Mesh *mesh);

/* Index of the first value that is not finite, -1: none. */
int64_t float_not_finite(const float *values, int64_t count);
