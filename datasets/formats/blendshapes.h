/* Imports faces from the .npz files of Compressed Skinning for Facial Blendshapes (Kavan et al. 2024). A
 * file contains either blendshapes (`deltas` [S,N,3], `rest_verts` and `rest_faces`) or the rig fitted to
 * them (`rest`, `quads`, `weights` [N,P] and `shapeXform` [3S,4P]), where S is the number of shapes, N of
 * vertices and P of joints. */
#pragma once

#include "datasets/formats/format_task.h"

/* Imports an .npz file that contains an array of frames. Refuses any other .npz file. */
Status npz_frames_import(const ImportOptions *options, const char *output);

/* The arrays of an .npz file, as the bytes of its members. */
typedef struct NpzArray {
    char *name, *bytes;
    size_t length;
} NpzArray;
typedef struct Npz {
    const char *path; /* borrowed */
    NpzArray *members;
    int count;
} Npz;

/* Adds the arrays of an .npz file that are in `names`, which ends with NULL. Others, such as frames, may be
 * too large for memory. Release with npz_clear, also on failure. */
Status npz_read(const char *path, const char *const *names, Npz *out);
void npz_clear(Npz *npz);

/* Returns the array `name`, or NULL. Writes its place for messages. */
enum { NPZ_PLACE_BYTES = 512 };
const NpzArray *npz_find(const Npz *npz, const char *name, char place[NPZ_PLACE_BYTES]);

/* Reads the array `name` into *values, and its shape, which must have `rank` extents. *values is NULL if
 * there is no such array. STATUS_BAD_INPUT if the array has another rank. Release with memory_free. */
Status npz_array_read(const Npz *npz, const char *name, int rank, int64_t *extents, double **values);
/* Reads the array of an .npy file as npz_array_read reads a member. */
Status npy_array_read(const char *path, int rank, int64_t *extents, double **values);
/* Reads a mesh from the members rest_name [N][3] and faces_name, with three or four corners each. */
Status npz_mesh_read(const Npz *npz, double scale, const char *rest_name, const char *faces_name, Mesh *mesh);

/* Makes arrays [vertices][*influences] of the weights that are not zero in a dense array [vertices][joints],
 * scaled to sum 1. STATUS_BAD_INPUT, naming `place`, for a negative weight or a vertex without weights. */
Status weights_from_dense(const char *place, const double *dense, int vertices, int joints,
                          int32_t **weight_joints, float **weight_values, int *influences);

/* Imports a rig of UniRig or SkinTokens: parents [J], and joints, vertices, faces, skin [N][J], names. */
Status npz_rig_import(const ImportOptions *options, const Npz *npz, const double *parents, int joints,
                      const char *output);
