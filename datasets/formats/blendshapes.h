/* Faces as Compressed Skinning for Facial Blendshapes (Kavan et al. 2024) has them, in .npz files:
 * blendshapes, `deltas` [S,N,3], `rest_verts` and `rest_faces`; or what it fitted to them, `rest`, `quads`,
 * `weights` [N,P] and `shapeXform` [3S,4P]. */
#pragma once

#include "datasets/formats/format_task.h"

/* Imports an .npz that holds an array of frames, or refuses it. */
Status npz_frames_import(const ImportOptions *options, const char *output);

/* Reads the member `name` of an .npz into *values, with `rank` extents; NULL: there is none. Release with
 * memory_free. STATUS_BAD_INPUT for another rank. */
Status npz_array_read(const char *path, const char *name, int rank, int64_t *extents, double **values);
