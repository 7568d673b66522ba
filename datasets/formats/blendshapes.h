/* Imports faces from the .npz files of Compressed Skinning for Facial Blendshapes (Kavan et al. 2024). A
 * file contains either blendshapes (`deltas` [S,N,3], `rest_verts` and `rest_faces`) or the rig fitted to
 * them (`rest`, `quads`, `weights` [N,P] and `shapeXform` [3S,4P]), where S is the number of shapes, N of
 * vertices and P of joints. */
#pragma once

#include "datasets/formats/format_task.h"

/* Imports an .npz file that contains an array of frames. Refuses any other .npz file. */
Status npz_frames_import(const ImportOptions *options, const char *output);

/* Reads the member `name` of an .npz file into *values, and its shape, which must have `rank` extents.
 * *values is NULL if there is no such member. STATUS_BAD_INPUT if the member has another rank. Release with
 * memory_free. */
Status npz_array_read(const char *path, const char *name, int rank, int64_t *extents, double **values);
