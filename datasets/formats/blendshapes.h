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
/* Reads the array of an .npy file as npz_array_read reads a member. */
Status npy_array_read(const char *path, int rank, int64_t *extents, double **values);
/* Reads `count` texts of an .npz file into names, whose elements are released with memory_free. *found is
 * false if there is no such member. */
Status npz_names_read(const char *path, const char *name, int64_t count, char **names, bool *found);

/* Reads a mesh from the members rest_name [N][3] and faces_name, with three or four corners each. */
Status npz_mesh_read(const ImportOptions *options, const char *rest_name, const char *faces_name, Mesh *mesh);

/* Makes arrays [vertices][*influences] of the weights that are not zero in a dense array [vertices][joints],
 * scaled to sum 1. STATUS_BAD_INPUT, naming `place`, for a negative weight or a vertex without weights. */
Status weights_from_dense(const char *place, const double *dense, int vertices, int joints,
                          int32_t **weight_joints, float **weight_values, int *influences);

/* Imports a rig of UniRig or SkinTokens: parents [J], and joints, vertices, faces, skin [N][J], names. */
Status npz_rig_import(const ImportOptions *options, const double *parents, int joints, const char *output);
