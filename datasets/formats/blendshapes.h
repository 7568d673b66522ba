/* Imports faces in the .npz files of Compressed Skinning for Facial Blendshapes (Kavan et al. 2024). A file
 * holds either blendshapes (`deltas` [S,N,3], `rest_verts` and `rest_faces`) or the rig fitted to them
 * (`rest`, `quads`, `weights` [N,P] and `shapeXform` [3S,4P]). */
#pragma once

#include "datasets/formats/format_task.h"

/* Imports an .npz if it holds an array of frames, and refuses it otherwise. */
Status npz_frames_import(const ImportOptions *options, const char *output);

/* Reads the member `name` of an .npz into *values, with `rank` extents. *values is NULL if there is no such
 * member. Release with memory_free. STATUS_BAD_INPUT if the member has another rank. */
Status npz_array_read(const char *path, const char *name, int rank, int64_t *extents, double **values);
